// Puts the page together.
function metricOf(tag) {
  for (const group of data.metrics) {
    const found = group.rows.find(row => row.tag === tag);
    if (found) return found;
  }
  return null;
}

function header() {
  const said = data.provenance;
  const title = make('h1', {}, said.title || said.scenario || 'Recording');
  if (said.policy) title.append(make('span', { class: 'with' }, ' under '), said.policy);
  const badges = [];
  if (said.verdict) {
    const safe = /^(race-free|safe)/i.test(said.verdict);
    badges.push(make('span', { class: 'badge ' + (safe ? 'good' : 'bad') }, said.verdict));
  }
  if (data.probeNotice) badges.push(make('span', { class: 'badge warn', title: data.probeNotice }, 'slowed by recording: ' + probeEffect()));
  if (data.state !== 'complete') badges.push(make('span', { class: 'badge warn' }, data.state + ': incomplete'));
  const line = [['executor', said.executor], ['steps', said.step_mode], ['sync', said.sync], ['gradients', said.gradients], ['batch', said.batch],
    ['data', said.data && said.data + (said.data_generated === 'true' ? ', generated' : '')], ['scenario', said.title && said.scenario], ['memo', said.memo], ['GPU', said.gpu], ['machine', said.machine || said.cpu], ['recorded', said.started], ['probe effect', probeEffect()]];
  byId('header').append(make('div', { class: 'brand' }, 'Quintet'), title,
    make('div', { class: 'facts' }, ...badges, ...line.filter(([, value]) => value).map(([key, value]) => make('span', {}, key + ' ', make('b', {}, value)))));
}
function probeEffect() {
  const metric = metricOf('probe/slowdown');
  return metric && (metric.state === 'known' ? pretty(metric.text) : 'unknown');
}

function tile(name, value, spread, content, state) {
  const element = make('div', { class: 'tile' }, make('div', { class: 'name' }, name),
    make('div', { class: 'value' + (state ? ' none ' + state : '') }, value), make('div', { class: 'spread' }, spread || ''));
  return content ? withCard(element, content) : element;
}
function tiles() {
  const place = byId('tiles');
  for (const tag of ['step/time', 'step/throughput', 'gain/true', 'utilisation/any', 'concurrency/mean', 'concurrency/cpu', 'bound/efficiency']) {
    const metric = metricOf(tag);
    if (!metric) continue;
    const known = metric.state === 'known';
    place.append(tile(metric.name, known ? pretty(metric.text) : metric.state, known ? metric.p05 ? `${pretty(metric.p05)} \u2013 ${pretty(metric.p95)}` : '' : metric.reason,
      () => metricCard(metric), known ? '' : metric.state));
  }
  const accuracy = Number(data.provenance.test_accuracy);
  const losses = data.losses.filter(([, loss]) => loss !== null);
  if (data.provenance.test_accuracy && Number.isFinite(accuracy)) {
    place.append(tile('Test accuracy', (accuracy * 100).toFixed(2) + ' %', losses.length ? 'last loss ' + losses[losses.length - 1][1].toPrecision(4) : ''));
  } else if (losses.length) {
    place.append(tile('Last loss', losses[losses.length - 1][1].toPrecision(4), `${data.losses.length.toLocaleString('en-US')} training steps`));
  }
}

function timelinePanel() {
  if (!data.timelines.length) {
    byId('timeline').replaceWith(empty('No step was recorded.'));
    byId('overview').remove();
    document.querySelectorAll('.hint, #fit, .check').forEach(element => element.remove());
    return;
  }
  const timeline = new Timeline(byId('timeline'), byId('overview'), data);
  const buttons = data.timelines.map(each => make('button', { type: 'button', 'aria-pressed': 'false', onclick: () => choose(each) },
    each.label + ' ', make('small', {}, `#${each.step} \u00b7 ${duration(each.length)}`)));
  const choose = each => {
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(data.timelines[index] === each)));
    byId('left-out').textContent = each.leftOut ? `${each.leftOut} short runs are not drawn.` : '';
    showNotices(each);
    showLegend(each);
    timeline.show(each);
  };
  byId('steps').append(...buttons);
  byId('fit').addEventListener('click', () => timeline.fit());
  byId('show-waits').addEventListener('change', event => { timeline.options.waits = event.target.checked; timeline.paint(); });
  byId('show-critical').addEventListener('change', event => { timeline.options.critical = event.target.checked; timeline.paint(); });
  choose(data.timelines[0]);
}
/** What must be known of a picture before it is believed. */
function showNotices(timeline) {
  const notices = [data.probeNotice, timeline.unknown && 'what ran is unknown: ' + timeline.unknown].filter(Boolean);
  byId('notices').replaceChildren(...notices.map(text => make('p', { class: 'notice' }, text[0].toUpperCase() + text.slice(1) + '.')));
}
/** Only what the step shows: families of its tasks, causes of its waits. */
function showLegend(timeline) {
  const families = new Set(timeline.boxes.map(([task]) => data.tasks[task] && data.tasks[task].family));
  const causes = new Set(timeline.waits.map(wait => wait[3]));
  const entries = [];
  data.families.forEach((name, index) => {
    if (families.has(index)) entries.push(make('span', {}, make('span', { class: 'swatch', style: { background: familyColors[index] } }), name));
  });
  data.causes.forEach((name, index) => {
    const color = causeColors[index];
    if (!color || !causes.has(index)) return;
    const hatch = `repeating-linear-gradient(135deg, ${color} 0 1.5px, ${color}33 1.5px 4px)`;
    entries.push(make('span', {}, make('span', { class: 'swatch', style: { background: hatch } }), 'waits: ' + words(name)));
  });
  byId('legend').replaceChildren(...entries);
}

header();
tiles();
timelinePanel();
byId('waits').append(...waitChart());
byId('loss').append(...lossChart());
byId('concurrency').append(...concurrencyChart());
byId('overlap').append(...overlapChart());
byId('memory').append(...memoryChart());
const spaces = [['memory/device', 'device'], ['memory/host', 'pinned host']].map(([tag, name]) => [metricOf(tag), name]).filter(([metric]) => metric && metric.state === 'known');
byId('memory-sub').textContent = spaces.map(([metric, name]) => `${metric.text} ${name}`).join(', ');
const timedSteps = data.timedSteps.toLocaleString('en-US');
const basis = {
  steady_steps: `Median over ${timedSteps} timed steps of ${data.steps.toLocaleString('en-US')}, 5 % and 95 % quantiles beside it`
    + (data.observedSteps && data.observedSteps < data.timedSteps ? `; the work of ${data.observedSteps.toLocaleString('en-US')} of them was recorded` : ''),
  all_steps: `Median over all ${timedSteps} steps, warm-up included`,
  whole_range: 'Over the whole range of the recording, which names no step',
};
byId('metrics-sub').textContent = basis[data.basis] + '. Hover for definitions.';
byId('metrics').append(...metricTables());
byId('layers').append(...rollupTable(data.layers, 'layer'));
byId('op-kinds').append(...rollupTable(data.opKinds, 'op kind'));
deviceTables();
taskTable(byId('tasks'), byId('task-filter'));
byId('findings').append(...findingList());
byId('provenance').append(...provenanceTable());
