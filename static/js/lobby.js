// Resets the lobby's settings to the server's values; browsers keep their own state of inputs. How well a bot is to play
// is not known to the server before the bot is there, so that choice stays.
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
