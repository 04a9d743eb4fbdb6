// What one's own torch shows is laid over the dark rooms of the board, which is everybody's and knows nothing of it.
function lay() {
  for (const old of document.querySelectorAll(".by-torch")) old.remove();
  for (const lit of document.querySelectorAll("[data-lit]")) {
    const room = document.querySelector(`.room[data-room="${lit.dataset.lit}"]`);
    if (!room?.querySelector(".unlit")) continue;
    const over = document.createElement("div");
    over.className = "by-torch";
    over.setAttribute("aria-hidden", "true"); // the hand's list says it already
    over.append(lit.querySelector("template").content.cloneNode(true));
    room.append(over);
  }
}

document.addEventListener("htmx:after:swap", lay);
lay();
