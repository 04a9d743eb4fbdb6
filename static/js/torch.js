// Shows rooms lit by the player's own torch over the dark rooms of the board, which is the same for everybody.
function lay() {
  const wanted = new Map();
  for (const lit of document.querySelectorAll("[data-lit]")) {
    const room = document.querySelector(`.room[data-room="${lit.dataset.lit}"]`);
    if (!room?.querySelector(".unlit")) continue;
    const over = document.createElement("div");
    over.className = "by-torch";
    over.append(lit.querySelector("template").content.cloneNode(true));
    wanted.set(room, over);
  }
  for (const old of document.querySelectorAll(".by-torch")) {
    if (old.isEqualNode(wanted.get(old.parentElement)))
      wanted.delete(old.parentElement); // it may have the focus
    else old.remove();
  }
  for (const [room, over] of wanted) room.append(over);
}

document.addEventListener("htmx:after:swap", lay);
lay();
