// Resets the lobby's inputs to the server's values; browsers keep their own state of inputs.
function show() {
  for (const input of document.querySelectorAll("#f-lobby input[type=radio]")) {
    input.checked = input.hasAttribute("checked");
  }
  for (const select of document.querySelectorAll("#f-lobby select")) {
    const chosen = select.querySelector("[selected]");
    if (chosen && select !== document.activeElement) select.value = chosen.value;
  }
}

document.addEventListener("htmx:after:swap", show);
show();
