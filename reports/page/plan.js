// Build the page of a plan once, then compute it again with every field that changes.

let tellers = [];

function update() {
  const hours = data.alternatives.map((_, turn) => hoursOf(turn));
  for (const tell of tellers) tell(hours);
  document.getElementById("reset-all").hidden = !Object.keys(typed.all).length && typed.own.every((each) => !Object.keys(each).length);
}

function build() {
  document.getElementById("charts").replaceChildren();
  buildAsked();
  tellers = [buildAlternatives(), ...(data.day ? [buildDay()] : []), ...data.percentiles.map(buildPercentiles), ...data.bars.map(buildBars)];
  update();
}

rememberedTheme();
buildTheme();
if (data.alternatives.length) build();
document.getElementById("reset-all").addEventListener("click", () => {
  typed.all = {};
  typed.own = data.alternatives.map(() => ({}));
  build();
});
document.getElementById("copy-command").addEventListener("click", (event) => copied(document.getElementById("command").textContent, event.currentTarget));
addEventListener("resize", () => { if (tellers.length) update(); });

// For tests, and for those who want the numbers in the console.
window.formulaEvalPlan = Object.freeze({
  sums: (turn) => data.day.sums.map((row) => sumsOf(row, dayOf(turn))),
  values: (turn, hour) => {
    const of = hoursOf(turn)[hour];
    return Object.fromEntries(Object.keys(data.alternatives[turn].places).map((name) => [name, of(name)]).map(([name, value]) => [name, Number.isFinite(value) || typeof value === "boolean" ? value : null]));
  },
});
