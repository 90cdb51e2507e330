// Where all stand in a marking, in the words of package report: [[party, [places]]].
function standing(net, m) {
  const list = net.parties.map(p => ({ called: p.called, quiet: p.quiet, loud: false, words: [] }));
  for (const p of m) {
    const place = net.places[p];
    if (place.party < 0 || place.quiet) continue;
    const party = list[place.party];
    party.loud = true;
    if (place.state) party.words.unshift(place.word); else party.words.push(place.word);
  }
  return list.filter(p => !p.quiet || p.loud).map(p => [p.called, p.words]);
}

// What a step does to where all stand: a line for each party that moves.
function doings(net, before, after) {
  const was = new Map(standing(net, before)), lines = [];
  for (const [party, words] of standing(net, after)) {
    const old = was.get(party) || [];
    const gone = old.filter(w => !words.includes(w)), come = words.filter(w => !old.includes(w));
    if (gone.length && come.length) lines.push(party + ": " + gone.join(", ") + " → " + come.join(", "));
    else if (come.length) lines.push(party + ": now " + come.join(", "));
    else if (gone.length) lines.push(party + ": no longer " + gone.join(", "));
    was.delete(party);
  }
  for (const [party, words] of was) if (words.length) lines.push(party + ": no longer " + words.join(", "));
  return lines;
}

function whatOf(net, ts) { return ts.map(t => net.transitions[t].what).join(" — and, at the same time — "); }
function whoOf(net, ts) { return [...new Set(ts.flatMap(t => net.transitions[t].who ? net.transitions[t].who.split(", ") : []))].join(", "); }

// A control that does nothing just now keeps the focus, and says so.
function off(button, is) { if (is) button.setAttribute("aria-disabled", "true"); else button.removeAttribute("aria-disabled"); }

// An element with text and children; a stranger's text is only ever text.
function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes || {})) if (k === "class") e.className = v; else e.setAttribute(k, v);
  e.append(...children);
  return e;
}
