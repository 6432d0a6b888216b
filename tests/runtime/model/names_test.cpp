// Names are what files, reports and policies carry: each must come back as what it was.

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "runtime/model/graph_id.h"
#include "runtime/model/lane.h"
#include "runtime/model/op_kind.h"
#include "runtime/model/step_program.h"
#include "runtime/model/stream_kind.h"
#include "runtime/model/task.h"

namespace quintet {
namespace {

TEST(OpKind, NamesAreUniqueAndComeBack) {
  std::set<std::string_view> names;
  for (const OpKind kind : all_op_kinds()) {
    const std::string_view name = name_of(kind);
    EXPECT_FALSE(name.empty());
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_EQ(op_kind_from_name(name), kind) << name;
  }
  EXPECT_FALSE(op_kind_from_name("CONV_FP64_FWD"));
  EXPECT_FALSE(op_kind_from_name(""));
}

TEST(OpKind, EveryKindOfBothEnumsIsListedInOrder) {
  std::vector<OpKind> expected;
  for (int op = 0; op <= static_cast<int>(ComputeOp::HOST_READ_RESULTS); ++op)
    expected.emplace_back(static_cast<ComputeOp>(op));
  for (int op = 0; op <= static_cast<int>(RangeOp::RANGE_BN_STATS_UPDATE); ++op)
    expected.emplace_back(static_cast<RangeOp>(op));
  EXPECT_EQ(all_op_kinds(), expected);
}

TEST(OpKind, HostKindsAreThoseNamedSo) {
  for (const OpKind kind : all_op_kinds())
    EXPECT_EQ(runs_on_host(kind), name_of(kind).starts_with("HOST_")) << name_of(kind);
}

TEST(GraphId, NamesAreUniqueAndComeBack) {
  std::set<std::string_view> names;
  for (const GraphId graph : all_graph_ids()) {
    EXPECT_TRUE(names.insert(name_of(graph)).second) << name_of(graph) << " twice";
    EXPECT_EQ(graph_from_name(name_of(graph)), graph);
    EXPECT_EQ(runs_on_host(graph), name_of(graph).starts_with("HOST_")) << name_of(graph);
  }
  EXPECT_FALSE(graph_from_name("DEEP_FWD"));
}

TEST(GraphId, EveryAFormHasItsBFormNext) {
  int pairs = 0;
  for (const GraphId graph : all_graph_ids()) {
    const std::string name(name_of(graph));
    if (!name.ends_with("_A")) continue;
    ++pairs;
    EXPECT_EQ(for_slot(graph, BufferSlot::A), graph);
    EXPECT_EQ(name_of(for_slot(graph, BufferSlot::B)), name.substr(0, name.size() - 1) + "B");
  }
  EXPECT_EQ(pairs, 11);
}

TEST(BufferSlot, HasOneOther) {
  EXPECT_EQ(other(BufferSlot::A), BufferSlot::B);
  EXPECT_EQ(other(BufferSlot::B), BufferSlot::A);
}

TEST(StreamKind, NamesComeBackAndAreExactlyFive) {
  for (const StreamKind stream : kStreamKinds) {
    EXPECT_EQ(stream_from_name(name_of(stream)), stream);
    EXPECT_EQ(kStreamKinds[index_of(stream)], stream);
  }
  EXPECT_FALSE(stream_from_name("COMP_4"));
  EXPECT_FALSE(stream_from_name("comp_1"));
}

TEST(LaneTable, IsIndexedByLaneOf) {
  const LaneTable lanes = runtime_lanes(3, 1);
  ASSERT_EQ(lanes.size(), 7U);
  for (const StreamKind stream : kStreamKinds) {
    EXPECT_EQ(lanes[lane_of(stream).value()].name, name_of(stream));
    EXPECT_EQ(lanes[lane_of(stream).value()].kind, LaneKind::stream);
  }
  for (const HostActor actor : {HostActor::MAIN, HostActor::LOADER}) {
    EXPECT_EQ(lanes[lane_of(actor).value()].name, name_of(actor));
    EXPECT_EQ(lanes[lane_of(actor).value()].kind, LaneKind::host);
  }
  for (const Lane& lane : lanes) {
    EXPECT_EQ(lanes[lane.id.value()].id, lane.id);
    EXPECT_EQ(lane.rank, 3);
    EXPECT_EQ(lane.device, 1);
  }
}

TEST(TaskPart, NamesAreUnique) {
  std::set<std::string_view> names;
  for (std::size_t part = 0; part < kTaskPartCount; ++part)
    EXPECT_TRUE(names.insert(name_of(static_cast<TaskPart>(part))).second);
  EXPECT_EQ(name_of(TaskPart::host), "host");
}

TEST(StepEvent, EveryOneHasItsOwnName) {
  std::set<std::string_view> names;
  for (int event = 0; event <= static_cast<int>(StepEvent::step_done); ++event) {
    const std::string_view name = name_of(static_cast<StepEvent>(event));
    EXPECT_FALSE(name.empty()) << event;
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
  }
}

}  // namespace
}  // namespace quintet
