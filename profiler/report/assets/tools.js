'use strict';
// Small tools that everything else uses. Text only ever enters the page as text, never as markup.
const data = JSON.parse(document.getElementById('data').textContent);

/** An element with attributes and children; strings become text nodes. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'class') element.className = value;
    else if (key === 'style') Object.assign(element.style, value);
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}
function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
const byId = id => document.getElementById(id);

function threeDigits(value) {
  const size = Math.abs(value);
  if (size === 0) return '0';
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return size >= 0.9995 ? value.toFixed(2) : String(Number(value.toPrecision(3)));
}
function duration(ns) {
  const size = Math.abs(ns) / 0.9995;
  if (size >= 1e9) return threeDigits(ns / 1e9) + ' s';
  if (size >= 1e6) return threeDigits(ns / 1e6) + ' ms';
  if (size >= 1e3) return threeDigits(ns / 1e3) + ' \u00b5s';
  return threeDigits(ns) + ' ns';
}
const percent = share => share === null ? '' : (share * 100).toFixed(1) + ' %';
// Writers outside say "us"; here the letter is available.
const pretty = text => text.replace(/(\d) us\b/g, '$1 \u00b5s').replace(/(\d)x$/, '$1\u00d7');
const words = name => name.replace(/_/g, ' ');

// Okabe and Ito's palette, told apart with any colour vision; the order is that of OpFamily.
const familyColors = ['#0072B2', '#E69F00', '#56B4E9', '#F0E442', '#009E73', '#CC79A7', '#D55E00',
  '#8C96A3', '#B9C2CC', '#A98F6B', '#77808C'];
// In the order of WaitCause; the last one is no wait and stays blank.
const causeColors = ['#8C96A3', '#E69F00', '#D55E00', '#F0E442', null];
const busyColor = '#0072B2';
/** Black or white, whichever stands out on a colour. */
function inkOn(color) {
  const part = at => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) > 0.179 ? '#000000' : '#ffffff';
}
const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The hover card: one for the whole page, kept within the window. */
const card = {
  element: byId('card'),
  show(event, ...content) {
    this.element.replaceChildren(...content.filter(Boolean));
    this.element.hidden = false;
    const box = this.element.getBoundingClientRect();
    let x = event.clientX + 16;
    let y = event.clientY + 16;
    if (x + box.width > innerWidth - 8) x = event.clientX - box.width - 12;
    if (y + box.height > innerHeight - 8) y = event.clientY - box.height - 12;
    this.element.style.left = Math.max(8, x) + 'px';
    this.element.style.top = Math.max(8, y) + 'px';
  },
  hide() { this.element.hidden = true; },
};
/** A definition list out of [term, text] pairs; pairs without text are left out. */
function facts(pairs) {
  const list = make('dl');
  for (const [term, text] of pairs) {
    if (text !== null && text !== undefined && text !== '') list.append(make('dt', {}, term), make('dd', {}, String(text)));
  }
  return list;
}
function withCard(element, content) {
  element.addEventListener('mousemove', event => card.show(event, ...content()));
  element.addEventListener('mouseleave', () => card.hide());
  return element;
}
const empty = text => make('p', { class: 'empty' }, text);

/** Ticks at 1, 2 or 5 times a power of ten, about `wanted` of them. */
function niceTicks(from, to, wanted) {
  const rough = (to - from) / Math.max(1, wanted);
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(each => each >= rough * 0.999);
  const ticks = [];
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; ++index) ticks.push(index * step || 0);
  return ticks;
}
/** Names for ticks of one axis: as many decimals as the finest needs. */
function tickNames(ticks) {
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : Math.abs(ticks[0]) || 1;
  const decimals = Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
  return ticks.map(tick => tick.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }));
}
/** The same for times in ns, all in the unit of the longest. */
function timeTickNames(ticks) {
  const most = Math.max(...ticks.map(Math.abs), 1);
  const [scale, unit] = most >= 1e9 ? [1e9, ' s'] : most >= 1e6 ? [1e6, ' ms'] : most >= 1e3 ? [1e3, ' \u00b5s'] : [1, ' ns'];
  return tickNames(ticks.map(tick => tick / scale)).map((name, index) => ticks[index] === 0 ? '0' : name + unit);
}
/** Sizes a canvas to its box and returns a context in CSS pixels. */
function canvasContext(canvas, height) {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.style.height = height + 'px';
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return [context, width];
}
