// "Back to your table" on the first page leads to the face of the table that this browser showed last.
import { local } from "./store.js";

const { token, me } = document.body.dataset;
const back = document.querySelector("[data-last-table]");

if (token && me) local.set("face", location.pathname);
if (back && local.get("face") === `${back.pathname}/hand`) back.pathname += "/hand";
