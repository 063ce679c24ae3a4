// Names and texts to elements. Texts become text nodes: nothing that a stranger wrote is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key.startsWith("--")) node.style.setProperty(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
  return node;
}

function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

// MathML of our own printer; the browser parses it, and the page's policy lets nothing in it run.
function mathematics(markup) {
  const holder = document.createElement("template");
  holder.innerHTML = markup.startsWith("<math") ? markup : `<math>${markup}</math>`;
  return holder.content;
}

// A sentence, with what stands between backquotes as code.
function prose(sentence) {
  return sentence.split("`").map((part, place) => (place % 2 ? element("code", { text: part }) : part));
}

function emptied(node, ...children) {
  node.replaceChildren(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
  return node;
}

const tip = document.getElementById("tip");

// Lines that appear beside a mark when the pointer or the focus is on it.
function withTip(mark, lines) {
  for (const event of ["pointerenter", "focus"]) mark.addEventListener(event, () => showTip(mark, lines()));
  for (const event of ["pointerleave", "blur"]) mark.addEventListener(event, hideTip);
  return mark;
}

function showTip(mark, lines) {
  emptied(tip, lines.map((line, place) => element(place ? "div" : "strong", { text: line })));
  tip.hidden = false;
  const at = mark.getBoundingClientRect(), own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 8);
  const above = at.top - own.height - 8;
  tip.style.left = `${left}px`;
  tip.style.top = `${above > 4 ? above : at.bottom + 8}px`;
}

function hideTip() {
  tip.hidden = true;
}

// Several marks as one stop of the Tab key; the arrow keys go from one to the next.
function roving(marks) {
  marks.forEach((mark, place) => {
    mark.setAttribute("tabindex", place ? "-1" : "0");
    mark.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      mark.setAttribute("tabindex", "-1");
      const next = marks[(place + step + marks.length) % marks.length];
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  });
}
