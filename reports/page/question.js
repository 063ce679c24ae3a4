// A question in words or as a command, to records and values: `llama3.1-70b 8xH100 fp8`, `vllm serve ... --tensor-parallel-size 8`.
// Read as the command line reads words without an option.

const LONGEST_NAME = 4; // words, such as `NVIDIA RTX 6000 Ada`
const nameParts = (name) => name.toLowerCase().split(/[-_/:\s]+/).filter(Boolean);

// The only one of these records that this is; nothing where it might be several.
function theOnly(records) {
  return new Set(records).size === 1 ? records[0] : undefined;
}

// The record of a kind that is called so but for capitals, separators and owners; a model or an accelerator also by parts of its name.
function recordMeant(kind, text) {
  const all = data.records[kind] ?? [], joined = nameParts(text).join("");
  const spelled = (record) => [record.id, ...(record.names ?? [])].flatMap((name) => [name, name.split("/").at(-1)]);
  const exact = recordCalled(kind, text) ?? theOnly(all.filter((each) => spelled(each).some((name) => nameParts(name).join("") === joined)));
  if (exact || !data.question.byParts.includes(kind) || /^\d*$/.test(text)) return exact;
  const asked = nameParts(text);
  const found = all.filter((each) => [each.id, ...(each.names ?? [])].some((name) => asked.every((part) => nameParts(name).includes(part))));
  const plain = asked.map((part) => found.find((each) => each.id.toLowerCase() === part) ?? found.find((each) => each.names?.some((name) => name.toLowerCase() === part)));
  const made = found.filter((each) => nameParts(each.id).slice(1).join("") === joined);
  return theOnly(plain.filter(Boolean)) ?? theOnly(made) ?? theOnly(found);
}

// A word in which people ask, such as `fast`.
const isBetween = (word) => data.question.between.includes(word.toLowerCase());

// How many of the first words name a record; a word in which people ask names none by itself.
function recordSaid(said, words) {
  const free = data.places.filter((each) => each.under === "" && !(each.name in said.records));
  for (let length = Math.min(LONGEST_NAME, words.length); length > (isBetween(words[0]) ? 1 : 0); length--) {
    const text = words.slice(0, length).join(" ");
    const found = free.map((each) => [each.name, recordMeant(each.kind, text)]).find(([, record]) => record);
    if (!found) continue;
    said.records[found[0]] = found[1].id;
    said.named.push(found[0]);
    return length;
  }
  return 0;
}

// Note a value by the name of an input, of a kind or of an option, ours or another program's; false for any other name.
function settingSaid(said, written, value) {
  const plain = written.replaceAll("-", "_"), ours = data.question.names[plain.toLowerCase()];
  const place = recordPlace(written) ?? (ours && recordPlace(ours));
  const record = place && recordMeant(place.kind, value);
  if (place && !record) said.unread.push(value);
  if (record) said.records[place.name] = record.id;
  if (place) return true;
  const inside = [...places.keys()].filter((each) => isInput(each) && each.endsWith(`.${plain}`));
  const name = [written, plain, ours].find((each) => each && isInput(each)) ?? theOnly(inside);
  if (name) said.values[name] = value;
  return Boolean(name);
}

// How many of the first words start a program: this one's own command, or one that serves a model, whose engine is noted.
function programSaid(said, words) {
  if (words[0] === "formula-eval") return 1;
  const { kind, started } = data.question.programs, text = words.join(" ").toLowerCase();
  const program = Object.keys(started).find((each) => `${text} `.startsWith(`${each.toLowerCase()} `));
  const record = program && recordMeant(kind, started[program]);
  if (record) said.records[kind] = record.id;
  said.program = Boolean(program);
  return program ? program.split(" ").length : 0;
}

// `--tp 8`, `--tp=8`, `--set moe.skew=2`: how many words the option takes. One that nothing is known of takes its value along.
function optionSaid(said, [word, next]) {
  const [, option, written] = /^--?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word) ?? [];
  if (!option) return 0;
  const behind = written === undefined && next !== undefined && !/^--?[A-Za-z]/.test(next);
  const value = written ?? (behind ? next : "true");
  const [name, ...set] = option === "set" ? value.split("=") : [option];
  if (settingSaid(said, name, set.length ? set.join("=") : value)) return behind ? 2 : 1;
  said.unread.push(word);
  return behind && !recordSaid({ records: {}, named: [] }, [next]) ? 2 : 1;
}

// `tp=8` or `tp8`.
function equationSaid(said, [word]) {
  const [, name, value] = /^([A-Za-z][\w.-]*)=(.*)$/s.exec(word) ?? /^([a-z_]+?)(\d+)$/.exec(word.toLowerCase()) ?? [];
  return name && (word.includes("=") || isInput(name)) && settingSaid(said, name, value) ? 1 : 0;
}

// `64 concurrent requests`, `32k context`: the longest phrase that the first words are, and its options.
function phraseSaid(said, words) {
  const plain = words.map((word) => word.replace(/[?,.]+$/, "")), isNumber = (word) => /^\d[\d,_.]*[a-z]{0,3}$/i.test(word);
  const inWord = /\d[\d,]*(?:\.\d+)?/g;
  const longest = Math.max(0, ...Object.keys(data.question.phrases).map((phrase) => phrase.split(" ").length));
  for (let length = Math.min(longest, words.length); length > 0; length--) {
    const first = plain.slice(0, length).map((word) => word.toLowerCase());
    const inside = first.map((word) => word.replace(inWord, "#")), whole = first.map((word, place) => (isNumber(word) ? "#" : inside[place]));
    const written = [first, whole, inside].find((each) => data.question.phrases[each.join(" ")]);
    if (!written) continue;
    const options = data.question.phrases[written.join(" ")];
    const found = plain.slice(0, length).flatMap((word) => (isNumber(word) && written !== inside ? [word] : (word.match(inWord) ?? [])));
    const numbers = found.map((word) => word.replaceAll(",", "").replace(/m$/, "M"));
    const told = { ...said, unread: [] }, filled = (_, of) => (of ? Number((of / numbers.shift()).toPrecision(6)) : numbers.shift());
    const left = options.map((option) => option.replace(/(?:(\d+)\/)?#/, filled));
    while (left.length) left.splice(0, optionSaid(told, left));
    if (told.unread.length) said.unread.push(words.slice(0, length).join(" "));
    return length;
  }
  return 0;
}

// `8`, `8x`, `8xH100` or `H100x8`: a count, and what is counted as a word of its own.
function countSaid(said, words) {
  const first = /^([1-9]\d*)[x*\u00d7]?((?:\w.*)?)$/.exec(words[0]), last = /^(.*?)[x*\u00d7]([1-9]\d*)$/.exec(words[0]);
  if (said.count || !data.question.sharing || !(first || last)) return 0;
  const [count, what] = first ? [first[1], first[2]] : [last[2], last[1]];
  said.count = Number(count);
  if (what) words.splice(1, 0, what);
  said.ofMachines = !data.question.counted.words.includes((words[1] ?? "").toLowerCase());
  return 1;
}

// A value of an input by the record that was named, or as it holds where nobody says one.
function recordValue(said, place, input) {
  const inForce = recordsInForce({ ...state.records, ...said.records });
  return recordOf(recordPlace(place)?.kind, inForce[place])?.values[input] ?? defaultOf(places.get(input), {});
}

// How the accelerators that were counted share the model, on as many nodes as they fill.
function shareCounted(said) {
  const { sharing, job, all, machine, counted } = data.question;
  const whole = sharing && machine && said.ofMachines !== false && said.named.includes(machine.record) ? recordValue(said, machine.record, machine.holds) : 0;
  if (!(said.count || whole)) return;
  const ofJob = job || ([sharing.within, sharing.across].some((name) => name in said.values) ? all : "");
  if (ofJob && whole && said.count > 1) said.values[machine.number] = String(said.count);
  if (ofJob && !whole) said.values[ofJob] = String(said.count);
  if (ofJob) return;
  const count = (whole || 1) * Math.max(1, said.count), node = recordValue(said, counted.kind, sharing.node);
  const inside = Math.min(count, node, whole || count);
  said.values[sharing.within] = String(inside);
  said.values[sharing.across] = count > inside ? String(Math.ceil(count / inside)) : "";
}

// The records and values that a text says, and the words of which nothing was taken.
function understood(text) {
  const said = { records: {}, values: {}, named: [], unread: [], count: 0 };
  const words = (text.replace(/\\(\s|$)/g, " ").match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []).map((each) => each.replace(/["']/g, ""));
  words.splice(0, programSaid(said, words));
  while (words.length) {
    const taken = optionSaid(said, words) || phraseSaid(said, words) || recordSaid(said, words) || equationSaid(said, words) || countSaid(said, words);
    if (!taken && !isBetween(words[0])) said.unread.push(words[0]);
    words.splice(0, taken || 1);
  }
  shareCounted(said);
  return said;
}

// Show what a text asks: one that says all that the page is about, or that is a command, begins anew; any other changes what it says.
function ask(text) {
  const said = understood(text);
  const anew = /(^|\s)--\w/.test(text) || SUBJECT.every((name) => name in said.records);
  const kept = anew ? { records: {}, values: {} } : state;
  const records = { ...pick(state.records, SUBJECT), ...kept.records };
  for (const [name, id] of Object.entries(said.records)) for (const linked of Object.keys(recordOf(recordPlace(name).kind, id).links ?? {})) delete records[linked];
  state.records = { ...records, ...said.records };
  state.values = Object.fromEntries(Object.entries({ ...kept.values, ...said.values }).filter(([, value]) => value !== ""));
  document.getElementById("read-as").hidden = !said.program;
  notices = said.unread.map((word) => `The page takes nothing from \u201c${word.slice(0, 60)}\u201d.`);
  update();
}

function buildQuestion() {
  const form = document.getElementById("ask"), field = document.getElementById("question");
  const known = SUBJECT.flatMap((name) => data.records[recordPlace(name).kind] ?? []);
  form.hidden = !known.length;
  const example = SUBJECT.map((name) => state.records[name]).filter(Boolean).join(data.question.sharing ? " 8x" : " ");
  field.placeholder = `Ask in words, or paste a command: ${example}`;
  document.getElementById("question-names").append(...known.map((each) => element("option", { value: each.id }, each.title)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) ask(field.value);
  });
}
