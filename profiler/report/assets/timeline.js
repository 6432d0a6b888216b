// The timeline of one step: rows of boxes on a canvas, an overview above it, a card below the pointer.
class Timeline {
  static labelWidth = 104;
  static axisHeight = 26;
  static foldBelow = 3;  // px: shorter boxes become density blocks

  /** `report` holds the lanes, tasks, edges and causes that its timelines refer to. */
  constructor(canvas, overview, report) {
    this.canvas = canvas;
    this.overview = overview;
    this.report = report;
    this.selected = null;
    this.hovered = null;
    this.options = { waits: true, critical: false };
    this.listen();
  }

  show(timeline) {
    this.timeline = timeline;
    this.selected = this.hovered = null;
    const lanes = new Map();
    for (const [task, lane, begin, length, step, cpu, slack] of timeline.boxes) {
      if (!lanes.has(lane)) lanes.set(lane, []);
      lanes.get(lane).push({ task: this.report.tasks[task] || null, index: task, lane, begin, length, step, cpu, slack });
    }
    // Every stream has its row, also the idle ones: that a policy leaves a stream unused is news.
    this.rows = [];
    let y = Timeline.axisHeight;
    this.report.lanes.forEach((lane, index) => {
      if (lane.host && !lanes.has(index)) return;
      const height = lane.host ? 22 : 36;
      this.rows.push({ lane, index, y, height, boxes: lanes.get(index) || [],
        waits: timeline.waits.filter(wait => wait[0] === index) });
      y += height + 5;
    });
    this.height = y + 2;
    this.fit();
  }

  /** Two timelines that show the same span of time, each from the begin of its own step. */
  static link(a, b) {
    a.peer = b;
    b.peer = a;
  }
  /** How long the longer of the linked steps is. */
  get extent() { return Math.max(this.timeline.length, this.peer && this.peer.timeline ? this.peer.timeline.length : 0); }
  look(view) {
    for (const each of [this, this.peer]) {
      if (!each || !each.timeline) continue;
      each.view = view;
      each.paint();
    }
  }
  /** Selects a box, and the same task in the linked timeline. */
  select(box) {
    this.selected = box;
    this.paint();
    if (!this.peer || !this.peer.timeline) return;
    const boxes = this.peer.rows.flatMap(row => row.boxes);
    this.peer.selected = (box && box.task && boxes.find(each => each.task && each.task.name === box.task.name)) || null;
    this.peer.paint();
  }

  fit() { this.look({ from: 0, to: Math.max(1, this.extent) }); }

  get plotWidth() { return Math.max(10, this.canvas.clientWidth - Timeline.labelWidth); }
  x(time) { return Timeline.labelWidth + (time - this.view.from) / (this.view.to - this.view.from) * this.plotWidth; }
  time(x) { return this.view.from + (x - Timeline.labelWidth) / this.plotWidth * (this.view.to - this.view.from); }

  zoom(factor, at) {
    const { from, to } = this.view;
    const length = Math.min(this.extent * 1.2, Math.max(200, (to - from) * factor));
    const part = (at - from) / (to - from);
    this.move(at - part * length, length);
  }
  move(from, length) {
    const margin = this.extent * 0.1;
    from = Math.max(-margin, Math.min(this.extent + margin - length, from));
    this.look({ from, to: from + length });
  }

  paint() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => { this.paintRows(); this.paintOverview(); });
  }

  paintRows() {
    const [g, width] = canvasContext(this.canvas, this.height);
    const colors = { text: style('--text'), soft: style('--soft'), lane: style('--lane'), line: style('--line'), panel: style('--panel') };
    this.paintAxis(g, width, colors);
    for (const row of this.rows) {
      g.fillStyle = colors.lane;
      g.fillRect(Timeline.labelWidth, row.y, width - Timeline.labelWidth, row.height);
      g.fillStyle = row.lane.host ? colors.soft : colors.text;
      g.font = (row.lane.host ? '11.5px ' : '600 12.5px ') + style('--font');
      g.textAlign = 'left';
      g.textBaseline = 'middle';
      g.fillText(row.lane.name, 0, row.y + row.height / 2, Timeline.labelWidth - 8);
      g.save();
      g.beginPath();
      g.rect(Timeline.labelWidth, row.y, width - Timeline.labelWidth, row.height);
      g.clip();
      if (this.options.waits) this.paintWaits(g, row);
      this.paintBoxes(g, row, colors);
      g.restore();
    }
    this.paintEdges(g, width, colors);
    this.paintBorders(g, colors);
  }

  paintAxis(g, width, colors) {
    g.font = '11.5px ' + style('--font');
    g.textBaseline = 'middle';
    g.lineWidth = 1;
    const ticks = niceTicks(this.view.from, this.view.to, this.plotWidth / 110);
    const names = timeTickNames(ticks);
    for (const [index, tick] of ticks.entries()) {
      const x = Math.round(this.x(tick)) + 0.5;
      if (x < Timeline.labelWidth) continue;
      g.strokeStyle = colors.line;
      g.beginPath();
      g.moveTo(x, 18);
      g.lineTo(x, this.height);
      g.stroke();
      g.fillStyle = colors.soft;
      const label = names[index];
      g.textAlign = x + g.measureText(label).width / 2 > width ? 'right' : x - 20 < Timeline.labelWidth ? 'left' : 'center';
      g.fillText(label, x, 9);
    }
  }

  paintWaits(g, row) {
    for (const [, begin, length, cause] of row.waits) {
      const x = this.x(begin);
      const right = this.x(begin + length);
      const color = causeColors[cause];
      if (!color || right - x < 2 || right < Timeline.labelWidth || x > Timeline.labelWidth + this.plotWidth) continue;
      g.save();
      g.beginPath();
      g.rect(x, row.y, right - x, row.height);
      g.clip();
      g.globalAlpha = 0.13;
      g.fillStyle = color;
      g.fillRect(x, row.y, right - x, row.height);
      g.globalAlpha = 0.5;
      g.strokeStyle = color;
      g.lineWidth = 1;
      g.beginPath();
      // Anchored to the picture, not to the wait, so that hatches do not swim while panning.
      const first = Math.floor(Math.max(x, Timeline.labelWidth) / 7) * 7 - row.height;
      for (let at = first; at < Math.min(right, Timeline.labelWidth + this.plotWidth) + row.height; at += 7) {
        g.moveTo(at, row.y + row.height);
        g.lineTo(at + row.height, row.y);
      }
      g.stroke();
      g.restore();
    }
  }

  paintBoxes(g, row, colors) {
    const folded = new Map();
    const left = Timeline.labelWidth;
    const right = left + this.plotWidth;
    for (const box of row.boxes) {
      const x = this.x(box.begin);
      const end = this.x(box.begin + box.length);
      if (end < left || x > right) continue;
      if (end - x < Timeline.foldBelow) {
        this.fold(folded, x, end, box);
        continue;
      }
      const color = box.task ? familyColors[box.task.family] : '#77808C';
      // A hairline parts neighbours without hiding either.
      const shownWidth = Math.max(1, end - x - 1);
      g.fillStyle = color;
      g.globalAlpha = this.options.critical && box.slack !== 0 ? 0.28 : 1;
      g.fillRect(x, row.y, shownWidth, row.height);
      g.globalAlpha = 1;
      this.paintLabel(g, row, box, color, Math.max(x, left), Math.min(x + shownWidth, right), colors);
    }
    // Boxes too short to see one by one: a block as high as their share of the pixels.
    for (const [pixel, cell] of folded) {
      const height = Math.max(2, Math.min(1, cell.busy) * row.height);
      g.fillStyle = cell.color;
      g.globalAlpha = this.options.critical && !cell.critical ? 0.28 : 1;
      g.fillRect(pixel, row.y + row.height - height, 2, height);
      g.globalAlpha = 1;
    }
  }

  fold(folded, x, end, box) {
    for (let pixel = Math.floor(x / 2) * 2; pixel < Math.max(end, x + 0.01); pixel += 2) {
      const cell = folded.get(pixel) || { busy: 0, longest: -1 };
      cell.busy += Math.max(0, Math.min(end, pixel + 2) - Math.max(x, pixel)) / 2;
      cell.critical = cell.critical || box.slack === 0;
      if (box.length > cell.longest) {
        cell.longest = box.length;
        cell.color = box.task ? familyColors[box.task.family] : '#77808C';
      }
      folded.set(pixel, cell);
    }
  }

  paintLabel(g, row, box, color, from, to, colors) {
    if (!box.task || to - from < 26) return;
    g.font = (row.lane.host ? '11px ' : '12px ') + style('--font');
    const room = to - from - 8;
    const label = [box.task.label, box.task.layer].find(text => text && g.measureText(text).width <= room);
    if (!label) return;
    const faded = this.options.critical && box.slack !== 0;
    g.fillStyle = faded ? colors.text : inkOn(color);
    g.textAlign = 'left';
    g.textBaseline = 'middle';
    g.fillText(label, from + 4, row.y + row.height / 2 + 0.5);
  }

  paintBorders(g, colors) {
    for (const [box, width] of [[this.hovered, 1.5], [this.selected, 2.5]]) {
      if (!box) continue;
      const row = this.rows.find(each => each.index === box.lane);
      const x = Math.max(Timeline.labelWidth, this.x(box.begin));
      const end = this.x(box.begin + box.length);
      if (end < Timeline.labelWidth) continue;
      g.strokeStyle = colors.text;
      g.lineWidth = width;
      g.strokeRect(x - 0.5, row.y - 0.5, Math.max(2, end - x), row.height + 1);
    }
  }

  /** Captured edges of the selected task, solid. */
  paintEdges(g, width, colors) {
    if (!this.selected) return;
    g.save();
    g.beginPath();
    g.rect(Timeline.labelWidth, 0, width - Timeline.labelWidth, this.height);
    g.clip();
    g.strokeStyle = colors.text;
    g.fillStyle = colors.text;
    g.lineWidth = 1.4;
    for (const [from, to] of this.edgesOfSelected()) {
      const a = this.rows.find(row => row.index === from.lane);
      const b = this.rows.find(row => row.index === to.lane);
      const x1 = this.x(from.begin + from.length);
      const x2 = this.x(to.begin);
      const y1 = a.y + a.height / 2;
      const y2 = b.y + b.height / 2;
      const bend = Math.max(12, Math.abs(x2 - x1) / 2);
      g.beginPath();
      g.moveTo(x1, y1);
      g.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
      g.stroke();
      g.beginPath();
      g.moveTo(x2 + 1, y2);
      g.lineTo(x2 - 6, y2 - 4);
      g.lineTo(x2 - 6, y2 + 4);
      g.fill();
    }
    g.restore();
  }
  edgesOfSelected() {
    const here = this.selected;
    const boxOf = index => {
      for (const row of this.rows) {
        const found = row.boxes.find(box => box.index === index && box.step === here.step);
        if (found) return found;
      }
      return null;
    };
    return this.report.edges.filter(([from, to]) => from === here.index || to === here.index)
      .map(([from, to]) => [from === here.index ? here : boxOf(from), to === here.index ? here : boxOf(to)])
      .filter(([from, to]) => from && to);
  }

  /** How many streams work at each moment, and which part the timeline shows. */
  paintOverview() {
    const height = 34;
    const [g, width] = canvasContext(this.overview, height);
    const left = Timeline.labelWidth;
    const scale = (width - left) / this.extent;
    g.fillStyle = style('--lane');
    g.fillRect(left, 0, width - left, height);
    const changes = [];
    for (const row of this.rows) {
      if (row.lane.host) continue;
      for (const box of row.boxes) changes.push([Math.max(0, box.begin), 1], [Math.min(this.timeline.length, box.begin + box.length), -1]);
    }
    changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const most = Math.max(1, this.rows.filter(row => !row.lane.host).length);
    let active = 0;
    let since = 0;
    g.fillStyle = style('--soft');
    for (const [time, change] of changes) {
      const level = active / most * (height - 2);
      if (active > 0) g.fillRect(left + since * scale, height - level, Math.max(0.4, (time - since) * scale), level);
      active += change;
      since = time;
    }
    g.fillStyle = style('--soft');
    g.font = '11px ' + style('--font');
    g.textBaseline = 'middle';
    g.fillText('streams active', 0, height / 2);
    const x = left + Math.max(0, this.view.from) * scale;
    const end = left + Math.min(this.extent, this.view.to) * scale;
    g.fillStyle = style('--bg');
    g.globalAlpha = 0.72;
    g.fillRect(left, 0, x - left, height);
    g.fillRect(end, 0, width - end, height);
    g.globalAlpha = 1;
    g.strokeStyle = style('--accent');
    g.lineWidth = 1.5;
    g.strokeRect(x + 0.75, 0.75, Math.max(2, end - x - 1.5), height - 1.5);
  }

  rowAt(y) { return this.rows.find(row => y >= row.y && y < row.y + row.height); }
  boxAt(x, y) {
    const row = this.rowAt(y);
    if (!row || x < Timeline.labelWidth) return null;
    // The nearest box within two pixels: short ones must be reachable too.
    let best = null;
    let distance = 2;
    for (const box of row.boxes) {
      const away = Math.max(this.x(box.begin) - x, x - this.x(box.begin + box.length), 0);
      if (away < distance || (away === 0 && best && box.length < best.length)) { best = box; distance = away; }
    }
    return best;
  }
  waitAt(x, y) {
    const row = this.rowAt(y);
    if (!row || x < Timeline.labelWidth) return null;
    const time = this.time(x);
    return row.waits.find(([, begin, length]) => time >= begin && time < begin + length) || null;
  }

  boxCard(box) {
    const task = box.task;
    const title = task ? task.name : 'one of the tasks left out of this report';
    const waited = this.timeline.waits.filter(wait => wait[0] === box.lane && wait[5] === box.index && wait[1] + wait[2] <= box.begin && box.begin - (wait[1] + wait[2]) < this.timeline.length)
      .filter(wait => wait[1] >= this.endBefore(box));
    return [make('h3', {}, title), facts([
      ['duration', duration(box.length)],
      ['over steps', task && task.runs ? `${duration(task.median)} [${duration(task.p05)}, ${duration(task.p95)}]` : null],
      ['begins at', duration(box.begin)],
      ['layer', task && task.layer],
      ['op kind', task && task.kind + (task.part ? ', ' + task.part : '')],
      ['graph', task && task.graph],
      ['stream', this.report.lanes[box.lane].name],
      ['placed by', task && task.why],
      ['serves step', box.step !== this.timeline.step ? box.step : null],
      ['CPU time', box.cpu >= 0 ? `${duration(box.cpu)} (${percent(box.length ? box.cpu / box.length : 0)})` : null],
      ['slack', box.slack === null ? null : box.slack === 0 ? 'none: on the critical path' : duration(box.slack)],
      ...waited.map(wait => ['waited', `${duration(wait[2])} for ${this.reason(wait)}`]),
    ])];
  }
  endBefore(box) {
    const row = this.rows.find(each => each.index === box.lane);
    return row.boxes.reduce((latest, each) => each !== box && each.begin + each.length <= box.begin ? Math.max(latest, each.begin + each.length) : latest, 0);
  }
  reason(wait) {
    const blocker = this.report.tasks[wait[4]];
    switch (this.report.causes[wait[3]]) {
      case 'dependency': return blocker ? blocker.name : 'a task';
      case 'launch': return 'the launch';
      case 'host_sync': return 'the host, which was blocked';
      case 'data_loader': return 'data';
      default: return 'nothing';
    }
  }
  waitCard(wait) {
    const idle = this.report.causes[wait[3]] === 'nothing_to_do';
    const next = this.report.tasks[wait[5]];
    return [make('h3', {}, idle ? 'Nothing to do' : 'Waits for ' + this.reason(wait)),
      facts([['duration', duration(wait[2])], ['cause', idle ? null : words(this.report.causes[wait[3]])],
        ['then runs', next && next.name], ['stream', this.report.lanes[wait[0]].name]])];
  }

  step(direction) {
    const boxes = this.selected ? this.rows.find(row => row.index === this.selected.lane).boxes
      : (this.rows.find(row => row.boxes.length) || { boxes: [] }).boxes;
    if (!boxes.length) return;
    const at = boxes.indexOf(this.selected);
    this.selected = boxes[Math.max(0, Math.min(boxes.length - 1, at + direction))];
    const { from, to } = this.view;
    if (this.selected.begin < from || this.selected.begin > to) this.move(this.selected.begin - (to - from) / 2, to - from);
    else this.paint();
  }

  listen() {
    let drag = null;
    this.canvas.addEventListener('pointerdown', event => {
      drag = { x: event.offsetX, from: this.view.from, moved: false };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener('pointermove', event => {
      if (drag) {
        const length = this.view.to - this.view.from;
        if (Math.abs(event.offsetX - drag.x) > 3) drag.moved = true;
        if (drag.moved) {
          this.canvas.classList.add('dragging');
          card.hide();
          this.move(drag.from - (event.offsetX - drag.x) / this.plotWidth * length, length);
        }
        return;
      }
      const box = this.boxAt(event.offsetX, event.offsetY);
      const wait = box ? null : this.waitAt(event.offsetX, event.offsetY);
      if (box) card.show(event, ...this.boxCard(box));
      else if (wait && this.options.waits) card.show(event, ...this.waitCard(wait));
      else card.hide();
      if (box !== this.hovered) { this.hovered = box; this.paint(); }
    });
    const release = event => {
      if (drag && !drag.moved && event.type === 'pointerup') this.select(this.boxAt(event.offsetX, event.offsetY));
      drag = null;
      this.canvas.classList.remove('dragging');
    };
    this.canvas.addEventListener('pointerup', release);
    this.canvas.addEventListener('pointercancel', release);
    this.canvas.addEventListener('pointerleave', () => { card.hide(); if (this.hovered) { this.hovered = null; this.paint(); } });
    this.canvas.addEventListener('dblclick', event => {
      const box = this.boxAt(event.offsetX, event.offsetY);
      if (box) this.move(box.begin - box.length, Math.max(200, box.length * 3));
    });
    this.canvas.addEventListener('wheel', event => {
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
      const length = this.view.to - this.view.from;
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(event.deltaY * 0.002), this.time(event.offsetX));
      else if (sideways) this.move(this.view.from + (event.deltaX || event.deltaY) / this.plotWidth * length, length);
      else return;  // the page scrolls
      event.preventDefault();
      card.hide();
    }, { passive: false });
    this.canvas.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const length = this.view.to - this.view.from;
      const center = (this.view.from + this.view.to) / 2;
      const keys = {
        w: () => this.zoom(0.7, center), '+': () => this.zoom(0.7, center), s: () => this.zoom(1 / 0.7, center), '-': () => this.zoom(1 / 0.7, center),
        a: () => this.move(this.view.from - length / 5, length), ArrowLeft: () => this.move(this.view.from - length / 5, length),
        d: () => this.move(this.view.from + length / 5, length), ArrowRight: () => this.move(this.view.from + length / 5, length),
        f: () => this.fit(), '[': () => this.step(-1), ']': () => this.step(1), Escape: () => this.select(null),
      };
      const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (action) { event.preventDefault(); action(); }
    });
    const jump = event => {
      if (!event.buttons) return;
      const length = this.view.to - this.view.from;
      const time = (event.offsetX - Timeline.labelWidth) / Math.max(1, this.overview.clientWidth - Timeline.labelWidth) * this.extent;
      this.move(time - length / 2, length);
    };
    this.overview.addEventListener('pointerdown', event => { this.overview.setPointerCapture(event.pointerId); jump(event); });
    this.overview.addEventListener('pointermove', jump);
    addEventListener('resize', () => this.paint());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.paint());
  }
}
