// The card sheet shows large what is small on the table. A click or tap opens it with the focus in it; a mouse or the
// keyboard's focus that rests on the element shows the sheet beside it. Escape and a click outside close it, like any
// popover.
const REST = 250; // a mouse that only passes opens nothing
const GAP = 12;

const sheet = document.querySelector("#card-sheet");
const of = (event) => event.target.closest?.(".readable");
let shown = null; // the button whose content is shown
let returning = null; // the button to which the focus goes back when the sheet closes
let resting = 0; // timer

function show(button, beside) {
  clearTimeout(resting);
  if (document.body.classList.contains("playing")) return;
  const card = button.parentElement.querySelector(":scope > .card");
  const words = button.nextElementSibling.content.cloneNode(true);
  sheet.querySelector(".content").replaceChildren(...(card ? [card.cloneNode(true), words] : [words]));
  sheet.setAttribute("aria-label", button.getAttribute("aria-label"));
  sheet.classList.toggle("beside", beside);
  if (!sheet.matches(":popover-open")) sheet.showPopover();
  shown = button;
  sheet.style.translate = "";
  if (beside) place(button.getBoundingClientRect(), sheet.getBoundingClientRect());
  else sheet.querySelector("[popovertarget]").focus({ preventScroll: true });
}

// Right of the element if there is room, else left of it; never outside the window.
function place(box, { width, height }) {
  const right = box.right + GAP;
  const left = right + width + GAP <= innerWidth ? right : Math.max(GAP, box.left - GAP - width);
  const top = Math.max(GAP, Math.min(box.top, innerHeight - GAP - height));
  sheet.style.translate = `${left}px ${top}px`;
}

function hide() {
  clearTimeout(resting);
  if (sheet.matches(":popover-open")) sheet.hidePopover();
}

const isBeside = () => sheet.classList.contains("beside");

if (sheet?.showPopover) {
  sheet.addEventListener("beforetoggle", ({ newState }) => {
    if (newState !== "closed") return;
    returning = sheet.contains(document.activeElement) ? shown : null;
    shown = null;
  });
  // The sheet's button is the last one of the page: Tab leads from it back to where the focus came from.
  sheet.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey || !event.target.matches("[popovertarget]")) return;
    event.preventDefault();
    hide();
  });
  document.addEventListener("click", (event) => of(event) && show(of(event), false));
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || (shown && !isBeside())) return;
    const button = of(event);
    if (button && button !== shown) {
      clearTimeout(resting);
      resting = setTimeout(show, REST, button, true);
    } else if (!button && !sheet.contains(event.target)) hide();
  });
  document.addEventListener("focusin", (event) => {
    const button = of(event);
    const back = button !== null && button === returning; // must not open the sheet again
    returning = null;
    if (back) return;
    if (button?.matches(":focus-visible")) show(button, true);
    else if (!sheet.contains(event.target)) hide();
  });
  document.addEventListener("htmx:after:swap", () => {
    if (shown && (!shown.isConnected || document.body.classList.contains("playing"))) hide();
  });
}
