// A field of 28 x 28 pixels to draw on with mouse, pen or finger. What is drawn goes to the server
// as text when the pen is lifted: a bit a pixel, row by row, as base64 for addresses.
const SIDE = 28, ZOOM = 8, REACH = 0.85;  // pixels of a stroke to either side

function written(ink) {
  let bytes = "";
  for (let at = 0; at < ink.length; at += 8)
    bytes += String.fromCharCode(ink.slice(at, at + 8).reduce((sum, bit) => 2 * sum + bit, 0));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_");
}

function read(text) {
  const ink = new Array(SIDE * SIDE).fill(0);
  let bytes = "";
  try { bytes = atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/")); } catch { return ink; }
  if (bytes.length !== ink.length / 8) return ink;
  return ink.map((_, at) => (bytes.charCodeAt(at >> 3) >> (7 - at % 8)) & 1);
}

export default function ({ parentElement, data, setStateValue }) {
  const field = parentElement.querySelector("canvas");
  const state = field.atlas ??= { ink: read(data.ink), sent: data.ink ?? "", from: null };
  if ((data.ink ?? "") !== state.sent && !state.from) {  // an example or a link has set it anew
    state.ink = read(data.ink);
    state.sent = data.ink ?? "";
  }
  const pen = field.getContext("2d");

  function paint() {
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, SIDE * ZOOM, SIDE * ZOOM);
    pen.fillStyle = "#181c28";
    state.ink.forEach((bit, at) => {
      if (bit) pen.fillRect((at % SIDE) * ZOOM, Math.floor(at / SIDE) * ZOOM, ZOOM, ZOOM);
    });
  }
  function send() {
    state.sent = state.ink.some(Boolean) ? written(state.ink) : "";
    setStateValue("ink", state.sent);
  }
  function place(event) {  // in pixels of the drawing
    const box = field.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top].map((way, axis) =>
      way / (axis ? box.height : box.width) * SIDE - 0.5);
  }
  function stroke([x0, y0], [x1, y1]) {  // all pixels near the line between two places
    const length = (x1 - x0) ** 2 + (y1 - y0) ** 2;
    for (let at = 0; at < state.ink.length; at++) {
      const x = at % SIDE, y = Math.floor(at / SIDE);
      const along = length ? ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length : 0;
      const t = Math.min(Math.max(along, 0), 1);
      if (Math.hypot(x - x0 - t * (x1 - x0), y - y0 - t * (y1 - y0)) < REACH) state.ink[at] = 1;
    }
    paint();
  }
  field.onpointerdown = (event) => {
    event.preventDefault();
    field.setPointerCapture(event.pointerId);
    state.from = place(event);
    stroke(state.from, state.from);
  };
  field.onpointermove = (event) => {
    if (!state.from) return;
    const moves = event.getCoalescedEvents?.() ?? [];
    for (const each of moves.length ? moves : [event]) {
      const to = place(each);
      stroke(state.from, to);
      state.from = to;
    }
  };
  field.onpointerup = field.onpointercancel = () => {
    if (state.from) { state.from = null; send(); }
  };
  parentElement.querySelector("button").onclick = () => {
    state.ink.fill(0);
    paint();
    send();
  };
  paint();
}
