// SPDX-License-Identifier: GPL-2.0
// What the page and a recording share: units, the line that says why packets are late, the chart.
"use strict";

const WAYS = { down: "Downlink", up: "Uplink" };
// Of a link without a direction the name is its own.
const nameOf = (way) => WAYS[way] || way;
// As many as the server keeps.
const HISTORY = 3000;
const PARTS = {
  queue: "wait in the buffer",
  serial: "are serialised at this rate",
  prop: "travel: the delay that is set",
  retx: "wait for PDUs that were lost and are sent again",
  hol: "are complete and wait for an earlier one, for delivery in order",
  access: "wait until the bearer may send",
  jitter: "are held back by jitter",
};

function bps(value) {
  if (value === undefined) return "not known";
  if (value === null) return "any rate";
  if (Number.isNaN(value)) return "several rates";
  for (const [unit, name] of [[1e9, "Gbit/s"], [1e6, "Mbit/s"], [1e3, "kbit/s"]])
    if (value >= unit) return `${Number((value / unit).toPrecision(3))} ${name}`;
  return `${Math.round(value)} bit/s`;
}

function ms(ns) {
  return ns >= 1e9 ? `${(ns / 1e9).toPrecision(3)} s` : `${Number((ns / 1e6).toPrecision(3))} ms`;
}

function countOf(drops) {
  return Object.values(drops).reduce((sum, count) => sum + count, 0);
}

// Some samples as one: means over the packets, sums of drops.
function together(samples) {
  const last = samples[samples.length - 1];
  const sdus = samples.reduce((sum, one) => sum + one.sdus, 0);
  const time = samples.reduce((sum, one) => sum + one.i, 0);
  const drops = {}, parts = {};
  for (const one of samples)
    for (const [reason, count] of Object.entries(one.drops)) drops[reason] = (drops[reason] || 0) + count;
  for (const part of Object.keys(PARTS))
    parts[part] = sdus ? samples.reduce((sum, one) => sum + (one.parts[part] || 0) * one.sdus, 0) / sdus : null;
  const mean = (name) => (time ? samples.reduce((sum, one) => sum + one[name] * one.i, 0) / time : 0);
  return { ...last, sdus, drops, parts, offered: mean("offered"), delivered: mean("delivered") };
}

// All samples as one; the rate is the mean over the time, where it is a number throughout.
function whole(samples) {
  const all = together(samples);
  const rates = samples.map((one) => one.rate);
  const time = samples.reduce((sum, one) => sum + one.i, 0);
  if (rates.includes(undefined)) delete all.rate;
  else if (!rates.includes(null)) all.rate = samples.reduce((sum, one) => sum + one.rate * one.i, 0) / time;
  else if (rates.some((rate) => rate !== null)) all.rate = NaN;
  return all;
}

// Why packets of one direction are late, of a sample.
function whyOf(way, one) {
  const name = nameOf(way);
  const lost = countOf(one.drops);
  const dropped = lost
    ? ` ${lost} dropped: ${Object.entries(one.drops).map(([reason, n]) => `${reason} ${n}`).join(", ")}.`
    : "";
  if (!one.sdus) {
    const wait = one.buffer ? `; ${one.buffer} packets wait` : "";
    if (one.rate === 0) return `${name}: an outage, its rate is 0${wait}.${dropped}`;
    return `${name}: ${wait || lost ? `nothing is delivered${wait}` : "no packets"}.${dropped}`;
  }
  const total = Object.values(one.parts).reduce((sum, ns) => sum + ns, 0);
  const [part, ns] = Object.entries(one.parts).reduce((most, next) => (next[1] > most[1] ? next : most));
  const share = total ? Math.round((100 * ns) / total) : 0;
  let text = `${name}: packets take ${ms(total)}; for ${share} % of it they ${PARTS[part]}`;
  if (part === "queue") {
    // The log of a recording has no limit.
    const full = one.full === null ? "" : `, the buffer is ${Math.round(100 * one.full)} % full`;
    text += Number.isFinite(one.rate) && one.offered > one.rate
      ? `: ${bps(one.offered)} arrive at a link of ${bps(one.rate)}${full}`
      : ` behind others${full}`;
  }
  return `${text}.${dropped}`;
}

// The direction that is late most, first those that deliver nothing but hold packets.
function why(latest) {
  const total = (one) =>
    one.sdus ? Object.values(one.parts).reduce((sum, ns) => sum + ns, 0)
      : one.buffer || countOf(one.drops) ? Infinity : -1;
  const ways = Object.keys(latest).filter((way) => latest[way]);
  if (!ways.length) return "No link is chosen.";
  ways.sort((a, b) => total(latest[b]) - total(latest[a]));
  return whyOf(ways[0], latest[ways[0]]);
}

// What a recording has of each link until a moment, in ns: of half a second before it, or of all at its end.
function momentOf(data, t) {
  const now = {};
  for (const way of Object.keys(data.keys)) {
    const samples = data.samples[way] || [];
    const until = samples.filter((one) => one.t <= t);
    if (until.length) now[way] = until.length === samples.length ? whole(samples) : together(until.slice(-5));
  }
  return now;
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// A direction: its panel and its strip chart.
class Chart {
  constructor(way) {
    this.way = way;
    const made = document.getElementById("way").content.cloneNode(true);
    this.panel = made.querySelector("section");
    this.panel.id = `way-${way}`;
    this.panel.querySelector("h2").textContent = nameOf(way);
    this.legend = this.panel.querySelector(".legend");
    this.element = this.panel.querySelector(".chart");
    this.values = {};
    for (const [kind, text] of [["rate", "link"], ["offered", "offered"], ["delivered", "delivered"],
      ["delay", "buffer delay"], ["drop", "drops"], ["change", "changes"]]) {
      const item = element("span", undefined, kind);
      this.values[kind] = element("b");
      item.append(element("i"), `${text} `, this.values[kind]);
      this.legend.append(item);
    }
    document.getElementById("ways").append(made);
    this.samples = [];
    this.changes = [];
    this.graph = null;
  }

  // Its time 0.
  begin() {
    return this.samples[0].t - this.samples[0].i;
  }

  rows() {
    const first = this.begin();
    return this.samples.map((one) => [
      (one.t - first) / 1e9, Number.isFinite(one.rate) ? one.rate / 1e6 : null, one.offered / 1e6, one.delivered / 1e6,
      one.parts.queue === null ? null : one.parts.queue / 1e6,
    ]);
  }

  // All that is known; a cursor is a time in ns that a replay stands at.
  draw(cursor) {
    this.cursor = cursor;
    if (!this.samples.length) {
      if (this.graph) this.graph.destroy();
      this.graph = null;
      this.element.textContent = "";
      return;
    }
    const file = this.rows();
    // Less than 10 ms is no delay to look at.
    const most = file.reduce((top, row) => Math.max(top, row[4] || 0), 10);
    const axes = { y2: { valueRange: [0, 1.1 * most] } };
    this.graph = this.graph || new Dygraph(this.element, file, this.options());
    this.graph.updateOptions({ file, axes });
    const last = this.samples[this.samples.length - 1];
    this.tell(last);
  }

  tell(one) {
    this.values.rate.textContent = bps(one.rate);
    this.values.offered.textContent = bps(one.offered);
    this.values.delivered.textContent = bps(one.delivered);
    this.values.delay.textContent = one.parts.queue === null ? "–" : ms(one.parts.queue);
    this.values.drop.textContent = this.samples.reduce((sum, s) => sum + countOf(s.drops), 0);
    this.values.change.textContent = this.changes.length;
    this.element.setAttribute("aria-label",
      `${nameOf(this.way)} over time: ${this.values.rate.textContent}, offered ` +
      `${this.values.offered.textContent}, delivered ` +
      `${this.values.delivered.textContent}, buffer delay ${this.values.delay.textContent}, ` +
      `${this.values.drop.textContent} drops`);
  }

  options() {
    return {
      labels: ["s", "rate", "offered", "delivered", "buffer delay"],
      colors: [color("--rate"), color("--offered"), color("--delivered"), color("--delay")],
      series: { "buffer delay": { axis: "y2" }, rate: { strokePattern: [6, 4], stepPlot: true, strokeWidth: 1.2 } },
      axes: {
        x: { axisLabelFormatter: (x) => `${Number(x.toFixed(2))} s` },
        y: { valueRange: [0, null], axisLabelWidth: 44 },
        y2: { axisLabelWidth: 44, independentTicks: true, drawGrid: false },
      },
      ylabel: "Mbit/s", y2label: "ms", legend: "never", strokeWidth: 1.6, includeZero: true,
      gridLineColor: color("--line"), axisLineColor: color("--line"), highlightCircleSize: 3,
      // A finger on a chart scrolls the page.
      ...(window.matchMedia("(pointer: coarse)").matches ? { interactionModel: {} } : {}),
      underlayCallback: (context, area, graph) => this.under(context, area, graph),
    };
  }

  // Drops are ticks at the bottom, as high as their share of the worst; changes are lines.
  under(context, area, graph) {
    if (!this.samples.length) return;
    const first = this.begin();
    const x = (t) => graph.toDomXCoord((t - first) / 1e9);
    const most = Math.max(1, ...this.samples.map((one) => countOf(one.drops)));
    context.fillStyle = color("--bad");
    for (const one of this.samples) {
      const lost = countOf(one.drops);
      if (!lost) continue;
      const high = 6 + (24 * lost) / most;
      context.fillRect(x(one.t) - 1, area.y + area.h - high, 2, high);
    }
    context.fillStyle = color("--change");
    for (const change of this.changes)
      if (change.t >= first) context.fillRect(x(change.t) - 0.5, area.y, 1.5, area.h);
    if (this.cursor !== undefined) {
      context.fillStyle = color("--ink");
      context.fillRect(x(this.cursor) - 1, area.y, 2, area.h);
    }
  }

  add(sample) {
    this.samples.push(sample);
    if (this.samples.length > HISTORY) this.samples.splice(0, this.samples.length - HISTORY);
    const first = this.begin();
    this.changes = this.changes.filter((change) => change.t >= first);
  }
}

// The page of a recording.
function replay(data) {
  const by = (id) => document.getElementById(id);
  const charts = {};
  let first = Infinity, last = 0;
  for (const note of data.notes) by("notes").append(element("li", note));
  for (const way of Object.keys(data.keys)) {
    const chart = new Chart(way);
    charts[way] = chart;
    chart.panel.querySelector("code").textContent = data.keys[way];
    chart.samples = data.samples[way] || [];
    chart.changes = data.changes.filter((change) => change.keys.includes(data.keys[way]));
    if (chart.samples.length) {
      first = Math.min(first, chart.samples[0].t - chart.samples[0].i);
      last = Math.max(last, chart.samples[chart.samples.length - 1].t);
    }
  }
  for (const change of data.changes) {
    const row = element("tr");
    row.append(element("td", `${((change.t - first) / 1e9).toFixed(2)} s`), element("td", change.keys.join(", ")),
      element("td", change.text));
    by("changes").append(row);
  }
  if (last === 0) {
    by("why").textContent = "Nothing has been recorded.";
    return;
  }
  const moment = by("moment");
  moment.max = Math.ceil((last - first) / 1e6);
  const show = () => {
    const t = Number(moment.value) < Number(moment.max) ? first + Number(moment.value) * 1e6 : last;
    const now = momentOf(data, t);
    for (const [way, chart] of Object.entries(charts)) {
      chart.draw(t);
      if (now[way]) chart.tell(now[way]);
    }
    by("why").textContent = Object.keys(now).length ? why(now) : "";
    by("at").textContent = t === last ? `all ${((last - first) / 1e9).toFixed(1)} s`
      : `${(Number(moment.value) / 1e3).toFixed(1)} s`;
  };
  moment.addEventListener("input", show);
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    by("run").textContent = "Play";
  };
  by("run").addEventListener("click", () => {
    if (timer) return stop();
    if (Number(moment.value) >= Number(moment.max)) moment.value = 0;
    by("run").textContent = "Pause";
    timer = setInterval(() => {
      moment.value = Number(moment.value) + 100 * Number(by("speed").value);
      show();
      if (Number(moment.value) >= Number(moment.max)) stop();
    }, 100);
    return undefined;
  });
  moment.value = moment.max;
  show();
}
