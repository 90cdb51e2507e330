// Pictures are whole at first: they fit the page, and in height the window, unless that takes them below half their size. Larger and smaller change their
// size by a quarter each; Fit has them fit again.
function sizes(details) {
  const pictures = [...details.querySelectorAll(".canvas")].map(canvas => ({ canvas, svg: canvas.querySelector("svg") }));
  if (!pictures.length) return;
  const wide = p => p.svg.viewBox.baseVal.width, tall = p => p.svg.viewBox.baseVal.height;
  const now = () => Math.min(...pictures.map(p => { const r = p.svg.getBoundingClientRect(); return Math.min(r.width / wide(p), r.height / tall(p)); }));
  for (const p of pictures) p.svg.style.setProperty("--tall", tall(p));
  const scale = to => { // 0: as it fits
    for (const p of pictures) {
      p.canvas.classList.toggle("sized", to !== 0);
      p.svg.setAttribute("width", Math.round(wide(p) * (to || 1)));
      p.svg.setAttribute("height", Math.round(tall(p) * (to || 1)));
    }
  };
  const within = f => Math.min(Math.max(f, 0.1), 6);
  for (const [name, to] of [["larger", () => within(now() * 1.25)], ["smaller", () => within(now() * 0.8)], ["whole", () => 0]]) {
    details.querySelector(".zoom ." + name).addEventListener("click", () => scale(to()));
  }
}
