import "./map.js";
