// A stage has one contract's pictures, its player and its simulator, of which one is at work.
class Stage {
  constructor(section, net) {
    this.section = section;
    this.net = net;
    this.pictures = net.pictures.map(p => new Picture(p));
    for (const d of section.querySelectorAll("details.picture")) sizes(d);
    const panel = this.panel = section.querySelector(".panel");
    this.tabs = [...panel.querySelectorAll("[role=tab]")];
    this.player = new Player(this, panel.querySelector(".play"));
    this.simulator = new Simulator(this, panel.querySelector(".try"));
    this.tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => this.turn(i));
      tab.addEventListener("keydown", e => {
        if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
        e.preventDefault();
        e.stopPropagation();
        const other = this.tabs[1 - i];
        if (!other.disabled) { this.turn(1 - i); other.focus(); }
      });
    });
    panel.addEventListener("keydown", e => {
      if (this.active === 0 && !e.altKey && !e.ctrlKey && !e.metaKey && !e.shiftKey && !e.target.closest("select, input, textarea, pre")) this.player.key(e);
    });
    this.turn(net.runs.length ? 0 : 1);
  }

  turn(to) {
    this.active = to;
    this.tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(i === to));
      tab.tabIndex = i === to ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = i !== to;
    });
    const dock = this.section.querySelector(".dock");
    if (dock) dock.hidden = to !== 0;
    (to === 0 ? this.player : this.simulator).show();
  }

  play(run) {
    this.turn(0);
    this.player.choose(run);
    this.section.scrollIntoView();
    this.panel.querySelector(".play .on").focus({ preventScroll: true });
  }

  // Goes on by hand where a run is; one that begins on the way of another is found from the start.
  takeOver(steps, run) {
    const before = [];
    for (let r = run; r.because >= 0;) {
      const above = this.net.runs[r.because], track = trackOf(this.net, above.start, above.steps);
      before.unshift(...above.steps.slice(0, track.markings.findIndex(m => keyOf(m) === keyOf(r.start))));
      r = above;
    }
    this.turn(1);
    this.simulator.take(before.concat(steps));
    this.tabs[1].focus();
  }

  say(text) { for (const p of this.section.querySelectorAll(".said, .dock-said")) p.textContent = text; }

  // Of says which run the pictures show, and what it comes to.
  show(track, words, told, can, of) {
    this.section.querySelector(".of-run").textContent = of;
    for (const p of this.pictures) p.show(this.net, track, can);
    this.say(words);
    const m = track.markings[track.at], moved = new Map(track.at > 0 ? standing(this.net, track.markings[track.at - 1]) : []);
    const list = this.section.querySelector(".standing");
    list.replaceChildren();
    for (const [party, places] of standing(this.net, m)) {
      const text = places.join(", ") || "nothing", changed = track.at > 0 && (moved.get(party) || []).join(", ") !== places.join(", ");
      list.append(element("dt", {}, party), element("dd", changed ? { class: "changed" } : {}, changed ? "→ " + text : text));
    }
    this.clause(track, told);
  }

  // Which clause it is, with its place and its text.
  clause(track, told) {
    const into = this.section.querySelector(".clause");
    into.replaceChildren();
    if (told && told.beyond) into.append(element("p", { class: "beyond" }, "↑ " + told.beyond));
    if (track.at === 0) return;
    const shown = new Set(track.steps[track.at - 1].flatMap(t => this.net.transitions[t].source || none));
    for (const i of shown) {
      const passage = this.net.passages[i];
      into.append(element("p", {}, "at " + passage.at), element("pre", { tabindex: "0", role: "region", "aria-label": "The text at " + passage.at }, passage.text));
    }
  }
}
