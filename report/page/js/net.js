// Firing, word for word from the definitions in engine/petri. A marking is a sorted list of marked places.

const none = [];

function has(m, place) {
  let from = 0, to = m.length;
  while (from < to) {
    const mid = (from + to) >> 1;
    if (m[mid] < place) from = mid + 1; else to = mid;
  }
  return from < m.length && m[from] === place;
}

function all(places, m) { return places.every(p => has(m, p)); }

// A transition is fireable when every input and read place is marked, and something moves where it must.
function fireable(net, m, t) {
  const of = net.transitions[t];
  return all(of.in || none, m) && all(of.read || none, m) && (!of.moving || moved(net, m, t).length > 0);
}

// The moves of t that apply in m: of those with one From the first, unless by it the token stays.
function moved(net, m, t) {
  const list = [];
  for (const v of net.transitions[t].moves || none) {
    const last = list[list.length - 1];
    if ((!last || last.from !== v.from) && has(m, v.from) && all(v.if || none, m)) list.push(v);
  }
  return list.filter(v => v.from !== v.to);
}

// Fires transitions together: after is the marking, or contact the place that would hold two tokens.
function fire(net, m, ts) {
  const produced = [], consumed = [];
  for (const t of ts) {
    const of = net.transitions[t];
    const unmarked = (of.in || none).slice(), marked = (of.out || none).slice();
    for (const v of moved(net, m, t)) { unmarked.push(v.from); marked.push(v.to); }
    for (const p of marked.sort((a, b) => a - b)) {
      if (has(m, p) && !unmarked.includes(p) || produced.includes(p)) return { after: null, contact: p };
      produced.push(p);
    }
    consumed.push(...unmarked);
  }
  const after = new Set(m.filter(p => !consumed.includes(p)).concat(produced));
  for (const t of ts) for (const p of net.transitions[t].marks || none) after.add(p);
  return { after: [...after].sort((a, b) => a - b), contact: -1 };
}

function uses(net, t) {
  const of = net.transitions[t];
  const places = new Set((of.in || none).concat(of.read || none));
  for (const v of of.moves || none) { places.add(v.from); places.add(v.to); for (const p of v.if || none) places.add(p); }
  return places;
}

function compete(net, t, u) {
  const of = uses(net, u);
  for (const p of uses(net, t)) if (of.has(p)) return true;
  return false;
}

// How many steps are offered at most: where all that can fires together, there may be very many.
const mostSteps = 200;

// The steps that can be taken in m: each fireable transition, or under "all" each maximal set of which no two compete.
// The list has more set where some are left out.
function steps(net, m) {
  const can = [];
  for (let t = 0; t < net.transitions.length; t++) if (fireable(net, m, t)) can.push(t);
  if (net.rule !== "all") return can.map(t => [t]);
  const rivals = new Map(can.map(t => [t, new Set(can.filter(u => u !== t && compete(net, t, u)))]));
  const list = [];
  const extend = (ts, from) => {
    if (list.length >= mostSteps) { list.more = true; return; }
    for (let i = from; i < can.length; i++) {
      if (ts.every(t => !rivals.get(t).has(can[i]))) extend(ts.concat(can[i]), i + 1);
    }
    if (ts.length && can.every(u => ts.includes(u) || ts.some(t => rivals.get(t).has(u)))) list.push(ts);
  };
  extend([], 0);
  return list.sort((a, b) => { for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i]; return a.length - b.length; });
}

function keyOf(m) { return m.join(","); }
