// Copies and shares links; plain http has no clipboard API, so copying falls back to a selection.
for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;

document.addEventListener("click", async (event) => {
  const share = event.target.closest("[data-share]");
  if (share) return void navigator.share({ url: share.dataset.share }).catch(() => {});
  const button = event.target.closest("[data-copy]");
  if (!button || !(await copy(button.dataset.copy))) return;
  const label = button.querySelector("span");
  const text = label.textContent;
  if (text === button.dataset.done) return;
  label.textContent = button.dataset.done;
  setTimeout(() => (label.textContent = text), 2000);
});

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  field.readOnly = true;
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus({ preventScroll: true });
  return done;
}
