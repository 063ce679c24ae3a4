// Build the page of a plan once, then compute it again with every field that changes.

let tellers = [];

function update() {
  const hours = data.alternatives.map((_, turn) => hoursOf(turn));
  for (const tell of tellers) tell(hours);
  const isChanged = Object.keys(typed.all).length > 0 || typed.own.some((each) => Object.keys(each).length);
  document.getElementById("reset-all").hidden = !isChanged;
  tellConclusion(isChanged, hours);
}

// The plan's conclusion once something was changed: which alternative that meets what is asked takes least.
function tellConclusion(isChanged, hours) {
  const line = document.getElementById("now"), keeps = hours.map((of, turn) => turn).filter((turn) => !hours[turn].missed.length);
  line.hidden = !isChanged || !data.bars.length;
  const told = keeps.map((turn) => ({ turn, sums: data.bars.map((chart) => barSum(chart, hours[turn])) }));
  const [best] = told.sort((one, other) => one.sums.map((sum, at) => (sum ?? inf) - (other.sums[at] ?? inf)).find(Boolean) ?? 0);
  line.className = `verdict ${best ? "good" : "bad"}`;
  const texts = best && data.bars.flatMap((chart, at) => (best.sums[at] === null ? [] : [`${chart.title.toLowerCase()} ${rowText(chart.rows[0], best.sums[at])}`]));
  line.textContent = best ? `With what you changed: ${data.alternatives[best.turn].name} (${data.alternatives[best.turn].layout}) meets the targets for the least: ${texts.join(", ")}.` : "With what you changed none meets the targets.";
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
