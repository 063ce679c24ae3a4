// What the reader changes, to everything that the page shows.

const views = [];

// Compute everything again and let each part of the page show it.
function update() {
  const before = performance.now();
  const next = evaluated(state);
  const computedAt = performance.now();
  current = { ...next, shown: next.values ?? current?.shown ?? null };
  hideTip();
  for (const view of views) view();
  current.took = { compute: computedAt - before, show: performance.now() - computedAt };
  keepInLink();
}

function setValue(name, text) {
  if (text === null) delete state.values[name];
  else state.values[name] = text;
  update();
}

function setRecord(supplier, id) {
  if (id === "") delete state.records[supplier];
  else state.records[supplier] = id;
  update();
}
