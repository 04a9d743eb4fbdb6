// Resets the lobby's settings to the server's values; browsers keep their own state of inputs. The choice how
// well a bot will play stays, since the server does not know it before the bot is added; so do members that are being picked.
function show() {
  for (const input of document.querySelectorAll("#f-lobby input[type=radio]")) {
    input.checked = input.hasAttribute("checked");
  }
  for (const select of document.querySelectorAll("#f-lobby select:not([name=bot])")) {
    const chosen = select.querySelector("[selected]");
    if (chosen && select !== document.activeElement) select.value = chosen.value;
  }
  for (const form of document.querySelectorAll("#f-lobby [data-pick]")) count(form);
}

// How many are picked of how many; other numbers cannot be sent.
function count(form) {
  const picked = form.querySelectorAll(":checked").length;
  form.querySelector("output").textContent = `${picked} / ${form.dataset.pick}`;
  form.querySelector("button").disabled = picked !== Number(form.dataset.pick);
}

document.addEventListener("htmx:after:swap", show);
document.addEventListener("change", (event) => {
  const form = event.target.closest("[data-pick]");
  if (form) count(form);
});
show();
