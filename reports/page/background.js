// The page's end of its worker, which is this very script in a thread of its own: made from the page, it needs no other file.

const script = document.currentScript.textContent;
const hearers = new Map();
let worker = null, lastJob = 0;

function startedWorker() {
  const text = `const pageData = ${JSON.stringify(document.getElementById("data").textContent)};\n${script}`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const made = new Worker(address);
  made.onmessage = ({ data: { view, id, found, done, problem } }) => {
    const hearer = hearers.get(view);
    if (hearer?.id === id) hearer.heard(found, done, problem);
  };
  made.onerror = (event) => {
    for (const { heard } of hearers.values()) heard([], true, event.message || "this browser starts no worker");
  };
  return made;
}

// Ask for a part of the page, which gives up what it asked before; `heard` gets what was found since, and whether that is all.
function askWorker(view, kind, asked, heard) {
  worker ??= startedWorker();
  lastJob += 1;
  hearers.set(view, { id: lastJob, heard });
  worker.postMessage({ view, id: lastJob, kind, asked });
}

function giveUp(view) {
  hearers.delete(view);
  worker?.postMessage({ view });
}
