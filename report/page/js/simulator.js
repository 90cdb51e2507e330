// The simulator: what can happen is offered; a person, or chance, takes it.
class Simulator {
  constructor(stage, panel) {
    this.stage = stage;
    this.net = stage.net;
    this.panel = panel;
    this.track = trackOf(this.net, this.net.initial, []);
    this.find = name => panel.querySelector("." + name);
    const on = (name, to) => this.find(name).addEventListener("click", to);
    on("undo", () => this.undo());
    on("again", () => this.take([]));
    on("random", () => this.chance(1));
    on("random-many", () => this.chance(10));
    on("load", () => this.load(this.find("text").value));
    on("copy", () => this.copy(this.find("text"), "The text is copied."));
    on("copy-link", () => this.copy(this.find("link"), "The link is copied."));
  }

  // Takes a run as its own, as far as it goes.
  take(steps) {
    this.track = trackOf(this.net, this.net.initial, steps);
    this.track.at = steps.length;
    this.show();
  }

  step(ts) {
    if (fire(this.net, this.track.markings[this.track.at], ts).contact >= 0) return false;
    advance(this.net, this.track, ts);
    return true;
  }

  undo() {
    if (this.track.at === 0) return;
    this.track.at--;
    this.track.steps.length = this.track.at;
    this.track.markings.length = this.track.at + 1;
    this.show();
  }

  chance(times) {
    const seed = Number(this.find("seed").value) >>> 0;
    for (; times > 0; times--) {
      const can = steps(this.net, this.track.markings[this.track.at]);
      if (!can.length || !this.step(can[drawn(seed, this.track.at, can.length)])) break;
    }
    this.show();
  }

  show() {
    const m = this.track.markings[this.track.at], can = steps(this.net, m), list = this.find("can");
    const focused = list.contains(document.activeElement);
    list.replaceChildren();
    for (const ts of can) {
      const b = element("button", { type: "button" }, whatOf(this.net, ts), element("span", { class: "who" }, whoOf(this.net, ts)));
      b.addEventListener("click", () => {
        if (!this.step(ts)) { this.stage.say("That would put two tokens on one place: the contract is ill-formed there."); return; }
        this.show();
      });
      list.append(element("li", {}, b));
    }
    if (!can.length) list.append(element("li", {}, "Nothing can happen any more."));
    if (can.more) list.append(element("li", {}, "There are more; only the first " + mostSteps + " are listed."));
    if (focused) (list.querySelector("button") || this.find("undo")).focus();
    for (const name of ["undo", "again"]) off(this.find(name), this.track.at === 0);
    for (const name of ["random", "random-many"]) off(this.find(name), can.length === 0);
    this.find("taken").replaceChildren(...this.track.steps.map((ts, i) => element("li", {}, (i + 1) + ". " + whatOf(this.net, ts))));
    this.find("taken").scrollTop = this.find("taken").scrollHeight;
    const text = runText(this.net, this.track.steps);
    this.find("text").value = text;
    this.find("link").value = location.href.split("#")[0] + "#run=" + encoded(text);
    const n = this.track.at, last = n > 0 ? this.track.steps[n - 1] : null;
    const did = last ? "Step " + n + ": " + whatOf(this.net, last) + ". " : "At the start. ";
    const next = can.length === 0 ? "Nothing can happen any more." : can.length === 1 ? "One thing can happen now." : can.length + (can.more ? " things and more" : " things") + " can happen now.";
    const told = last ? { does: doings(this.net, this.track.markings[n - 1], m) } : null;
    this.stage.show(this.track, did + next, told, can, this.track.at ? "The pictures show a run of your own, after step " + this.track.at + "." : "The pictures show the start.");
  }

  load(text) {
    const read = readRun(this.net, text);
    if (read.why) { this.find("shared").textContent = read.why; return false; }
    this.take(read.steps);
    this.find("shared").textContent = "Taken: " + read.steps.length + (read.steps.length === 1 ? " step." : " steps.");
    return true;
  }

  copy(field, done) {
    field.focus();
    field.select();
    const said = ok => { this.find("shared").textContent = ok ? done : "It is selected: copy it with your keyboard."; };
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(() => said(true), () => said(false));
    else said(false);
  }
}

// A number below n, which follows from the seed and how many steps were taken (mulberry32, T. Ettinger 2017).
function drawn(seed, at, n) {
  let a = (seed + Math.imul(at + 1, 0x6d2b79f5)) | 0;
  a = Math.imul(a ^ (a >>> 15), a | 1);
  a ^= a + Math.imul(a ^ (a >>> 7), a | 61);
  return Math.floor(((a ^ (a >>> 14)) >>> 0) / 4294967296 * n);
}
