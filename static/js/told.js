// Tells a reveal to screen readers: its lines, beat by beat, without its buttons, in the one live region of the page.
const region = document.querySelector("#told");
const LINE = "h2, h3, h4, p, li";
const SILENT = '.acts, [aria-hidden="true"]';

export function begin() {
  region.replaceChildren();
}

// app/web/story.py finds the same lines.
export function tell(stage, beat) {
  for (const line of stage.querySelectorAll(`.telling :is(${LINE})`)) {
    const its = Number(line.closest("[data-beat]")?.dataset.beat ?? 0);
    if (its !== beat || line.closest(SILENT) || line.querySelector(LINE)) continue;
    const told = document.createElement("p");
    told.textContent = words(line);
    region.append(told);
  }
}

function words(line) {
  const copy = line.cloneNode(true);
  for (const silent of copy.querySelectorAll(SILENT)) silent.remove();
  for (const icon of copy.querySelectorAll("[role=img]")) icon.replaceWith(` ${icon.getAttribute("aria-label")} `);
  return copy.textContent.replace(/\s+/g, " ").trim();
}

// While a reveal is played the choice is hidden; the region, which stands before it, keeps the focus in its place.
export function holdFocus() {
  if (!document.activeElement?.checkVisibility?.() || document.activeElement === document.body) {
    region.focus({ preventScroll: true });
  }
}

export const hasFocus = () => document.activeElement === region;
