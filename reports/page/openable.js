// The button with a number that opens its derivation.

// A number that can be opened. `label` says what it is to those who do not see where it stands.
function openable(place, label, className = "number") {
  return element("button", { type: "button", class: className, "data-open": place, "aria-label": `${label}: ${textAt(place)}`, text: textAt(place) });
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-open]");
  if (button) openDerivation(Number(button.getAttribute("data-open")), button);
});
