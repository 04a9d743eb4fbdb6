// Resets the lobby's settings to the server's values; browsers keep their own state of inputs. The choice how
// well a bot will play stays, since the server does not know it before the bot is added.
function show() {
  for (const input of document.querySelectorAll("#f-lobby input[type=radio]")) {
    input.checked = input.hasAttribute("checked");
  }
  for (const select of document.querySelectorAll("#f-lobby select:not([name=bot])")) {
    const chosen = select.querySelector("[selected]");
    if (chosen && select !== document.activeElement) select.value = chosen.value;
  }
}

document.addEventListener("htmx:after:swap", show);
show();
