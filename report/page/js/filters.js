// Filters hide rows by their class and by words that they lack.
function filters(form) {
  const rows = [...document.querySelectorAll("table.verdicts tbody tr")];
  const texts = rows.map(r => r.textContent.toLowerCase());
  const apply = () => {
    const classes = new Set([...form.querySelectorAll("[name=class]:checked")].map(c => c.value));
    const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((r, i) => {
      r.hidden = !classes.has(r.dataset.class) || !words.every(w => texts[i].includes(w));
      if (!r.hidden) shown++;
    });
    form.querySelector(".shown").textContent = shown === rows.length ? "" : shown + " of " + rows.length + " shown";
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", e => e.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
}
