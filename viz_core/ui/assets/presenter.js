// The lecturer's own screen: it follows the stage in the other window and hands its keys on.
const PLACE = "atlas-place";
const KEYS = ["ArrowRight", "ArrowLeft", " ", "PageDown", "PageUp"];

export default function ({ parentElement, data }) {
  const part = (name) => parentElement.querySelector(`.${name}`);
  const show = (at) => {
    const now = data.views[at - 1], next = data.views[at];
    if (!now) return;
    part("number").textContent = `${at} / ${data.views.length}`;
    part("title").textContent = now.title;
    part("note").textContent = now.note || "No note for this view.";
    part("next").textContent = next ? `Next: ${next.title}` : "This is the last view.";
  };
  const hear = (said) => {
    let place = null;
    try { place = JSON.parse(said); } catch { return; }
    if (place?.talk === data.talk) show(place.slide);
  };
  show(1);
  let kept = null;
  try { kept = localStorage.getItem(PLACE); } catch { /* forbidden: it follows from the next key */ }
  hear(kept);
  window.atlasPresenter?.close();
  window.atlasPresenter = new BroadcastChannel(PLACE);
  window.atlasPresenter.onmessage = ({ data: said }) => hear(said);

  const began = window.atlasBegan ??= Date.now();
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    const now = new Date(), gone = Math.floor((Date.now() - began) / 1000);
    part("clock").textContent = `${two(now.getHours())}:${two(now.getMinutes())}`;
    part("gone").textContent = `${Math.floor(gone / 60)}:${two(gone % 60)} since this window opened`;
  };
  tick();
  clearInterval(window.atlasClock);
  window.atlasClock = setInterval(tick, 1000);
  const press = (event) => {
    if (!KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    window.atlasPresenter.postMessage({ key: event.key });
  };
  window.removeEventListener("keydown", window.atlasHand, true);
  window.atlasHand = press;
  window.addEventListener("keydown", press, true);
}
