// What the recorder says where the driver serves another profiler, and where there is none.
#include "profiler/capture/cupti_session.h"

#include <cupti.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/gpu_fixture.h"

namespace quintet {
namespace {

using testing::HasSubstr;

class Nobody final : public DeviceListener {
  void node_created(std::uint64_t) override {}
  void node_cloned(std::uint64_t, std::uint64_t) override {}
  void graph_launched(std::uint32_t) override {}
  void driver_called(DriverCall) override {}
  void recorded(std::span<const DeviceRecord>) override {}
};

class CuptiSessionTest : public GpuTest {};

TEST_F(CuptiSessionTest, NamesTheProfilerThatIsAttachedAlready) {
  CUpti_SubscriberHandle other = nullptr;
  CUpti_SubscriberParams params{};
  params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  params.subscriberName = "the first one";
  const auto ignore = [](void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {};
  ASSERT_EQ(cuptiSubscribe_v2(&other, ignore, nullptr, &params), CUPTI_SUCCESS);
  Nobody nobody;
  const auto refused = CuptiSession::open(nobody);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the first one"));
  ASSERT_EQ(cuptiUnsubscribe(other), CUPTI_SUCCESS);
  EXPECT_TRUE(CuptiSession::open(nobody));
}

TEST_F(CuptiSessionTest, IsOneAProcess) {
  Nobody nobody;
  const auto first = CuptiSession::open(nobody);
  ASSERT_TRUE(first) << to_string(first.error());
  const auto second = CuptiSession::open(nobody);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("already"));
}

}  // namespace
}  // namespace quintet
