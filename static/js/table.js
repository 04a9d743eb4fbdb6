// A page of a table, put together from its parts.
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
import "./lobby.js";
import "./salt.js";
import "./wake.js";
import "./best.js";
