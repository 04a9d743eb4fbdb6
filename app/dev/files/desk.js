// Fits the faces into the window: the hand at most at its own size beside play and screen, which share the height.
const GAP = 12;
const LABEL = 20;
const HEADER = 36;
const SHARE = 0.58; // of play in the height

const figures = Object.fromEntries(
  [...document.querySelectorAll("figure")].map((figure) => [figure.className, figure]),
);

function scaleOf(figure, width, height) {
  return Math.min(1, width / figure.dataset.width, height / figure.dataset.height);
}

function resize(figure, scale) {
  const { width, height } = figure.dataset;
  const box = figure.querySelector("div");
  box.style.width = `${width * scale}px`;
  box.style.height = `${height * scale}px`;
  figure.querySelector("iframe").style.transform = `scale(${scale})`;
}

function fit() {
  const { play, screen, hand } = figures;
  const height = Math.max(400, innerHeight - HEADER - LABEL - GAP);
  const handScale = scaleOf(hand, innerWidth / 3, height);
  const left = innerWidth - hand.dataset.width * handScale - 3 * GAP;
  const shared = height - LABEL - GAP;
  resize(hand, handScale);
  resize(play, scaleOf(play, left, shared * SHARE));
  resize(screen, scaleOf(screen, left, shared * (1 - SHARE)));
}

addEventListener("resize", fit);
fit();

document.querySelector("select").addEventListener("change", (event) => event.target.form.submit());
