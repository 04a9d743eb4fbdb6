import "./rooms.js";
import "./sums.js";
