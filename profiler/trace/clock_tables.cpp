#include "profiler/trace/clock_tables.h"

#include <limits>

namespace quintet {

namespace {

constexpr std::int64_t kLastClockTime = 1LL << 62;

bool in(std::int64_t index, std::size_t size) {
  return index >= 0 && static_cast<std::uint64_t>(index) < size;
}

bool sensible(const TraceClockPair& pair) {
  return 0 <= pair.clock_ns && pair.clock_ns <= kLastClockTime && 0 <= pair.trace_ns &&
         pair.trace_ns <= kLastClockTime && 0 <= pair.width_ns && pair.width_ns <= kLastClockTime;
}

}  // namespace

void write_clocks(Database& database, const TraceBatch& batch) {
  Statement clock = database.prepare("INSERT INTO clocks SELECT count(*), ? FROM clocks");
  for (const TraceClock& each : batch.clocks)
    clock.run(each.name);
  if (!batch.lane_clocks.empty()) {
    change_table(database, "lane_clocks", [&] {
      Statement lane = database.prepare("INSERT OR REPLACE INTO lane_clocks VALUES (?, ?)");
      for (const TraceLaneClock& each : batch.lane_clocks)
        lane.run(each.lane, each.clock);
    });
  }
  Statement pair = database.prepare(
      "INSERT INTO clock_pairs(clock, clock_ns, trace_ns, width_ns) VALUES (?, ?, ?, ?)");
  for (const TraceClockPair& each : batch.clock_pairs)
    pair.run(each.clock, each.clock_ns, each.trace_ns, each.width_ns);
}

std::int64_t read_clocks(Database& database, Trace& trace, ChecksumReader& checks) {
  const std::int64_t tables = database.integer(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' "
      "AND name IN ('clocks', 'lane_clocks', 'clock_pairs')");
  if (tables == 0) return 0;
  std::int64_t dropped = 0;
  CheckedRows clocks(checks, "clocks", database.prepare("SELECT id, name FROM clocks ORDER BY id"));
  while (clocks.step() && trace.clocks.size() < std::numeric_limits<std::uint16_t>::max())
    trace.clocks.push_back({clocks.row().text(1)});
  CheckedRows lanes(checks, "lane_clocks",
                    database.prepare("SELECT lane, clock FROM lane_clocks ORDER BY lane"));
  const Statement& lane = lanes.row();
  while (lanes.step()) {
    if (in(lane.integer(0), trace.lanes.size()) && in(lane.integer(1), trace.clocks.size())) {
      trace.lane_clocks.push_back({static_cast<std::uint16_t>(lane.integer(0)),
                                   static_cast<std::uint16_t>(lane.integer(1))});
    } else {
      ++dropped;
    }
  }
  CheckedRows rows(
      checks, "clock_pairs",
      database.prepare(
          "SELECT id, clock, clock_ns, trace_ns, width_ns FROM clock_pairs ORDER BY id"));
  const Statement& row = rows.row();
  while (rows.step()) {
    const TraceClockPair pair{static_cast<std::uint16_t>(row.integer(1)), row.integer(2),
                              row.integer(3), row.integer(4)};
    if (in(row.integer(1), trace.clocks.size()) && sensible(pair)) {
      trace.clock_pairs.push_back(pair);
    } else {
      ++dropped;
    }
  }
  return dropped;
}

}  // namespace quintet
