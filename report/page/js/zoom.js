// Pictures fit the page at first, unless nobody could read them then. Larger and smaller change their width, by a quarter each; Fit has
// them fit.
const smallest = 0.7;

function sizes(details) {
  const canvases = [...details.querySelectorAll(".canvas")];
  const scale = by => {
    for (const c of canvases) {
      const svg = c.querySelector("svg"), box = svg.viewBox.baseVal, now = svg.getBoundingClientRect().width || box.width;
      const width = by ? Math.round(Math.min(Math.max(now * by, 120), box.width * 6)) : box.width;
      c.classList.toggle("sized", by !== 0);
      svg.setAttribute("width", width);
      svg.setAttribute("height", Math.round(width * box.height / box.width));
    }
  };
  const start = () => {
    const canvas = canvases[0];
    if (!canvas || !canvas.clientWidth) return;
    const fit = Math.min(...canvases.map(c => c.clientWidth / c.querySelector("svg").viewBox.baseVal.width));
    if (fit < smallest) scale(smallest / Math.min(1, fit));
  };
  if (details.open) start(); else details.addEventListener("toggle", start, { once: true });
  for (const [name, by] of [["larger", 1.25], ["smaller", 0.8], ["whole", 0]]) {
    const button = details.querySelector(".zoom ." + name);
    if (button) button.addEventListener("click", () => scale(by));
  }
}
