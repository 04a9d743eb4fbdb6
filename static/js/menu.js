// The menu closes on Escape and on a click outside. What is opened in it is scrolled into view.
const menu = document.querySelector(".menu");

function close() {
  menu.open = false;
}

if (menu) {
  document.addEventListener("click", (event) => menu.open && !menu.contains(event.target) && close());
  menu.addEventListener(
    "toggle",
    ({ target }) => target !== menu && target.open && target.scrollIntoView({ block: "nearest" }),
    true,
  );
  // Before other scripts: the same key must not skip a reveal, too.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !menu.open) return;
      event.stopPropagation();
      close();
      menu.querySelector("summary").focus();
    },
    true,
  );
}
