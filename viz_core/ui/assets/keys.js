// The keys of every page, and the way from slide to slide.
// Arrows and space step through a picture and, at its end, on to the next view of a talk. Page Up
// and Page Down go from slide to slide; without a talk they step too, for a presenter's remote.
// Escape leaves. In prediction mode the server holds every step back, and the first press, or a
// tap on the picture, asks for it.
const WRITING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="option"], '
  + '[role="combobox"]';
const TYPING = `${WRITING}, [role="slider"], [role="tab"], [role="radio"]`;  // arrows are theirs
const BOX = '[data-testid="stTextInput"] input, [data-testid="stTextArea"] textarea';
const EARLY = ["click", "scroll", "touchstart"];  // heard before those whom they are meant for
const LIST = "atlas-talk", PLACE = "atlas-place";  // in the browser's storage
const first = (name) => document.querySelector(`[class*="st-key-${name}"] button:not(:disabled)`);

function reach() {  // a formula or a chart that scrolls must be reached by keyboard
  const wide = ".katex-display, [data-testid=stVegaLiteChart], [data-testid=stPlotlyChart]";
  for (const each of document.querySelectorAll(`:is(${wide}):not([tabindex])`))
    if (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
      each.tabIndex = 0;
}

// A chart that is wider than a phone is scrolled: the names of its rows stay at the left edge.
function hold(chart) {
  chart.querySelector(".atlas-names")?.remove();
  const drawn = chart.querySelector("svg.marks"), box = chart.getBoundingClientRect();
  if (!drawn || !chart.scrollLeft) return;
  const out = new Map();  // by height: the last one that has left, if panels stand side by side
  for (const name of drawn.querySelectorAll('.role-axis-label text[text-anchor="end"]')) {
    const place = name.getBoundingClientRect();
    if (place.left < box.left && !/rotate/.test(name.getAttribute("transform")))
      out.set(Math.round(place.top - box.top + chart.scrollTop), name.textContent);
  }
  const held = Object.assign(document.createElement("div"), { className: "atlas-names", drawn });
  held.ariaHidden = "true";  // they are read where they stand
  held.style.left = `${chart.scrollLeft}px`;
  const paper = document.querySelector('[data-testid="stApp"]');
  held.style.background = getComputedStyle(paper).backgroundColor;
  for (const [top, name] of out) {
    const copy = held.appendChild(document.createElement("span"));
    copy.textContent = name;
    copy.style.top = `${top}px`;
  }
  chart.append(held);
}

function release() {  // another picture has other rows
  for (const held of document.querySelectorAll(".atlas-names"))
    if (held.parentElement.querySelector("svg.marks") !== held.drawn) held.remove();
}

// Every view is an address. Opened as if the visitor had come back to it, Streamlit takes all of
// it, without loading the app anew and whatever inputs the page before had. Its own way from page to
// page drops those of the same name, and leaves a stray entry in the history, so that Back misses.
function go(link) {
  history.pushState({}, "", new URL(link, document.baseURI));
  window.dispatchEvent(new PopStateEvent("popstate"));
}

function shut() {  // the menu that the link was in: it has not seen the click
  document.querySelector('header button[aria-expanded="true"]')?.click();
  if (window.innerWidth < 768)
    document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}

function inside(link) {  // to another page of this app, in this window
  if (!link || link.origin !== location.origin || link.hasAttribute("download")) return false;
  if (link.target && link.target !== "_self") return false;
  return link.matches('.atlas-go, [data-testid^="stPageLink"], [data-testid*="Nav"]');
}

// Storage may be switched off: then a list lasts as long as its visit.
const storage = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, word) { try { localStorage.setItem(name, word); } catch { /* full or forbidden */ } },
};

function follow(target, name, listen) {  // Streamlit calls us again and again: one, the newest
  const known = window.atlasListeners ??= {};
  const early = EARLY.includes(name);
  if (known[name]) target.removeEventListener(name, known[name], early);
  known[name] = listen;
  target.addEventListener(name, listen, early);
}

function watch(name, where, seen) {
  window[name]?.disconnect();
  window[name] = new MutationObserver(seen);
  const node = document.querySelector(where);
  if (node) window[name].observe(node, { childList: true, subtree: true });
  seen();
}

export default function ({ data, setTriggerValue }) {
  // Measured once for many changes: while a page is drawn, each look would lay it out anew.
  watch("atlasReach", '[data-testid="stMain"]', () => {
    release();
    window.atlasReaching ??= setTimeout(() => { window.atlasReaching = null; reach(); }, 150);
  });
  follow(window, "scroll", ({ target }) => {
    if (target.matches?.('[data-testid="stVegaLiteChart"]')) hold(target);
  });
  // Plotly takes every touch for a drag: a swipe then scrolls neither the tree nor the page. A tap
  // comes to it as a click all the same.
  follow(window, "touchstart", (event) => {
    if (event.target.closest?.('[data-testid="stPlotlyChart"]')) event.stopPropagation();
  });
  // Streamlit keeps the word embed from the server, so the browser alone knows of it.
  const embedded = new URLSearchParams(location.search).get("embed");
  document.documentElement.classList.toggle("atlas-embedded", embedded === "1");

  const links = data.present ? data.links : {};
  const reveal = () => {
    const button = data.concealed ? first("stage_reveal") : null;
    button?.click();
    return Boolean(button);
  };
  const step = (name, link) => {
    if (name === "step_on" && reveal()) return;
    const button = data.present && data.still ? null : first(name);
    if (button) button.click();
    else if (link) go(link);
  };
  const act = (key) => {
    const slides = "next" in links;
    if (key === "ArrowRight" || key === " " || (key === "PageDown" && !slides))
      step("step_on", links.on);
    else if (key === "ArrowLeft" || (key === "PageUp" && !slides)) step("step_back", links.back);
    else if (key === "PageDown") links.next && go(links.next);
    else if (key === "PageUp") links.previous && go(links.previous);
    else if (key === "Escape" && data.present) first("stage_leave")?.click();
    else if (key === "p" && !data.present) first("stage_present")?.click();
    else return false;
    return true;
  };

  follow(document, "keydown", (event) => {
    const box = event.target.closest?.(BOX);
    if (box && event.key === "Enter" && (box.tagName === "INPUT" || event.ctrlKey || event.metaKey))
      box.blur();  // what was typed is taken: the keyboard belongs to the page again
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = event.key !== "p" && event.key !== "Escape";
    if (event.target.closest?.(steps ? TYPING : WRITING)) return;
    if (event.key === " " && (!data.present || event.target.closest?.("button, a"))) return;
    if (act(event.key)) event.preventDefault();
  });
  follow(window, "click", (event) => {
    // What was chosen from a list is taken: the next key belongs to the page, not to the list.
    if (event.target.closest?.('[role="option"]')) setTimeout(() => document.activeElement.blur());
    const turn = event.target.closest?.("[data-turn]"), link = event.target.closest?.("a[href]");
    if (turn) act(turn.dataset.turn);
    else if (event.target.closest?.(".st-key-picture, .st-key-stage_question")) reveal();
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || !inside(link)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    shut();
    go(link.href);
  });

  // The list: what the browser has kept comes first, then what is pinned is kept.
  if (data.list === null) {
    const kept = storage.get(LIST);
    if (kept && !window.atlasAsked) { window.atlasAsked = true; setTriggerValue("list", kept); }
  } else storage.set(LIST, data.list);
  follow(window, "storage", (event) => {  // another tab
    if (event.key === LIST) setTriggerValue("list", event.newValue ?? "");
  });

  // The presenter window follows the stage, and its keys are ours.
  window.atlasChannel ??= new BroadcastChannel(PLACE);
  window.atlasChannel.onmessage = ({ data: said }) => { if (data.present) act(said.key); };
  if (data.present && data.slide) {
    const place = JSON.stringify({ talk: data.talk, slide: data.slide });
    storage.set(PLACE, place);
    window.atlasChannel.postMessage(place);
  }
}
