#include "profiler/capture/cupti_records.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

template <class Record>
std::optional<DeviceRecord> decoded(const Record& record) {
  static KernelNames names;
  return device_record_of(reinterpret_cast<const CUpti_Activity&>(record), names);
}

TEST(CuptiRecords, OfAKernelKeepEveryFieldThatSpansNeed) {
  CUpti_ActivityKernel10 from{};
  from.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  from.name = "_ZN7quintet4reluEPfi";
  from.start = 1'700'000'000'000'000'123;
  from.end = 1'700'000'000'000'000'999;
  from.deviceId = 1;
  from.contextId = 2;
  from.streamId = 300;
  from.correlationId = 0xFFFFFFF0;
  from.graphNodeId = (std::uint64_t{7} << 32) | 5;
  from.graphId = 7;
  from.channelID = 12;
  from.channelType = CUPTI_CHANNEL_TYPE_COMPUTE;
  from.gridX = 132;
  from.gridY = 2;
  from.gridZ = 3;
  from.blockX = 128;
  from.blockY = 1;
  from.blockZ = 2;
  from.registersPerThread = 168;
  from.staticSharedMemory = 1024;
  from.dynamicSharedMemory = 200'000;
  const auto record = decoded(from);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, ActivityKind::kernel);
  EXPECT_EQ(record->name, "quintet::relu(float*, int)");
  EXPECT_EQ(record->begin_ns, 1'700'000'000'000'000'123);
  EXPECT_EQ(record->end_ns, 1'700'000'000'000'000'999);
  EXPECT_EQ(record->device, 1U);
  EXPECT_EQ(record->stream, 300U);
  EXPECT_EQ(record->correlation, 0xFFFFFFF0U);
  EXPECT_EQ(record->graph_node, (std::uint64_t{7} << 32) | 5);
  EXPECT_EQ(record->graph, 7U);
  EXPECT_EQ(record->channel, 12U);
  EXPECT_EQ(record->launch, (LaunchShape{{132, 2, 3}, {128, 1, 2}, 168, 1024, 200'000, {}}));
  EXPECT_FALSE(record->bytes);
}

TEST(CuptiRecords, OfCopiesAndFillsCarryTheirBytes) {
  CUpti_ActivityMemcpy6 copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  copy.bytes = std::uint64_t{5} << 32;
  copy.graphNodeId = 9;
  copy.channelType = CUPTI_CHANNEL_TYPE_INVALID;
  const auto copied = decoded(copy);
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->kind, ActivityKind::memcpy);
  EXPECT_EQ(copied->name, "Memcpy HtoD");
  EXPECT_EQ(copied->bytes, std::uint64_t{5} << 32);
  EXPECT_FALSE(copied->channel);

  CUpti_ActivityMemset4 fill{};
  fill.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  fill.bytes = 64;
  fill.graphNodeId = 10;
  const auto filled = decoded(fill);
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->kind, ActivityKind::memset);
  EXPECT_EQ(filled->bytes, 64U);
  EXPECT_EQ(filled->graph_node, 10U);
}

TEST(CuptiRecords, OfALaunchAsAWholeNameTheGraph) {
  CUpti_ActivityGraphTrace2 from{};
  from.kind = CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
  from.graphId = 4;
  from.correlationId = 8;
  from.start = 10;
  from.end = 20;
  const auto record = decoded(from);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->kind, ActivityKind::graph);
  EXPECT_EQ(record->graph, 4U);
  EXPECT_EQ(record->graph_node, 0U);
}

TEST(CuptiRecords, OfOtherKindsAreNone) {
  CUpti_ActivityAPI call{};
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  EXPECT_FALSE(decoded(call));
}

TEST(CuptiRecords, WithoutANameSayUnknown) {
  CUpti_ActivityKernel10 from{};
  from.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  EXPECT_EQ(decoded(from)->name, "unknown");
}

}  // namespace
}  // namespace quintet
