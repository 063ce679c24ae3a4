// A mark that goes from point to point of a drawing, with the pointer or the arrow keys, and tells of each.

// `columns` and `rows` are how many points there are, `box` gives the rectangle of one, `nearest` the one at a place of the drawing,
// `lines` what is told of it, `chosen` hears the one that a reader takes.
function withCursor(svg, { columns, rows, box, nearest, lines, chosen }) {
  const mark = drawn("rect", { class: "cursor", rx: 3, visibility: "hidden" });
  let at = null;
  const show = (x, y) => {
    at = [x, y];
    const [left, top, width, height] = box(x, y);
    for (const [key, value] of Object.entries({ x: left, y: top, width, height, visibility: "visible" })) mark.setAttribute(key, value);
    showTip(mark, lines(x, y));
  };
  const hide = () => {
    mark.setAttribute("visibility", "hidden");
    hideTip();
  };
  const pointed = (event) => {
    const bounds = svg.getBoundingClientRect(), view = svg.viewBox.baseVal;
    return nearest(((event.clientX - bounds.left) / bounds.width) * view.width, ((event.clientY - bounds.top) / bounds.height) * view.height);
  };
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  svg.addEventListener("pointermove", (event) => {
    const found = pointed(event);
    if (found) show(...found);
    else hide();
  });
  svg.addEventListener("pointerleave", hide);
  svg.addEventListener("blur", hide);
  svg.addEventListener("click", (event) => {
    const found = pointed(event);
    if (found) chosen(...found);
  });
  svg.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && at) chosen(...at);
    if (!steps[event.key]) return;
    event.preventDefault();
    const [right, up] = steps[event.key], [x, y] = at ?? [0, 0];
    show(...(at ? [Math.min(Math.max(x + right, 0), columns - 1), Math.min(Math.max(y + up, 0), rows - 1)] : [x, y]));
    document.getElementById("told").textContent = lines(...at).join(", ");
  });
  svg.setAttribute("tabindex", "0");
  svg.append(mark);
}
