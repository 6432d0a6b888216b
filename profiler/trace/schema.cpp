#include "profiler/trace/schema.h"

namespace quintet {

const char* schema_sql() {
  return R"sql(
PRAGMA application_id = 0x51545243;
PRAGMA user_version = 2;

CREATE TABLE recording(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL CHECK (state IN ('growing', 'complete', 'abandoned')),
  pid INTEGER NOT NULL,
  pid_start_ticks INTEGER NOT NULL,
  boot_id TEXT NOT NULL,
  heartbeat_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE provenance(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE findings(
  id INTEGER PRIMARY KEY,
  severity TEXT NOT NULL,
  name TEXT NOT NULL,
  message TEXT NOT NULL,
  count INTEGER NOT NULL
) STRICT;

CREATE TABLE lanes(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  device INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  priority INTEGER NOT NULL
) STRICT;
CREATE TABLE lane_origins(
  lane INTEGER PRIMARY KEY REFERENCES lanes(id),
  role TEXT NOT NULL,
  process INTEGER NOT NULL,
  context INTEGER NOT NULL,
  number INTEGER NOT NULL
) STRICT;
CREATE TABLE regions(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  stream TEXT,
  space TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  device INTEGER NOT NULL
) STRICT;
CREATE TABLE tensors(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  shape TEXT NOT NULL,
  dtype TEXT NOT NULL,
  variant TEXT NOT NULL,
  region INTEGER NOT NULL REFERENCES regions(id),
  offset INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
CREATE TABLE tasks(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  layer TEXT NOT NULL,
  op_kind TEXT NOT NULL,
  part TEXT NOT NULL,
  graph TEXT NOT NULL,
  shape TEXT NOT NULL,
  representative INTEGER NOT NULL,
  policy_lane INTEGER REFERENCES lanes(id),
  placement_reason TEXT NOT NULL,
  workspace_bytes INTEGER NOT NULL,
  flops REAL,
  bytes REAL
) STRICT;
CREATE TABLE task_covers(
  task INTEGER NOT NULL REFERENCES tasks(id),
  position INTEGER NOT NULL,
  semantic_id TEXT NOT NULL,
  PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE accesses(
  task INTEGER NOT NULL REFERENCES tasks(id),
  position INTEGER NOT NULL,
  region INTEGER NOT NULL REFERENCES regions(id),
  space TEXT NOT NULL,
  device INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  stride INTEGER NOT NULL,
  count INTEGER NOT NULL,
  mode TEXT NOT NULL,
  bound TEXT NOT NULL,
  origin TEXT NOT NULL,
  PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE graphs(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  primary_lane INTEGER NOT NULL REFERENCES lanes(id),
  empty INTEGER NOT NULL
) STRICT;
CREATE TABLE graph_tasks(
  graph INTEGER NOT NULL REFERENCES graphs(id),
  position INTEGER NOT NULL,
  task INTEGER NOT NULL REFERENCES tasks(id),
  PRIMARY KEY (graph, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE edges(
  graph INTEGER NOT NULL REFERENCES graphs(id),
  position INTEGER NOT NULL,
  from_task INTEGER NOT NULL REFERENCES tasks(id),
  to_task INTEGER NOT NULL REFERENCES tasks(id),
  rule TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (graph, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE commands(
  id INTEGER PRIMARY KEY,
  variant TEXT NOT NULL,
  position INTEGER NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  stream TEXT NOT NULL,
  graph TEXT NOT NULL,
  event TEXT NOT NULL,
  steps INTEGER NOT NULL,
  why TEXT NOT NULL
) STRICT;

CREATE TABLE steps(
  id INTEGER PRIMARY KEY,
  step INTEGER NOT NULL,
  phase TEXT NOT NULL,
  shape TEXT NOT NULL,
  slot TEXT NOT NULL,
  batch INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  loss REAL,
  correct INTEGER,
  learning_rate REAL,
  recording TEXT NOT NULL
) STRICT;
CREATE TABLE activities(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  graph_node INTEGER,
  captured_node INTEGER,
  grid_x INTEGER,
  grid_y INTEGER,
  grid_z INTEGER,
  block_x INTEGER,
  block_y INTEGER,
  block_z INTEGER,
  registers INTEGER,
  static_shared_bytes INTEGER,
  dynamic_shared_bytes INTEGER,
  occupancy REAL,
  bytes INTEGER
) STRICT;
CREATE TABLE span_batches(
  id INTEGER PRIMARY KEY,
  spans INTEGER NOT NULL,
  first_begin_ns INTEGER NOT NULL,
  last_end_ns INTEGER NOT NULL,
  first_step INTEGER NOT NULL,
  last_step INTEGER NOT NULL,
  begin_ns BLOB NOT NULL,
  end_ns BLOB NOT NULL,
  cpu_ns BLOB NOT NULL,
  task BLOB NOT NULL,
  step BLOB NOT NULL,
  lane BLOB NOT NULL,
  executor_lane BLOB NOT NULL,
  activity BLOB NOT NULL,
  correlation BLOB NOT NULL,
  channel BLOB NOT NULL
) STRICT;
CREATE TABLE untimed(
  id INTEGER PRIMARY KEY,
  task INTEGER NOT NULL REFERENCES tasks(id),
  step INTEGER NOT NULL,
  lane INTEGER NOT NULL REFERENCES lanes(id),
  executor_lane INTEGER NOT NULL REFERENCES lanes(id),
  activity INTEGER NOT NULL REFERENCES activities(id),
  correlation INTEGER NOT NULL,
  raw_begin_ns INTEGER NOT NULL,
  raw_end_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE host_waits(
  id INTEGER PRIMARY KEY,
  lane INTEGER NOT NULL REFERENCES lanes(id),
  step INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target TEXT NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE launches(
  id INTEGER PRIMARY KEY,
  graph INTEGER NOT NULL REFERENCES graphs(id),
  lane INTEGER NOT NULL REFERENCES lanes(id),
  step INTEGER NOT NULL,
  begin_ns INTEGER NOT NULL,
  end_ns INTEGER NOT NULL,
  correlation INTEGER NOT NULL
) STRICT;
CREATE TABLE clocks(id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE lane_clocks(
  lane INTEGER PRIMARY KEY REFERENCES lanes(id),
  clock INTEGER NOT NULL REFERENCES clocks(id)
) STRICT;
CREATE TABLE clock_pairs(
  id INTEGER PRIMARY KEY,
  clock INTEGER NOT NULL REFERENCES clocks(id),
  clock_ns INTEGER NOT NULL,
  trace_ns INTEGER NOT NULL,
  width_ns INTEGER NOT NULL
) STRICT;
CREATE TABLE checksums(
  table_name TEXT NOT NULL,
  batch INTEGER NOT NULL,
  rows INTEGER NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (table_name, batch)
) STRICT, WITHOUT ROWID;
)sql";
}

}  // namespace quintet
