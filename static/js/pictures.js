// Expands icons, which the socket sends as <ic coin> or <ic coin "coins">; app/web/icons.py does the same for whole pages.
import { FRAME } from "../built/frame.js";

const SHORT = /<ic ([^ ">]+)(?: "([^"]*)")?>/g;
const frame = document.querySelector("svg.ic > use").getAttribute("href").split("#")[0];
const { icons: own = frame } = document.body.dataset; // the game's sprite

document.addEventListener("htmx:ws:before:message:incoming", ({ detail: { message } }) => {
  message.data = message.data.replace(SHORT, (_, id, label) => {
    const read = label ? `role="img" aria-label="${label}"` : 'aria-hidden="true"';
    return `<svg class="ic" ${read}><use href="${FRAME.has(id) ? frame : own}#${id}"/></svg>`;
  });
});
