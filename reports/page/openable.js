// The button with a number that opens its derivation.

// A number that can be opened. `label` says what it is to those who do not see where it stands, `text` how it is shown.
function openable(place, label, className = "number", text = textAt(place)) {
  return element("button", { type: "button", class: className, "data-open": place, "aria-label": `${label}: ${text}`, text });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-open]");
  if (button) openDerivation(Number(button.getAttribute("data-open")), button);
});
