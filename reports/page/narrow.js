// Where there is one column alone, the answer leads: the inputs stand behind its numbers, before the charts.

const NARROW = matchMedia("(max-width: 899px)");

function buildNarrow() {
  const controls = document.querySelector("form.controls"), main = document.getElementById("results");
  const lastCards = [...main.querySelectorAll(":scope > .cards")].at(-1) ?? document.getElementById("notices");
  const place = () => {
    if (NARROW.matches) lastCards.after(controls);
    else main.before(controls);
  };
  place();
  NARROW.addEventListener("change", place);
}
