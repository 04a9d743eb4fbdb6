// The time left for this choice, counted from the arrival of the message; the device's time of day does not matter.
let end = null;

// Read when the fragment arrives: it may be shown later.
document.addEventListener("htmx:before:swap", (event) => {
  for (const task of event.detail.tasks) {
    const clock = task.fragment?.querySelector?.(".clock");
    if (clock) set(clock.dataset.remaining);
  }
});

function set(remaining) {
  end = remaining === "" ? null : performance.now() + Number(remaining) * 1000;
}

function show() {
  const left = end === null ? null : Math.max(0, Math.ceil((end - performance.now()) / 1000));
  for (const clock of document.querySelectorAll(".clock")) {
    const text = left === null ? "" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("late", left !== null && left <= 10);
  }
}

const first = document.querySelector(".clock");
if (first) set(first.dataset.remaining);
show();
setInterval(show, 250);
document.addEventListener("htmx:after:swap", show);
