// Shows rooms lit by the player's own torch over the dark rooms of the board, which is the same for everybody.
function lay() {
  for (const old of document.querySelectorAll(".by-torch")) old.remove();
  for (const lit of document.querySelectorAll("[data-lit]")) {
    const room = document.querySelector(`.room[data-room="${lit.dataset.lit}"]`);
    if (!room?.querySelector(".unlit")) continue;
    const over = document.createElement("div");
    over.className = "by-torch";
    over.setAttribute("aria-hidden", "true"); // the hand's list has it as text
    over.append(lit.querySelector("template").content.cloneNode(true));
    room.append(over);
  }
}

document.addEventListener("htmx:after:swap", lay);
lay();
