// Puts the page of a comparison together.
const compared = data.comparison;

function valueText(hint, value) {
  if (value === null) return '';
  switch (hint) {
    case 'duration': return duration(value);
    case 'percentage': return percent(value);
    case 'rate': return (value >= 1000 ? Math.round(value).toLocaleString('en-US') : threeDigits(value)) + '/s';
    case 'bytes': return value.toLocaleString('en-US') + ' B';
    case 'factor': return threeDigits(value) + '\u00d7';
    default: return value.toLocaleString('en-US', { maximumFractionDigits: 3 });
  }
}
const signed = text => text.startsWith('-') || text.startsWith('+') ? text : '+' + text;
function relative(ratio) {
  const points = value => signed(((value - 1) * 100).toFixed(1));
  if (!ratio) return '';
  return points(ratio.value) + ' %' + (ratio.low === null ? '' : ` [${points(ratio.low)}, ${points(ratio.high)}]`);
}
function difference(hint, change) {
  const text = value => signed(hint === 'percentage' ? (value * 100).toFixed(1) : valueText(hint, value));
  const { value, low, high } = change.difference;
  return text(value) + (hint === 'percentage' ? ' points' : '') + (low === null ? '' : ` [${text(low)}, ${text(high)}]`);
}
const verdictOf = change => change.significant === null ? 'unknown' : change.significant ? 'yes' : 'no';

function header() {
  const title = make('h1', {}, compared.b.scenario || 'Comparison', make('span', { class: 'with' }, ' compared'));
  const side = (name, each) => make('span', {}, name + ' ', make('b', {}, each.policy || each.recordings[0]),
    ` ${each.recordings.length.toLocaleString('en-US')} recording${each.recordings.length === 1 ? '' : 's'}, ${each.timed_steps.toLocaleString('en-US')} timed steps`);
  byId('header').append(make('div', { class: 'brand' }, 'Quintet'), title, make('div', { class: 'facts' }, side('A', compared.a), side('B', compared.b)));
}

function tile(name, value, spread, state) {
  return make('div', { class: 'tile' }, make('div', { class: 'name' }, name), make('div', { class: 'value' + (state ? ' none ' + state : '') }, value),
    make('div', { class: 'spread' }, spread || ''));
}
function tiles() {
  const step = compared.step_time_ns;
  const place = byId('tiles');
  if (!step) { place.append(tile('Step time', 'unknown', 'a side has no step', 'unknown')); return; }
  const range = step.difference.low === null ? 'no interval: too few steps' : `95 %: ${signed(duration(step.difference.low))} to ${signed(duration(step.difference.high))}`;
  place.append(tile('Step time A', duration(step.a)), tile('Step time B', duration(step.b)),
    tile('Difference', signed(duration(step.difference.value)), range));
  if (step.ratio) place.append(tile('B against A', signed(((step.ratio.value - 1) * 100).toFixed(2)) + ' %', step.ratio.low === null ? '' : relative(step.ratio)));
  const excludes = step.difference.low !== null && (step.difference.low > 0 || step.difference.high < 0);
  place.append(tile('Significant', step.difference.low === null ? 'unknown' : excludes ? 'yes' : 'no',
    compared.between_processes_known ? '' : 'spread between processes unknown', step.difference.low === null ? 'unknown' : ''));
}

function caveats() {
  if (!compared.caveats.length) return;
  byId('caveats-panel').hidden = false;
  byId('caveats').append(...compared.caveats.map(each => make('div', { class: 'finding' },
    make('span', { class: 'badge ' + (each.refuses ? 'bad' : 'warn') }, words(each.name)), make('p', {}, each.message + '; ' + each.cure))));
}

function timelines() {
  const both = data.a.timelines.length && data.b.timelines.length;
  if (!both) {
    document.querySelectorAll('canvas.lanes, .overview, .hint, #fit, .check').forEach(element => element.remove());
    byId('steps').replaceWith(empty('A side has no step to draw.'));
    return;
  }
  const views = ['a', 'b'].map(side => new Timeline(byId('timeline-' + side), byId('overview-' + side), data[side]));
  Timeline.link(...views);
  const labels = data.a.timelines.map(each => each.label).filter(label => data.b.timelines.some(each => each.label === label));
  if (!labels.length) labels.push(null);
  const buttons = labels.map(label => make('button', { type: 'button', 'aria-pressed': 'false', onclick: () => choose(label) }, label || 'first drawn'));
  const choose = label => {
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(labels[index] === label)));
    ['a', 'b'].forEach((side, index) => {
      const chosen = data[side].timelines.find(each => each.label === label) || data[side].timelines[0];
      views[index].show(chosen);
      byId('name-' + side).textContent = `${side.toUpperCase()}: ${compared[side].policy || compared[side].recordings[0]}, step ${chosen.step}, ${duration(chosen.length)}`
        + (chosen.leftOut ? `; ${chosen.leftOut} short runs are not drawn` : '');
    });
    legend(views);
  };
  byId('steps').append(...buttons);
  byId('fit').addEventListener('click', () => views[0].fit());
  for (const [box, option] of [['show-waits', 'waits'], ['show-critical', 'critical']]) {
    byId(box).addEventListener('change', event => views.forEach(view => { view.options[option] = event.target.checked; view.paint(); }));
  }
  choose(labels[0]);
}
function legend(views) {
  const shown = new Set(views.flatMap(view => view.timeline.boxes.map(([task]) => view.report.tasks[task] && view.report.tasks[task].family)));
  byId('legend').replaceChildren(...data.a.families.map((name, index) => shown.has(index)
    ? make('span', {}, make('span', { class: 'swatch', style: { background: familyColors[index] } }), name) : null).filter(Boolean));
}

function table(titles, rows, numbers) {
  if (!rows.length) return empty('None.');
  const kind = index => numbers.includes(index) ? 'num' : index === 0 ? 'name-cell' : '';
  return make('table', {}, make('thead', {}, make('tr', {}, ...titles.map((title, index) => make('th', { class: kind(index) }, title)))),
    make('tbody', {}, ...rows.map(row => make('tr', {}, ...row.map((cell, index) => make('td', { class: kind(index) }, cell))))));
}

function metricTable() {
  const rows = compared.metrics.filter(row => row.state_a === 'known' || row.state_b === 'known').map(row => {
    const change = row.change;
    const shown = (value, state) => value === null ? state : valueText(row.hint, value);
    if (!change) return [row.name, shown(row.a, row.state_a), shown(row.b, row.state_b), '', row.reason || ''];
    const asPoints = row.hint === 'percentage' || !change.ratio;
    return [row.name, valueText(row.hint, change.a), valueText(row.hint, change.b), asPoints ? difference(row.hint, change) : relative(change.ratio), verdictOf(change)];
  });
  byId('metrics').append(table(['metric', 'A', 'B', 'change', 'significant'], rows, [1, 2, 3]));
}

function layerTable() {
  byId('layers').append(table(['layer', 'A', 'B', 'difference', 'relative', 'significant'], compared.layers.map(({ name, time_ns: time }) =>
    [name, duration(time.a), duration(time.b), difference('duration', time), relative(time.ratio), verdictOf(time)]), [1, 2, 3, 4]));
}

function taskTable() {
  const stream = task => task.moved_stream ? `${task.stream_a} \u2192 ${task.stream_b}` : task.stream_b;
  const path = task => task.critical_a === null || task.critical_b === null ? '\u2013' : `${percent(task.critical_a)} \u2192 ${percent(task.critical_b)}`;
  const fill = () => {
    const wanted = byId('task-filter').value.toLowerCase().split(/\s+/).filter(Boolean);
    const moved = byId('only-moved').checked;
    const rows = compared.tasks.filter(task => (!moved || task.moved_stream || task.moved_on_path)
      && wanted.every(word => `${task.name} ${task.stream_a} ${task.stream_b}`.toLowerCase().includes(word)));
    byId('tasks').replaceChildren(table(['task', 'stream', 'A', 'B', 'difference', 'relative', 'significant', 'critical'], rows.map(task => {
      const time = task.time_ns;
      return [task.name, stream(task), duration(time.a), duration(time.b), difference('duration', time), relative(time.ratio), verdictOf(time), path(task)];
    }), [2, 3, 4, 5, 7]));
  };
  byId('task-note').textContent = compared.tasks_left_out ? `${compared.tasks_left_out} tasks with smaller differences are left out here.` : '';
  byId('task-filter').addEventListener('input', fill);
  byId('only-moved').addEventListener('change', fill);
  fill();
}

header();
tiles();
caveats();
timelines();
metricTable();
layerTable();
taskTable();
for (const side of ['a', 'b']) {
  byId('only-' + side).append(table(['task', 'stream', 'per step'], compared['only_' + side].map(task => [task.name, task.stream, duration(task.time_ns)]), [2]));
}
byId('method').textContent = compared.method;
