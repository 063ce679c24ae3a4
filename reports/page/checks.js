// What the checks have to say about this configuration.

const LEVELS = { refuse: ["bad", "refused"], warn: ["warning", "warning"], note: ["note", "note"] };

function buildChecks(section) {
  const { body } = figure(section, "checks");
  const list = element("ul", { class: "messages" }), holding = element("ul", { class: "holding" }), count = element("summary");
  body.append(list, element("details", {}, count, holding));
  views.push(() => {
    const values = current.values ?? current.shown ?? [];
    const asked = data.formulas.checks.filter(([at]) => values[at] === values[at] && values[at] !== undefined);
    const failing = asked.filter(([at]) => !values[at]), fine = asked.filter(([at]) => values[at]);
    emptied(list, failing.map((check) => checkMessage(check, values)), failing.length ? "" : element("li", { class: "message good", text: "Nothing: all checks hold." }));
    count.textContent = fine.length === 1 ? "1 check holds" : `${fine.length} checks hold`;
    emptied(holding, fine.map(([at]) => element("li", {}, element("button", { type: "button", class: "name", "data-open": at }, element("code", { text: nodes[at][0] })))));
  });
}

function checkMessage(check, values) {
  const [look, word] = LEVELS[check[1]];
  return element("li", { class: `message ${look}` }, element("span", { class: "level", text: word }), element("span", { text: messageOf(check, values) }),
    element("button", { type: "button", class: "more", "data-open": check[0], "aria-label": `Why: ${nodes[check[0]][0]}`, text: "why" }));
}
