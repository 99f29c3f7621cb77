// SPDX-License-Identifier: GPL-2.0
// The control page: what is typed goes to the server, what the server sees is drawn.
"use strict";

const FIELDS = { rate: "Rate", delay: "Delay", loss: "Loss", limit: "Limit", aqm: "AQM", more: "Other keywords" };
const HINTS = { rate: "384kbit", delay: "25ms", loss: "1%", limit: "40 or 300ms", aqm: "codel", more: "tti 10ms" };
// Of samples, what the line that says why looks at.
const NOW = 5;
const AGAIN_MS = 2000;
const DRAW_MS = 400;

const by = (id) => document.getElementById(id);
// The token stands behind #, which no browser sends; a reload of the tab has it from the session.
const token = location.hash.slice(1) || sessionStorage.getItem("token") || "";
sessionStorage.setItem("token", token);
history.replaceState(null, "", location.pathname);

const charts = {};
const chosen = {};
let revision = "";
// Requests that wait or run, and the end of the last one.
let busy = 0;
let turn = Promise.resolve();
let stream = null;
let fields = {};
let own_keys = [];
// By direction, a chosen link that was gone at the last look.
const lost = {};
// Why nothing could be known of links at the last look; empty while something is.
let trouble = "";

function says(text, bad) {
  by("says").textContent = text;
  by("says").className = bad ? "bad" : "";
}

async function ask(path, body) {
  const options = { headers: { "X-Wlink-Token": token } };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    throw new Error(`The server does not answer: ${error.message}`);
  }
  if (response.ok) return response;
  let text = `${response.status}`;
  try {
    text = (await response.json()).error || text;
  } catch (error) {
    text += " without a reason";
  }
  throw new Error(text);
}

const read = async (path, body) => (await ask(path, body)).json();
const query = () => new URLSearchParams(chosen).toString();

// One request after the other; buttons are off until the last has its answer.
function act(what) {
  busy++;
  allow();
  turn = turn.then(what).catch(async (error) => {
    says(error.message, true);
    await refresh(false).catch(() => undefined);
  }).then(() => {
    busy--;
    allow();
  });
}

function allow() {
  const none = busy > 0 || !Object.keys(chosen).length;
  for (const id of ["apply", "apply-preset", "play", "stop", "record", "revert"]) by(id).disabled = none;
  by("undo").disabled = none || !by("undo").dataset.text;
}

function input(way, name) {
  return by(`${way}-${name}`);
}

function buildWays() {
  for (const way of Object.keys(WAYS)) {
    const chart = new Chart(way);
    charts[way] = chart;
    const set = chart.panel.querySelector("fieldset");
    set.setAttribute("aria-label", `${WAYS[way]}: parameters`);
    for (const [name, title] of Object.entries(FIELDS)) {
      const box = element("div", undefined, name === "aqm" || name === "more" ? "wide" : "");
      const label = element("label", title);
      const field = element("input");
      field.id = label.htmlFor = `${way}-${name}`;
      field.placeholder = HINTS[name];
      field.autocomplete = "off";
      field.spellcheck = false;
      field.setAttribute("autocapitalize", "none");
      if (name === "aqm") field.setAttribute("list", "aqms");
      field.addEventListener("input", () => mark(way, name));
      box.append(label, field);
      set.append(box);
    }
  }
}

function known(way, name) {
  return name === "more" ? "" : (fields[way] || {})[name] || "";
}

function mark(way, name) {
  const field = input(way, name);
  field.classList.toggle("edited", field.value.trim() !== known(way, name));
}

function edited() {
  const found = {};
  for (const way of Object.keys(chosen))
    for (const name of Object.keys(FIELDS)) {
      const text = input(way, name).value.trim();
      if (text === known(way, name)) continue;
      if (!text) throw new Error(`${WAYS[way]}: ${FIELDS[name]} is empty`);
      (found[way] = found[way] || {})[name] = text;
    }
  return found;
}

// What somebody is typing stays, unless it has been applied.
function showState(state, all) {
  revision = state.revision;
  for (const way of Object.keys(WAYS)) {
    const panel = charts[way].panel;
    panel.hidden = !chosen[way];
    if (!chosen[way]) continue;
    const now = state.fields[way] || {};
    for (const name of Object.keys(FIELDS)) {
      const field = input(way, name);
      const untouched = field.value.trim() === known(way, name);
      if (all || untouched) field.value = name === "more" ? "" : now[name] || "";
      if (name === "loss") field.placeholder = now.loss ? HINTS.loss : `channel ${now.channel}`;
    }
    fields[way] = now;
    for (const name of Object.keys(FIELDS)) mark(way, name);
    panel.querySelector("code").textContent = state.lines[way];
  }
  by("undo").dataset.text = state.undo || "";
  by("undo").title = state.undo ? `Undo: ${state.undo}` : "Nothing to undo";
  allow();
}

async function refresh(all) {
  if (Object.keys(chosen).length) showState(await read(`api/state?${query()}`), all);
}

function nothing() {
  for (const way of Object.keys(WAYS)) {
    charts[way].samples = [];
    charts[way].changes = [];
    charts[way].draw();
  }
}

// The choice of links; the first time downlink and uplink are guessed from names and order.
function showLinks(answer) {
  const own = answer.own_keys || own_keys;
  const links = answer.links.filter((link) => !own.includes(link.key));
  const first = !("down" in chosen) && !("up" in chosen);
  for (const way of Object.keys(WAYS)) {
    const select = by(`link-${way}`);
    const value = chosen[way];
    select.replaceChildren(new Option("none", ""));
    for (const link of links)
      select.append(new Option(`${link.dev} ${link.handle} bearer ${link.bearer} (${link.mode})`, link.key));
    if (value && !links.some((link) => link.key === value))
      select.append(new Option(`${value} (gone)`, value));
    if (first && links.length) {
      const like = links.find((link) => link.dev.startsWith(way));
      const at = way === "down" ? 0 : 1;
      const apart = [...new Map(links.map((link) => [link.dev + link.handle, link])).values()];
      const choice = like || (links.some((link) => /^(down|up)/.test(link.dev)) ? undefined : apart[at]);
      select.value = choice ? choice.key : "";
    } else {
      select.value = value || "";
    }
  }
  for (const way of Object.keys(WAYS)) {
    const key = chosen[way];
    const gone = Boolean(key) && !links.some((link) => link.key === key);
    charts[way].panel.querySelector("fieldset").disabled = gone;
    if (gone) says(`${WAYS[way]}: ${key} is gone. The page goes on when it is there again.`, true);
    else if (lost[way] === key && key) {
      says(`${key} is there again.`);
      act(() => refresh(false));
    }
    lost[way] = gone ? key : "";
  }
  if (first && links.length) choose();
}

function choose() {
  const before = query();
  for (const way of Object.keys(WAYS)) {
    if (by(`link-${way}`).value) chosen[way] = by(`link-${way}`).value;
    else delete chosen[way];
  }
  if (query() === before && stream) return;
  fields = {};
  nothing();
  act(() => refresh(true));
  listen();
}

function take(kind, value) {
  if (kind === "links") {
    if (trouble) {
      says("The links can be seen again.");
      act(() => refresh(false));
    }
    trouble = "";
    showLinks({ links: value });
  } else if (kind === "trouble") says((trouble = value), true);
  else if (kind === "history") {
    for (const way of Object.keys(chosen)) charts[way].samples = value[chosen[way]] || [];
  } else if (kind === "samples") {
    for (const way of Object.keys(chosen)) if (value[chosen[way]]) charts[way].add(value[chosen[way]]);
  } else if (kind === "changes") {
    for (const way of Object.keys(chosen))
      charts[way].changes = value.filter((change) => change.keys.includes(chosen[way]));
  } else if (kind === "change") {
    let mine = false;
    for (const way of Object.keys(chosen))
      if (value.keys.includes(chosen[way])) {
        charts[way].changes.push(value);
        mine = true;
      }
    if (mine) act(() => refresh(false));
  } else if (kind === "recording") showRecording(value);
}

// Server-sent events, read by fetch: EventSource sends no header, and so no token.
async function listen() {
  if (stream) stream.abort();
  const mine = (stream = new AbortController());
  while (!mine.signal.aborted) {
    try {
      const response = await fetch(`api/events?${query()}`,
        { headers: { "X-Wlink-Token": token }, signal: mine.signal });
      if (!response.ok) throw new Error((await response.json()).error);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        const messages = (text + value).split("\n\n");
        text = messages.pop();
        for (const message of messages) {
          const found = /^event: (.*)\ndata: (.*)$/.exec(message);
          if (found && !mine.signal.aborted) take(found[1], JSON.parse(found[2]));
        }
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      says(`The server does not answer: ${error.message}`, true);
    }
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
}

function showRecording(on) {
  by("record").setAttribute("aria-pressed", String(on));
  by("record").textContent = on ? "Stop recording" : "Record";
  allow();
}

async function showPreset() {
  const rows = by("source-rows");
  rows.replaceChildren();
  if (!by("preset").value) return;
  const known = await read(`api/presets?`);
  for (const name of [by("preset").value, `${by("preset").value}-up`]) {
    if (!known.some((one) => one.name === name)) continue;
    const preset = await read(`api/preset?${new URLSearchParams({ name })}`);
    const head = element("tr");
    const cell = element("th", `${preset.name}: ${preset.what}`);
    cell.colSpan = 3;
    head.append(cell);
    rows.append(head);
    for (const word of preset.words) {
      const row = element("tr");
      row.append(element("td", word.word), element("td", word.value), element("td", word.source));
      rows.append(row);
    }
  }
}

function done(answer) {
  showState(answer, true);
  const times = Object.entries(answer.at_ns);
  const same = times.every(([, ns]) => ns === times[0][1]);
  const at = (ns) => `${(ns / 1e9).toFixed(6)} s`;
  says(same
    ? `Applied at ${at(times[0][1])}${times.length > 1 ? " on both" : ""}: ${answer.text}`
    : `Applied at the next start of a TTI of each (${times.map(([key, ns]) => `${key}: ${at(ns)}`).join(", ")}): ` +
      answer.text);
}

const change = (path, body) => act(async () => done(await read(path, { ...chosen, seen: revision, ...body })));

function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

function start() {
  buildWays();
  by("fields").addEventListener("submit", (event) => {
    event.preventDefault();
    act(async () => {
      const typed = edited();
      if (!Object.keys(typed).length) return says("Nothing has been typed.");
      return done(await read("api/change", { ...chosen, seen: revision, fields: typed }));
    });
  });
  by("revert").addEventListener("click", () => act(() => refresh(true)));
  by("apply-preset").addEventListener("click", () => {
    if (by("preset").value) change("api/preset", { name: by("preset").value });
    else says("No preset is chosen.", true);
  });
  by("undo").addEventListener("click", () => change("api/undo", {}));
  by("preset").addEventListener("change", () => showPreset().catch((error) => says(error.message, true)));
  for (const way of Object.keys(WAYS)) by(`link-${way}`).addEventListener("change", choose);
  by("play").addEventListener("click", () => act(async () => {
    const [file] = by("trace").files;
    if (!file) throw new Error("No file is chosen.");
    const which = by("trace-ways").value;
    const on = Object.fromEntries(Object.entries(chosen).filter(([way]) => which === "both" || which === way));
    const answer = await read("api/play", { ...on, file: await file.text(), end: by("trace-end").value });
    const steps = Math.max(...Object.values(answer.steps));
    says(`${file.name}: ${steps} steps, from ${(answer.start_ns / 1e9).toFixed(3)} s on.`);
  }));
  by("stop").addEventListener("click", () => act(async () => {
    await read("api/stop", chosen);
    says("No schedule plays.");
  }));
  by("record").addEventListener("click", () => act(async () => {
    const on = by("record").getAttribute("aria-pressed") !== "true";
    if (!on) save(await (await ask("api/recording")).blob(), "wlink-recording.html");
    showRecording((await read("api/record", { ...chosen, on })).recording);
    says(on ? "Recording." : "The recording is one page of HTML, for a browser or a bug report.");
  }));
  setInterval(() => {
    const latest = {};
    for (const way of Object.keys(chosen)) {
      const { samples } = charts[way];
      if (!document.hidden) charts[way].draw();
      if (samples.length) latest[way] = together(samples.slice(-NOW));
    }
    // A reader of the page aloud is not to be interrupted five times a second.
    if (Date.now() - start.said < AGAIN_MS) return;
    start.said = Date.now();
    const text = Object.keys(latest).length ? why(latest) : "No packets have been seen yet.";
    if (by("why").textContent !== text) by("why").textContent = text;
  }, DRAW_MS);
  act(async () => {
    const [answer, presets] = [await read("api/links"), await read("api/presets")];
    by("preset").replaceChildren(new Option("choose one", ""));
    for (const preset of presets.filter((one) => !one.name.endsWith("-up")))
      by("preset").append(new Option(`${preset.name}: ${preset.what}`, preset.name));
    by("where").textContent = answer.where ? `links of ${answer.where}` : "links of this machine";
    by("own").textContent = answer.own;
    own_keys = answer.own_keys;
    showRecording(answer.recording);
    if (answer.trouble) says((trouble = answer.trouble), true);
    if (!answer.links.length) listen();
    setTimeout(() => showLinks(answer));
  });
}
start.said = 0;
start();
