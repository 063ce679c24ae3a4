// A text to the clipboard, said on the button that asked for it.

async function copied(text, button) {
  const before = button.dataset.title ?? button.textContent;
  button.dataset.title = before;
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copiedTheOldWay(text);
  }
  button.textContent = done ? "Copied" : "Not copied";
  document.getElementById("told").textContent = button.textContent;
  setTimeout(() => { button.textContent = before; }, 1500);
}

function copiedTheOldWay(text) {
  const field = element("textarea", { class: "unseen", "aria-hidden": "true" });
  document.body.append(field);
  field.value = text;
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
