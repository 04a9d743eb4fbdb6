// Copies to the page whom the table waits for, so that css can show it in every place without :has().
function show() {
  document.body.dataset.waits = document.querySelector("#f-waits")?.dataset.waits ?? "";
}

document.addEventListener("htmx:after:swap", show);
show();
