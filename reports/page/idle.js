// Greys what does not count here: sliders, and whatever the reader set, that change none of the numbers at the head of the page.

const idleMarks = new Map(); // by input: what shows that it does not count, one function for each place where it stands
let idleFound = { done: true, names: {} };

// Let a part of the page show whether an input counts: it is grey, and says why.
function greyedWhereIdle(name, part, remark) {
  const show = (idle) => {
    part.classList.toggle("idle", Boolean(idle));
    remark.textContent = idle ? `No effect on the headline figures${idle.read ? " in this scenario" : ""}.` : "";
    remark.hidden = !idle;
  };
  idleMarks.set(name, [...(idleMarks.get(name) ?? []), show]);
  show(idleFound.names[name]);
}

function buildIdle() {
  const quantities = sectionsOf("cards").flatMap((section) => section.entries).map((each) => places.get(each.name)).filter((each) => each !== undefined);
  const start = () => {
    if (!current?.shown || !quantities.length) return;
    const names = [...new Set([...data.layout.control.map((each) => each.input), ...Object.keys(state.values)])], found = {};
    idleFound = { done: false, names: idleFound.names };
    askWorker("idle", "counting", { chosen: structuredClone(state), quantities, names }, (more, done) => {
      for (const each of more) found[each.name] = each.idle;
      if (!done) return;
      idleFound = { done, names: found };
      for (const [name, marks] of idleMarks) for (const mark of marks) mark(found[name]);
    });
  };
  let waiting = null;
  views.push(() => {
    clearTimeout(waiting);
    idleFound.done = false;
    waiting = setTimeout(start, 300);
  });
}
