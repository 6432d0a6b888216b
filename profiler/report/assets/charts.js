// Charts that stand still: waits per stream, loss, concurrency, overlap.
function waitChart() {
  const rows = data.waits.filter(row => row.busy > 0);
  if (!rows.length) return [empty(unobserved())];
  const parts = [['busy', busyColor]].concat(data.causes.map((cause, index) => [words(cause), causeColors[index]]));
  const legend = make('div', { class: 'legend' });
  for (const [name, color] of parts) {
    legend.append(make('span', {}, make('span', { class: 'swatch', style: { background: color || 'var(--lane)' } }), name));
  }
  return [legend, ...rows.map(row => {
    const times = [row.busy, ...row.waits];
    const total = times.reduce((sum, time) => sum + time, 0);
    const stack = make('div', { class: 'stack' });
    times.forEach((time, index) => {
      const [name, color] = parts[index];
      if (!time) return;
      stack.append(withCard(make('i', { style: { width: time / total * 100 + '%', background: color || 'transparent' } }),
        () => [make('h3', {}, row.lane + ': ' + name), facts([['mean per step', duration(time)], ['of the step', percent(time / total)]])]));
    });
    return make('div', { class: 'stack-row' }, make('span', {}, row.lane), stack, make('span', { class: 'num' }, percent(row.busy / total)));
  })];
}

function lossChart() {
  const finite = data.losses.filter(([, loss]) => loss !== null);
  const broken = data.losses.filter(([, loss]) => loss === null);
  if (!finite.length) return [empty(data.losses.length ? 'No loss was read, or none is finite.' : 'No training step was recorded.')];
  const size = { width: 640, height: 214, left: 46, right: 12, top: 10, bottom: 40 };
  const steps = data.losses.map(([step]) => step);
  const first = Math.min(...steps);
  const last = Math.max(...steps, first + 1);
  let low = Math.min(...finite.map(([, loss]) => loss));
  let high = Math.max(...finite.map(([, loss]) => loss));
  if (low > 0 && low < high * 0.6) low = 0;
  if (low === high) { low -= 0.5; high += 0.5; }
  const x = step => size.left + (step - first) / (last - first) * (size.width - size.left - size.right);
  const y = loss => size.height - size.bottom - (loss - low) / (high - low) * (size.height - size.top - size.bottom);
  const chart = svg('svg', { viewBox: `0 0 ${size.width} ${size.height}`, role: 'img', 'aria-label': 'Training loss over steps' });
  const levels = niceTicks(low, high, 5);
  const levelNames = tickNames(levels);
  for (const [index, tick] of levels.entries()) {
    chart.append(svg('line', { class: 'grid-line', x1: size.left, x2: size.width - size.right, y1: y(tick), y2: y(tick) }),
      svg('text', { x: size.left - 8, y: y(tick) + 4, 'text-anchor': 'end' }, levelNames[index]));
  }
  for (const tick of niceTicks(first, last, 8)) {
    if (Number.isInteger(tick)) chart.append(svg('text', { x: x(tick), y: size.height - 22, 'text-anchor': 'middle' }, tick.toLocaleString('en-US')));
  }
  chart.append(svg('text', { x: (size.left + size.width - size.right) / 2, y: size.height - 4, 'text-anchor': 'middle' }, 'training step'));
  // The line breaks where a loss is missing; it never bridges a NaN.
  let path = '';
  let down = false;
  for (const [step, loss] of data.losses) {
    if (loss !== null) path += `${down ? 'L' : 'M'}${x(step).toFixed(2)} ${y(loss).toFixed(2)}`;
    down = loss !== null;
  }
  const many = data.losses.length > 150;
  chart.append(svg('path', { d: path, fill: 'none', stroke: '#56B4E9', 'stroke-width': many ? 1 : 1.8, opacity: many ? 0.6 : 1, 'stroke-linejoin': 'round' }));
  if (many) chart.append(svg('path', { d: smoothPath(finite, x, y), fill: 'none', stroke: '#0072B2', 'stroke-width': 2, 'stroke-linejoin': 'round' }));
  for (const [step] of broken) chart.append(svg('line', { x1: x(step), x2: x(step), y1: size.top, y2: size.height - size.bottom, stroke: '#D55E00', 'stroke-width': 1.5 }));
  const mark = svg('circle', { r: 4, fill: '#E69F00', visibility: 'hidden' });
  chart.append(mark);
  chart.addEventListener('mousemove', event => {
    const at = event.offsetX / chart.clientWidth * size.width;
    const [step, loss] = data.losses.reduce((best, each) => Math.abs(x(each[0]) - at) < Math.abs(x(best[0]) - at) ? each : best);
    mark.setAttribute('visibility', loss === null ? 'hidden' : 'visible');
    mark.setAttribute('cx', x(step));
    mark.setAttribute('cy', y(loss === null ? low : loss));
    card.show(event, facts([['step', step], ['loss', loss === null ? 'unknown: not read, or not finite' : loss.toPrecision(6)]]));
  });
  chart.addEventListener('mouseleave', () => { mark.setAttribute('visibility', 'hidden'); card.hide(); });
  const note = broken.length ? make('p', { class: 'sub' }, make('span', { class: 'unknown' }, `${broken.length} without a finite value`)) : null;
  return [chart, note].filter(Boolean);
}
/** The mean of the points around each one; a centred window, cut at the ends, so that the line does not lag. */
function smoothPath(points, x, y) {
  const reach = Math.max(2, Math.round(points.length / 100));
  const sums = [0];
  for (const [, loss] of points) sums.push(sums[sums.length - 1] + loss);
  return points.map(([step], index) => {
    const first = Math.max(0, index - reach);
    const last = Math.min(points.length, index + reach + 1);
    const mean = (sums[last] - sums[first]) / (last - first);
    return `${index ? 'L' : 'M'}${x(step).toFixed(2)} ${y(mean).toFixed(2)}`;
  }).join('');
}

/** Why nothing is told of what streams did. */
function unobserved() { return data.unobserved ? `Unknown: ${data.unobserved}.` : 'No step could be timed.'; }

function concurrencyChart() {
  if (!data.concurrency.length) return [empty(unobserved())];
  const table = make('table');
  const shares = data.concurrencyAbove > 0 ? [...data.concurrency, data.concurrencyAbove] : data.concurrency;
  shares.forEach((share, n) => {
    const bar = make('i', { style: { width: Math.max(0.3, share * 100) + '%', background: n === 0 ? '#8C96A3' : n === 1 ? '#56B4E9' : busyColor } });
    table.append(make('tr', {}, make('td', { style: { width: '1%', whiteSpace: 'nowrap' } }, n === 0 ? 'idle' : n === data.concurrency.length ? n + ' or more' : String(n)),
      make('td', { class: 'bar', style: { width: 'auto' } }, bar), make('td', { class: 'num', style: { width: '1%' } }, percent(share))));
  });
  return [table];
}

function overlapChart() {
  const { lanes, values } = data.overlap;
  if (!lanes.length) return [empty('No stream was recorded.')];
  const head = make('tr', {}, make('th'), ...lanes.map(lane => make('th', {}, lane)));
  const body = make('tbody');
  const from = [0x56, 0xB4, 0xE9];
  lanes.forEach((lane, a) => {
    const row = make('tr', {}, make('th', {}, lane));
    lanes.forEach((other, b) => {
      const value = values[a][b];
      const cell = make('td', { style: { background: 'var(--lane)' } }, a === b ? '' : value === null ? '\u2013' : (value * 100).toFixed(0) + ' %');
      if (a === b) cell.style.background = 'transparent';
      else if (value !== null) cell.style.background = `rgba(${from.join(',')},${(0.06 + 0.62 * value).toFixed(3)})`;
      else cell.className = 'absent';
      if (a !== b) withCard(cell, () => [make('h3', {}, `${lane} and ${other}`), make('p', {}, value === null ? 'absent: one of the two never works' : `${percent(value)} of the less busy one's time both work.`)]);
      row.append(cell);
    });
    body.append(row);
  });
  return [make('table', { class: 'heat' }, make('thead', {}, head), body)];
}

function memoryChart() {
  const regions = data.metrics.flatMap(group => group.rows).filter(row => row.tag.startsWith('memory/region/') && row.value > 0);
  if (!regions.length) return [empty('The recording holds no memory plan.')];
  regions.sort((a, b) => b.value - a.value);
  const table = make('table');
  for (const region of regions) {
    table.append(make('tr', {}, make('td', { style: { width: '1%', whiteSpace: 'nowrap' } }, region.name),
      make('td', { class: 'bar', style: { width: 'auto' } }, make('i', { style: { width: region.value / regions[0].value * 100 + '%' } })),
      make('td', { class: 'num', style: { width: '1%' } }, region.text)));
  }
  return [make('div', { class: 'scroll short' }, table)];
}
