// All begins here, once the page is read.
const stages = new Map();
for (const data of document.querySelectorAll("script.board")) {
  const net = JSON.parse(data.textContent);
  stages.set(net.id, new Stage(document.getElementById(net.id + "-stage"), net));
}
for (const b of document.querySelectorAll("button.show")) {
  b.addEventListener("click", () => stages.get(b.dataset.contract).play(Number(b.dataset.run)));
}
filters(document.getElementById("filters"));

// A link may bring a run along: the first contract that allows it takes it.
function linked() {
  if (!location.hash.startsWith("#run=")) return;
  let text, why = "The run in the link can't be read.";
  try { text = decoded(location.hash.slice(5)); } catch { text = null; }
  for (const s of text === null ? [] : stages.values()) {
    const read = readRun(s.net, text);
    why = read.why || why;
    if (read.why) continue;
    s.turn(1);
    s.simulator.take(read.steps);
    s.section.scrollIntoView();
    s.tabs[1].focus({ preventScroll: true });
    return;
  }
  const first = stages.values().next().value;
  if (first) { first.turn(1); first.say("The run in the link was not taken: " + why); first.section.scrollIntoView(); }
}
linked();
addEventListener("hashchange", linked);

// What is printed is opened, and closed again.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const d of closed) d.open = true;
});
addEventListener("afterprint", () => { for (const d of closed) d.open = false; });

// For whoever holds this against the definitions.
window.redline = { stages, fireable, fire, steps, standing, readRun, runText, encoded, decoded };
