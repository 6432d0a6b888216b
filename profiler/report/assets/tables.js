// Tables: metrics, layers and op kinds, tasks, findings, provenance.
function metricCard(metric) {
  return [make('h3', {}, metric.name), make('p', {}, metric.about), make('p', {}, make('code', {}, metric.formula)),
    metric.state === 'known' ? null : make('p', { class: metric.state }, `${metric.state}: ${metric.reason}`),
    facts([['tag', metric.tag]])];
}
function metricTables() {
  return data.metrics.filter(group => group.rows.length).map(group => {
    const table = make('table');
    for (const metric of group.rows) {
      const row = make('tr', {}, make('td', {}, metric.name));
      if (metric.state === 'known') {
        row.append(make('td', { class: 'num' }, pretty(metric.text)),
          make('td', { class: 'num range' }, metric.p05 ? `${pretty(metric.p05)} \u2013 ${pretty(metric.p95)}` : ''));
      } else {
        row.append(make('td', { class: 'reason ' + metric.state, colspan: 2 }, `${metric.state}: ${metric.reason}`));
      }
      table.append(withCard(row, () => metricCard(metric)));
    }
    return make('div', { class: 'group' }, make('h3', {}, group.name), table);
  });
}

function rollupTable(rows, title) {
  if (!rows.length) return [empty(unobserved())];
  const most = Math.max(...rows.map(row => row.share)) || 1;
  const body = make('tbody');
  for (const row of rows) {
    body.append(make('tr', {}, make('td', { class: 'name-cell' }, row.name), make('td', { class: 'num' }, String(row.tasks)), make('td', { class: 'num' }, duration(row.time)),
      make('td', { class: 'bar' }, make('i', { style: { width: row.share / most * 100 + '%' } })), make('td', { class: 'num' }, percent(row.share))));
  }
  return [make('table', {}, make('thead', {}, make('tr', {}, make('th', {}, title), make('th', { class: 'num' }, 'tasks'), make('th', { class: 'num' }, 'per step'),
    make('th', { colspan: 2, class: 'num' }, 'of all work'))), body)];
}

function plainTable(columns, rows) {
  const cells = row => columns.map(column => make('td', { class: column.number ? 'num' : column.cell || '' }, column.show(row)));
  return make('table', {}, make('thead', {}, make('tr', {}, ...columns.map(column => make('th', { class: column.number ? 'num' : '' }, column.title)))),
    make('tbody', {}, ...rows.map(row => make('tr', {}, ...cells(row)))));
}
/** What devices did, by stream and by kernel: left out where no device was at work. */
function deviceTables() {
  const over = data.kernelSteps ? `Mean per step, over ${data.kernelSteps.toLocaleString('en-US')} steps.` : 'Over the whole recording.';
  const fill = (id, rows, columns, note) => {
    if (!rows.length) { byId(id + '-panel').remove(); return; }
    byId(id + '-sub').textContent = over + (note || '');
    byId(id).append(plainTable(columns, rows));
  };
  const size = dimensions => !dimensions ? '\u2013' : dimensions[1] === 1 && dimensions[2] === 1 ? String(dimensions[0]) : dimensions.join('\u00d7');
  fill('streams', data.streams, [
    { title: 'stream', show: row => row.lane, cell: 'name-cell' },
    { title: 'kernels', show: row => row.kernels, number: true },
    { title: 'copies', show: row => row.memcpys, number: true },
    { title: 'fills', show: row => row.memsets, number: true },
    { title: 'busy', show: row => duration(row.busy), number: true },
  ]);
  fill('kernels', data.kernels, [
    { title: 'kernel', show: row => row.name, cell: 'name-cell' },
    { title: 'count', show: row => row.count, number: true },
    { title: 'time', show: row => duration(row.time), number: true },
    { title: 'mean', show: row => duration(row.mean), number: true },
    { title: 'share', show: row => percent(row.share), number: true },
    { title: 'grid', show: row => size(row.grid), number: true },
    { title: 'block', show: row => size(row.block), number: true },
    { title: 'registers', show: row => row.registers === undefined ? '\u2013' : String(row.registers), number: true },
    { title: 'occupancy', show: row => row.occupancy === undefined || row.occupancy === null ? '\u2013' : percent(row.occupancy), number: true },
    { title: 'shapes', show: row => String(row.shapes), number: true },
  ], data.kernelsLeftOut ? ` ${data.kernelsLeftOut} shorter ones are left out here.` : '');
}

/** The task table: sortable by each column, filtered as one types. */
function taskTable(place, filter) {
  if (!data.tasks.length) { place.append(empty('No task ran.')); filter.hidden = true; return; }
  const time = key => task => task.runs ? duration(task[key]) : '\u2013';
  const columns = [
    { title: 'task', key: 'name', show: task => task.name, cell: 'name-cell' },
    { title: 'stream', key: 'lane', show: task => task.lane },
    { title: 'graph', key: 'graph', show: task => task.graph },
    { title: 'median', key: 'median', show: time('median'), number: true },
    { title: 'p05', key: 'p05', show: time('p05'), number: true },
    { title: 'p95', key: 'p95', show: time('p95'), number: true },
    { title: 'of step', key: 'share', show: task => task.runs ? percent(task.share) : '\u2013', number: true },
    { title: 'slack', key: 'slack', show: task => task.slack === null ? '\u2013' : duration(task.slack), number: true },
    { title: 'critical', key: 'critical', show: task => task.critical === null ? '\u2013' : percent(task.critical), number: true },
  ];
  let order = { column: columns[6], descending: true };
  const head = make('tr');
  const body = make('tbody');
  const note = make('p', { class: 'sub' });
  const compare = (a, b) => {
    const x = a[order.column.key];
    const y = b[order.column.key];
    // What is unknown comes last, whichever way one sorts.
    if (x === null || y === null) return (x === null) - (y === null);
    const difference = order.column.number ? x - y : x < y ? -1 : x > y ? 1 : 0;
    return order.descending ? -difference : difference;
  };
  const fill = () => {
    const wanted = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = data.tasks.filter(task => wanted.every(word => `${task.name} ${task.lane} ${task.graph}`.toLowerCase().includes(word))).sort(compare);
    body.replaceChildren(...rows.slice(0, 1000).map(task => make('tr', {}, ...columns.map((column, index) => make('td', { class: column.number ? 'num' : column.cell || '' },
      index === 0 ? make('span', { class: 'swatch', style: { background: familyColors[task.family] } }) : null, column.show(task))))));
    note.textContent = rows.length === 0 ? 'No task matches.' : data.tasksLeftOut ? `${data.tasksLeftOut} shorter tasks are left out here.` : '';
    columns.forEach((column, index) => {
      if (column === order.column) head.children[index].setAttribute('aria-sort', order.descending ? 'descending' : 'ascending');
      else head.children[index].removeAttribute('aria-sort');
      head.children[index].firstChild.textContent = column.title + (column === order.column ? (order.descending ? ' \u2193' : ' \u2191') : '');
    });
  };
  for (const column of columns) {
    head.append(make('th', { class: column.number ? 'num' : '' }, make('button', { type: 'button', onclick: () => {
      order = { column, descending: order.column === column ? !order.descending : Boolean(column.number) };
      fill();
    } }, column.title)));
  }
  filter.addEventListener('input', fill);
  place.append(make('table', {}, make('thead', {}, head), body), note);
  fill();
}

function findingList() {
  if (!data.findings.length) return [empty('Nothing odd was found.')];
  const kind = { error: 'bad', data_loss: 'bad', notice: 'warn', info: '' };
  const list = data.findings.map(finding => make('div', { class: 'finding' },
    make('span', { class: 'badge ' + (kind[finding.severity] || '') }, words(finding.severity)),
    make('p', {}, make('b', {}, words(finding.name)), finding.count > 1 ? ` \u00d7 ${finding.count.toLocaleString('en-US')}` : '', ': ' + finding.message)));
  if (data.findingsLeftOut) list.push(empty(`${data.findingsLeftOut} more are left out here.`));
  return list;
}

function provenanceTable() {
  const table = make('table');
  for (const [key, value] of Object.entries(data.provenance)) {
    table.append(make('tr', {}, make('td', {}, words(key)), make('td', {}, value.includes('\n') ? make('pre', {}, value) : value)));
  }
  return Object.keys(data.provenance).length ? [table] : [empty('The recording says nothing about where it comes from.')];
}
