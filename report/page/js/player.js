// The player steps a run that is given: forward, back, to the ends; round and round in its loop.
class Player {
  constructor(stage, panel) {
    this.stage = stage;
    this.net = stage.net;
    this.panel = panel;
    this.select = panel.querySelector("select");
    if (!this.select) return;
    this.list = panel.querySelector(".steps");
    this.select.addEventListener("change", () => this.choose(Number(this.select.value)));
    const on = (name, to) => panel.querySelector("." + name).addEventListener("click", to);
    on("first", () => this.go(0));
    on("back", () => this.back());
    on("on", () => this.on());
    on("last", () => this.go(this.run.steps.length));
    for (const [name, to] of [["dock-back", () => this.back()], ["dock-on", () => this.on()]]) stage.section.querySelector("." + name).addEventListener("click", to);
    on("take-over", () => stage.takeOver(this.track.steps.slice(0, this.at), this.run));
    this.choose(0, true);
  }

  choose(number, silently) {
    this.run = this.net.runs[number];
    this.select.value = String(number);
    this.track = trackOf(this.net, this.run.start, this.run.steps);
    this.at = 0;
    this.round = 0;
    this.draw();
    if (!silently) this.show();
  }

  draw() {
    this.list.replaceChildren();
    let into = this.list;
    this.buttons = [this.button(into, 0, "The start", "")];
    this.run.steps.forEach((ts, i) => {
      if (i === this.run.loop) {
        into = element("ol", { class: "steps loop" });
        into.append(element("li", { class: "loop-head" }, "↻ over and over for ever:"));
        this.list.append(element("li", {}, into));
      }
      const told = this.run.told[i] || { what: [whatOf(this.net, ts)], who: [whoOf(this.net, ts)], does: [] };
      this.buttons.push(this.button(into, i + 1, (i + 1) + ". " + told.what.join(" — and, at the same time — "), told.who.join(", "), told.beyond));
    });
    this.panel.querySelector(".outcome").textContent = [this.run.dead, this.run.claim].filter(Boolean).join(" ");
    this.because();
  }

  button(into, at, text, who, beyond) {
    const b = element("button", { type: "button" }, text);
    if (who) b.append(element("span", { class: "who" }, " " + who));
    if (beyond) b.append(element("span", { class: "beyond" }, "↑ not possible before the amendment"));
    b.addEventListener("click", () => this.go(at));
    into.append(element("li", {}, b));
    return b;
  }

  // Runs that explain this one, and the one that this explains.
  because() {
    const at = this.net.runs.indexOf(this.run), line = this.panel.querySelector(".because");
    line.replaceChildren();
    const offer = (text, number) => {
      const b = element("button", { type: "button" }, text);
      b.addEventListener("click", () => { this.choose(number); this.select.focus(); });
      line.append(b, " ");
    };
    if (this.run.because >= 0) offer("Back to the run that this explains", this.run.because);
    this.net.runs.forEach((r, i) => { if (r.because === at) offer("Why? Show the run that explains it", i); });
  }

  go(at) { this.at = at; this.round = 0; this.show(); }

  on() {
    if (this.at < this.run.steps.length) this.at++;
    else if (this.run.loop >= 0) { this.at = this.run.loop + 1; this.round++; }
    else return;
    this.show();
  }

  back() {
    if (this.round > 0 && this.at === this.run.loop + 1) { this.at = this.run.steps.length; this.round--; }
    else if (this.at > 0) this.at--;
    else return;
    this.show();
  }

  show() {
    if (!this.select) { this.stage.show({ markings: [this.net.initial], steps: [], at: 0 }, "", null, null, ""); return; }
    this.track.at = this.at;
    this.buttons.forEach((b, i) => i === this.at ? b.setAttribute("aria-current", "step") : b.removeAttribute("aria-current"));
    const current = this.buttons[this.at], list = this.list;
    if (current.offsetTop < list.scrollTop || current.offsetTop + current.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    const end = this.at === this.run.steps.length;
    const dock = name => this.stage.section.querySelector(".dock-" + name);
    off(this.panel.querySelector(".on"), end && this.run.loop < 0);
    off(dock("on"), end && this.run.loop < 0);
    off(this.panel.querySelector(".last"), end);
    for (const b of [this.panel.querySelector(".first"), this.panel.querySelector(".back"), dock("back")]) off(b, this.at === 0 && this.round === 0);
    this.stage.show(this.track, this.words(end), this.at > 0 ? this.run.told[this.at - 1] : null, null, this.caption());
  }

  caption() {
    const comesTo = [this.run.dead, this.run.claim].filter(Boolean).join(" ");
    return "The pictures show a run, at step " + this.at + " of " + this.run.steps.length + ". " + this.run.title + "." + (comesTo ? " " + comesTo : "");
  }

  words(end) {
    const n = this.run.steps.length;
    if (this.at === 0) return "At the start" + (this.run.because >= 0 ? " of the run that explains the other" : "") + ". " + n + (n === 1 ? " step follows." : " steps follow.");
    let text = "Step " + this.at + " of " + n + (this.round ? ", round " + (this.round + 1) : "") + ": " + this.run.told[this.at - 1].what.join(" — and, at the same time — ") + ".";
    if (end && this.run.loop >= 0) text += " From here it begins again with step " + (this.run.loop + 1) + ".";
    if (end && this.run.loop < 0) text += " " + [this.run.dead, this.run.claim].filter(Boolean).join(" ");
    return text;
  }

  key(event) {
    const to = { ArrowRight: () => this.on(), ArrowLeft: () => this.back(), Home: () => this.go(0), End: () => this.go(this.run.steps.length) }[event.key];
    if (!to || !this.select) return;
    event.preventDefault();
    to();
  }
}
