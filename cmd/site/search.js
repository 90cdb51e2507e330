"use strict";
(() => {
  const get = id => document.getElementById(id);
  const fold = text => text.normalize("NFKD").toLowerCase();
  const passages = JSON.parse(get("index").textContent).map(p => ({ ...p, inTitle: fold(p.title), inText: fold(p.text) }));
  const most = 30, around = 90;

  // rank counts a word in a title ten times; 0: a word is missing.
  function rank(p, words) {
    let points = 0;
    for (const w of words) {
      const found = (p.inTitle.includes(w) ? 10 : 0) + (p.inText.includes(w) ? 1 : 0);
      if (found === 0) return 0;
      points += found;
    }
    return points;
  }

  function excerpt(p, words) {
    const at = Math.max(0, Math.min(...words.map(w => p.inText.indexOf(w)).filter(i => i >= 0), p.text.length));
    const from = at === p.text.length ? 0 : Math.max(0, at - around);
    return (from > 0 ? "… " : "") + p.text.slice(from, from + 2 * around) + (from + 2 * around < p.text.length ? " …" : "");
  }

  function show() {
    const words = fold(get("query").value).split(/\s+/).filter(Boolean);
    const hits = words.length === 0 ? [] : passages.map(p => ({ p, points: rank(p, words) })).filter(h => h.points > 0);
    hits.sort((a, b) => b.points - a.points); // stable: of equal ones, the order of the pages
    get("hits").replaceChildren(...hits.slice(0, most).map(({ p }) => {
      const entry = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
      link.href = p.url;
      link.textContent = p.title;
      text.textContent = excerpt(p, words);
      entry.append(link, text);
      return entry;
    }));
    get("count").textContent = words.length === 0 ? "" : hits.length === 0 ? "Nothing has all of these words." :
      hits.length > most ? `${hits.length} places; the first ${most}:` : hits.length === 1 ? "One place:" : `${hits.length} places:`;
  }

  const asked = () => { get("query").value = decodeURIComponent(location.hash.slice(1)); show(); };
  get("query").addEventListener("input", () => { history.replaceState(null, "", "#" + encodeURIComponent(get("query").value)); show(); });
  addEventListener("hashchange", asked);
  asked();
  get("query").focus();
})();
