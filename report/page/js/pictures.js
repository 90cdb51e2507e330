// Pictures know which of their nodes and edges are which places and transitions. To show a situation is to toggle classes.
class Picture {
  constructor(data) {
    this.data = data;
    this.canvas = null;
    this.lit = [];
    const svg = document.querySelector(`[data-picture="${data.id}"] .live svg`);
    if (!svg) return;
    this.canvas = svg.parentElement;
    this.node = i => document.getElementById(data.id + "-n-" + i);
    this.edge = i => document.getElementById(data.id + "-e-" + i);
    if (data.markings) {
      this.states = new Map(data.markings.map((m, i) => [keyOf(m), data.in ? data.in[i] : i]));
      this.arcs = new Map(); // of a collapsed model, by where they lead alone
      for (const e of data.edges || none) this.arcs.set(this.arc(e.f, e.o, e.t), e.e);
    }
  }

  arc(from, to, ts) { return from + ">" + to + (this.data.in ? "" : ">" + keyOf(ts)); }

  light(element, name) {
    if (element && !element.classList.contains(name)) { element.classList.add(name); this.lit.push([element, name]); }
  }

  // Shows a marking, the step that led there from the one before, and all markings and steps up to it.
  show(net, track, can) {
    for (const [element, name] of this.lit) element.classList.remove(name);
    this.lit = [];
    if (!this.canvas) return;
    if (this.states) this.showState(track); else this.showNet(net, track, can);
  }

  showNet(net, track, can) {
    const m = track.markings[track.at], before = track.at > 0 ? track.markings[track.at - 1] : null;
    const fired = new Set(track.at > 0 ? track.steps[track.at - 1] : none), next = new Set(can ? can.flat() : none);
    for (const [node, ...places] of this.data.places || none) if (places.some(p => has(m, p))) this.light(this.node(node), "on");
    for (const [node, ...ts] of this.data.boxes || none) {
      if (ts.some(t => fired.has(t))) this.light(this.node(node), "fired");
      if (ts.some(t => next.has(t))) this.light(this.node(node), "can");
    }
    for (const e of this.data.edges || none) {
      const along = (from, to) => e.f < 0 || has(from, e.f) && (!to || has(to, e.o));
      if (before && e.t.some(t => fired.has(t)) && along(before, m)) this.light(this.edge(e.e), "fired");
      if (e.f >= 0 && e.t.some(t => next.has(t)) && along(m, null)) this.light(this.edge(e.e), "can");
    }
    this.reveal(".fired");
  }

  showState(track) {
    const seen = this.data.seen; // places from there on tell no states of the picture apart
    const at = i => this.states.get(keyOf(seen ? track.markings[i].filter(p => p < seen) : track.markings[i]));
    for (let i = 0; i <= track.at; i++) {
      if (at(i) !== undefined) this.light(this.node(at(i)), i === track.at ? "on" : "been");
      const arc = i > 0 ? this.arcs.get(this.arc(at(i - 1), at(i), track.steps[i - 1])) : undefined;
      if (arc !== undefined) this.light(this.edge(arc), i === track.at ? "fired" : "been");
    }
    this.reveal(".on");
  }

  // Scrolls the picture, and nothing else, to what has just happened.
  reveal(what) {
    const c = this.canvas, e = c.querySelector(what);
    if (!e || c.scrollWidth <= c.clientWidth + 1 && c.scrollHeight <= c.clientHeight + 1) return;
    const inner = e.getBoundingClientRect(), outer = c.getBoundingClientRect();
    if (inner.left < outer.left || inner.right > outer.right) c.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
    if (inner.top < outer.top || inner.bottom > outer.bottom) c.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  }
}
