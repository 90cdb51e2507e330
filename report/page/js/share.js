// A run as text is JSON lines, as redline replay reads them (engine/conform); as a link it is that in base64url.

function runText(net, steps) {
  const lines = [];
  steps.forEach((ts, i) => {
    for (const t of ts) {
      const of = net.transitions[t], line = {};
      if (of.event) line.event = of.event;
      line.transition = of.name;
      if (net.rule === "all") line.step = i + 1;
      lines.push(JSON.stringify(line));
    }
  });
  return lines.length ? lines.join("\n") + "\n" : "";
}

function encoded(text) {
  let bytes = "";
  for (const b of new TextEncoder().encode(text)) bytes += String.fromCharCode(b);
  return btoa(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function decoded(link) {
  const bytes = atob(link.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(bytes, c => c.charCodeAt(0)));
}

// How much of a run is read: more than that nobody has stepped through.
const mostText = 1 << 20, mostLines = 10000;

// Reads a run: its steps, or why it can't be taken.
function readRun(net, text) {
  if (text.length > mostText) return { why: "The text is longer than 1 MiB." };
  const lines = text.split("\n").map(l => l.trim()).filter(l => l !== "");
  if (lines.length > mostLines) return { why: "The run has more than " + mostLines + " lines." };
  const groups = [];
  for (const [i, line] of lines.entries()) {
    let one;
    try { one = JSON.parse(line); } catch { return { why: "Line " + (i + 1) + " is not JSON." }; }
    if (!one || typeof one !== "object" || typeof one.transition !== "string" && typeof one.event !== "string") return { why: "Line " + (i + 1) + " names no event or transition." };
    const last = groups[groups.length - 1];
    if (net.rule === "all" && last && one.step !== undefined && last.step === one.step) last.lines.push(one);
    else groups.push({ step: one.step, lines: [one], at: i + 1 });
  }
  return taken(net, groups);
}

function fits(net, t, line) {
  const of = net.transitions[t];
  return (typeof line.transition !== "string" || of.name === line.transition) &&
    (typeof line.event !== "string" || line.event === "" || (of.event || of.name) === line.event || !of.event && of.name === line.event);
}

// Finds transitions for the lines. A name may stand for several; the first run that goes through to the end is taken.
function taken(net, groups) {
  let furthest = 0, tries = 0;
  const found = [];
  const go = (m, i) => {
    if (i > furthest) furthest = i;
    if (i === groups.length) return true;
    for (const ts of choices(net, m, groups[i].lines)) {
      if (++tries > 50000) return false;
      const { after, contact } = fire(net, m, ts);
      if (contact >= 0) continue;
      found.push(ts);
      if (go(after, i + 1)) return true;
      found.pop();
    }
    return false;
  };
  try {
    if (go(net.initial, 0)) return { steps: found };
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    return { why: "The run is too long to be taken." };
  }
  return { why: "The contract does not allow line " + groups[furthest].at + " there." };
}

function choices(net, m, lines) {
  return steps(net, m).filter(ts => {
    if (ts.length !== lines.length) return false;
    const left = ts.slice();
    return lines.every(line => {
      const i = left.findIndex(t => fits(net, t, line));
      if (i >= 0) left.splice(i, 1);
      return i >= 0;
    });
  });
}
