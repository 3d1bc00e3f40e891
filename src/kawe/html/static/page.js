/* Filters rows and their places on the map, and lets people look closer. Without it the
   page has everything as well. It asks nobody, and writes texts as texts alone. */
"use strict";
(() => {
  const all = (css, root = document) => [...root.querySelectorAll(css)];
  const one = (css) => document.querySelector(css);
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const rows = all(".rows tbody tr[data-outcome]");
  const places = all(".place");
  const search = one("#search");
  const tools = one(".tools");
  const found = one(".found");
  const isShown = (place) => !place.classList.contains("away");
  // One stop for the Tab key; arrow keys go from place to place.
  const keepOneTabStop = () => {
    const stop = places.find((each) => each.tabIndex === 0 && isShown(each)) ?? places.find(isShown);
    places.forEach((each) => each.setAttribute("tabindex", each === stop ? "0" : "-1"));
  };

  if (tools && search) {
    const chosen = new Set();
    let texts;
    const placeOf = new Map(places.map((each) => [each.getAttribute("href").slice(1), each]));
    const show = () => {
      texts ??= rows.map((row) => fold(row.textContent));
      const words = fold(search.value).split(/\s+/).filter(Boolean);
      let count = 0;
      rows.forEach((row, at) => {
        const hides = (chosen.size > 0 && !chosen.has(row.dataset.outcome))
          || words.some((word) => !texts[at].includes(word));
        if (row.hidden !== hides) row.hidden = hides;
        count += !hides;
        const place = placeOf.get(row.id);
        if (place) place.classList.toggle("away", hides);
      });
      keepOneTabStop();
      found.textContent = `${count.toLocaleString("en-NZ")} of ${rows.length.toLocaleString("en-NZ")} rows shown`;
      tools.classList.toggle("dims", chosen.size > 0);
    };
    all(".chips .chip[data-outcome]", tools).forEach((chip) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = chip.className;
      button.append(...chip.childNodes);
      button.setAttribute("aria-pressed", "false");
      button.addEventListener("click", () => {
        const outcome = chip.dataset.outcome;
        if (!chosen.delete(outcome)) chosen.add(outcome);
        button.setAttribute("aria-pressed", String(chosen.has(outcome)));
        show();
      });
      chip.replaceWith(button);
    });
    search.addEventListener("input", show);
    search.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { search.value = ""; show(); }
    });
    all(".scripted").forEach((each) => { each.hidden = false; });
    show();
  }

  const svg = one(".map > svg");
  if (!svg) return;
  const frame = one(".map");
  const tip = one(".tip");
  const whole = svg.viewBox.baseVal;
  const [left, top, wide, high] = [whole.x, whole.y, whole.width, whole.height];
  const view = { x: left, y: top, zoom: 1 };
  const most = 16;
  const scale = () => svg.style.setProperty("--zoom", String(1 / view.zoom));
  const draw = () => {
    const [w, h] = [wide / view.zoom, high / view.zoom];
    view.x = Math.min(Math.max(view.x, left), left + wide - w);
    view.y = Math.min(Math.max(view.y, top), top + high - h);
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
    scale();
    tip.hidden = true;
  };
  const zoomTo = (zoom, x, y) => {
    const next = Math.min(Math.max(zoom, 1), most);
    view.x = x - (x - view.x) * view.zoom / next;
    view.y = y - (y - view.y) * view.zoom / next;
    view.zoom = next;
    draw();
  };
  const middle = () => {
    const near = document.activeElement?.closest?.(".place");
    if (near) return [Number(near.dataset.x), Number(near.dataset.y)];
    return [view.x + wide / view.zoom / 2, view.y + high / view.zoom / 2];
  };
  const steps = {
    in: () => zoomTo(view.zoom * 2, ...middle()),
    out: () => zoomTo(view.zoom / 2, ...middle()),
    whole: () => { view.zoom = 1; draw(); },
  };
  all(".zoom button").forEach((button) => button.addEventListener("click", steps[button.dataset.zoom]));

  let held;
  svg.addEventListener("pointerdown", (event) => { if (view.zoom > 1) held = [event.clientX, event.clientY]; });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const units = wide / view.zoom / svg.clientWidth;
    view.x -= (event.clientX - held[0]) * units;
    view.y -= (event.clientY - held[1]) * units;
    held = [event.clientX, event.clientY];
    draw();
  });
  ["pointerup", "pointerleave"].forEach((name) => svg.addEventListener(name, () => { held = undefined; }));

  const tell = (place) => {
    const box = frame.getBoundingClientRect();
    const at = place.getBoundingClientRect();
    tip.textContent = place.getAttribute("aria-label");
    tip.hidden = false;
    const x = Math.min(at.right - box.left + 6, box.width - tip.offsetWidth - 6);
    const y = Math.min(at.bottom - box.top + 6, box.height - tip.offsetHeight - 6);
    tip.style.left = `${Math.max(x, 6)}px`;
    tip.style.top = `${Math.max(y, 6)}px`;
  };
  places.forEach((place) => place.querySelector("title")?.remove());
  const placeAt = (event) => event.target.closest?.(".place");
  svg.addEventListener("pointerover", (event) => { const place = placeAt(event); if (place && !held) tell(place); });
  svg.addEventListener("pointerout", () => { tip.hidden = true; });
  svg.addEventListener("focusin", (event) => { const place = placeAt(event); if (place) tell(place); });
  svg.addEventListener("focusout", () => { tip.hidden = true; });
  frame.addEventListener("keydown", (event) => {
    const act = { "+": "in", "=": "in", "-": "out", 0: "whole" }[event.key];
    const place = placeAt(event);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") tip.hidden = true;
    if (act) { event.preventDefault(); steps[act](); if (place) tell(place); }
    if (!step || !place) return;
    event.preventDefault();
    const shown = places.filter(isShown);
    const next = shown[(shown.indexOf(place) + step + shown.length) % shown.length] ?? place;
    place.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    const [x, y] = [Number(next.dataset.x), Number(next.dataset.y)];
    view.x = x - wide / view.zoom / 2;
    view.y = y - high / view.zoom / 2;
    draw();
    next.focus({ preventScroll: true });
    tell(next);
  });
})();
