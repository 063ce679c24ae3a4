// What the page asks its worker: each question is computed step by step, so that it can be given up or replaced by the next one.

const JOBS = { grid: gridPoints, influences, counting, candidates };
const SHARE = 25; // milliseconds of a question until the page hears of it, and another has its turn

// In the worker: `view` is the part of the page that asks, and has one question at a time.
function serve() {
  const running = new Map();
  const work = () => {
    for (const [view, job] of running) {
      const found = [], until = performance.now() + SHARE;
      let step = null;
      try {
        do {
          step = job.steps.next();
          if (!step.done) found.push(step.value);
        } while (!step.done && performance.now() < until);
        postMessage({ view, id: job.id, found, done: step.done });
      } catch (problem) {
        postMessage({ view, id: job.id, found, done: true, problem: String(problem) });
        step = { done: true };
      }
      if (step.done) running.delete(view);
    }
    if (running.size) setTimeout(work);
  };
  globalThis.onmessage = ({ data: { view, id, kind, asked } }) => {
    const idle = running.size === 0;
    if (kind) running.set(view, { id, steps: JOBS[kind](asked) });
    else running.delete(view);
    if (idle && running.size) work();
  };
}
