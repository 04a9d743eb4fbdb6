// Entry point for the pages of a table.
import "./light.js";
import "./share.js";
import "./connection.js";
import "./pictures.js";
import "./player.js";
import "./hand.js";
import "./hiding.js";
import "./clock.js";
import "./title.js";
import "./phase.js";
import "./torch.js";
import "./card_sheet.js";
import "./lobby.js";
import "./salt.js";
import "./wake.js";
import "./best.js";
import "./menu.js";
