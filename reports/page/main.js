// Build the page once, then show what the address says.

const BUILDERS = { stack: buildStack, times: buildTimes, roofline: buildRoofline, structure: buildStructure, curves: buildCurves, scenarios: buildScenarios, sweep: buildSweep, search: buildSearch, sensitivity: buildSensitivity, operators: buildOperators, table: buildTable, checks: buildChecks, listing: buildListing };

function shownNumber(value) {
  if (value !== value || value === undefined) return null;
  return Math.abs(value) === inf ? String(value) : value;
}

function asObject(values) {
  return values && Object.fromEntries(nodes.map(([name], place) => [name, shownNumber(values[place])]));
}

// What stands above the charts: shown before anything else is built.
rememberedTheme();
buildControls();
buildInputs();
buildPresets();
buildQuestion();
buildSummary();
buildNarrow();
buildDerivation();
buildSharing();
buildPages();
if (innerWidth >= 900) document.getElementById("scenario").open = true;
restore();
update();
performance.mark("first-number");

function buildRest() {
  const before = views.length;
  buildIdle();
  for (const section of data.layout.section) BUILDERS[section.kind]?.(section);
  for (const view of views.slice(before)) view();
  showDrawer();
  addEventListener("popstate", () => {
    restore();
    update();
    showDrawer();
  });
  window.formulaEval = published;
}

// For tests, and for those who want the numbers in the console.
const published = Object.freeze({
  values: () => asObject(current.values),
  texts: () => Object.fromEntries(nodes.map(([name], place) => [name, textAt(place)])),
  evaluate: (chosen) => {
    const { values, failure, refused, problems } = evaluated({ records: {}, values: {}, ...chosen });
    const texts = values && Object.fromEntries(nodes.map(([name], place) => [name, shown(values[place], quantityOf(place))]));
    const checks = values && data.formulas.checks.filter(([at]) => values[at] === values[at]).map((check) => [nodes[check[0]][0], values[check[0]], messageOf(check, values)]);
    return { values: asObject(values), texts, checks, failure: failure && { ...failure, name: nodes[failure.at][0] }, refused, problems };
  },
  show: (name, value) => shown(value, quantityOf(places.get(name))),
  read: (name, text) => read(text, places.get(name)),
  axis: (name, text) => axisValues(text, places.get(name)),
  sweep: () => ({ done: sweepFound.done, points: Array.from(sweepFound.points, (each) => each && { ...each, value: shownNumber(each.value) }) }),
  search: () => ({ done: searchFound.done, found: searchFound.found, front: searchFound.front }),
  influences: () => ({ done: influencesFound.done, found: influencesFound.found.filter(Boolean).map((each) => ({ ...each, name: nodes[each.place][0] })) }),
  idle: () => ({ done: idleFound.done, names: Object.keys(idleFound.names).filter((name) => idleFound.names[name]) }),
  command: () => commandText(),
  csv: delimitedText,
  state: () => structuredClone(state),
  took: () => current.took,
});

// A frame of the browser lies between them; one that is hidden draws none.
(document.hidden ? setTimeout : requestAnimationFrame)(() => setTimeout(buildRest));
