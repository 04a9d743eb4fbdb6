// The final scoring: the viewer's own column comes first, the sums grow as the lines appear, and only then is the winner
// named. The text always holds the final sum; the current one is in an attribute, which the style shows instead while it
// is set.
const LINE = 200; // milliseconds, as in style.css
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const number = (cell) => Number.parseInt(cell.textContent.replace("−", "-"), 10);
const text = (sum) => String(sum).replace("-", "−");
const shown = new Map(); // cell -> current sum, while it is not final

function show() {
  for (const [cell, sum] of shown) cell.dataset.sum = sum;
  header()?.classList.toggle("counting", shown.size > 0);
}

// The table is the same for everybody, in the order of the standings.
function ownFirst() {
  const me = document.body.dataset.me;
  for (const table of document.querySelectorAll("#scoring .twelve")) {
    const heads = [...table.tHead.rows[0].cells];
    const mine = heads.findIndex((head) => head.dataset.seat === me);
    if (mine > 1) for (const row of table.rows) row.cells[1].before(row.cells[mine]);
  }
}

const sums = (table) => [...table.querySelector(".sums tr").cells].slice(1);
const header = () => document.querySelector(":is(#scoring, .over) header");

function count(table) {
  const lines = [...table.querySelectorAll(".lines tr")].map((row) => [...row.cells].slice(1).map(number));
  const cells = sums(table);
  const current = cells.map(() => 0);
  const land = (at) => {
    if (!table.checkVisibility()) return wait(table); // a reveal hides it
    lines[at].forEach((n, i) => {
      current[i] += n;
    });
    const over = calm.matches || at + 1 === lines.length;
    cells.forEach((cell, i) => {
      if (over) {
        shown.delete(cell);
        delete cell.dataset.sum;
      } else shown.set(cell, text(current[i]));
    });
    show();
    if (!over) setTimeout(land, LINE, at + 1);
  };
  land(0);
}

function wait(table) {
  for (const cell of sums(table)) shown.set(cell, "0");
  show();
  seen.observe(table);
}

// Starts when the table becomes visible: a reveal may hide it, or it may be below the fold.
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    count(target);
  }
});

// The first table only, when it comes; later ones are a campaign's chapters. A screen gets it without a new page.
let counted = null;
function begin() {
  const table = document.querySelector(":is(#scoring, .over) .twelve");
  if (table && table !== counted && !calm.matches) wait(table);
  counted = table;
}

ownFirst();
begin();
document.addEventListener("htmx:after:swap", () => {
  ownFirst();
  begin();
  show(); // a swap removes the attribute
});
