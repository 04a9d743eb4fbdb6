// Expands icons, which the socket sends as <ic coin> or <ic coin "coins">; Templates.page does the same for whole pages.
const SHORT = /<ic ([^ ">]+)(?: "([^"]*)")?>/g;
const sprite = document.querySelector("svg.ic > use").getAttribute("href").split("#")[0];

document.addEventListener("htmx:ws:before:message:incoming", ({ detail: { message } }) => {
  message.data = message.data.replace(SHORT, (_, id, label) => {
    const read = label ? `role="img" aria-label="${label}"` : 'aria-hidden="true"';
    return `<svg class="ic" ${read}><use href="${sprite}#${id}"/></svg>`;
  });
});
