#include <gtest/gtest.h>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/gpu_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/app/app_screen.h"
#include "tests/viewer/app/golden_picture.h"
#include "tests/viewer/model/timeline/repeated_trace.h"
#include "viewer/platform/font_loader.h"

namespace quintet::viewer {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 640;

/// Pictures are compared in the one face that they were made with.
class GoldenPictures : public testing::Test {
 protected:
  void SetUp() override {
    if (dejavu_folder().empty()) GTEST_SKIP() << "fonts-dejavu-core is not installed";
  }

  /// The tab below, without the row of titles.
  static Image tab_of(AppScreen& world) {
    const PaneLayout& layout = world.workbench().layout;
    const int top = kHeight - static_cast<int>(layout.bottom_height) - 25 + 28;
    return world.screen().picture().cut(0, top, kWidth, kHeight - top);
  }
};

Trace told(Trace trace, const std::string& policy) {
  trace.provenance["policy"] = policy;
  trace.provenance["scenario"] = "made-up";
  trace.provenance["gpu"] = "Made-up GPU";
  trace.provenance["started"] = "2026-11-30T10:00:00Z";
  trace.provenance["untraced_step_ns"] = "950";
  trace.provenance["traced_step_ns"] = "1000";
  trace.provenance["dropped_spans"] = "0";
  trace.provenance["verdict"] = "race-free";
  return trace;
}

TEST_F(GoldenPictures, StartScreen) {
  const TemporaryFolder folder;
  for (const char* policy : {"serial", "renaissance", "renaissance-dataflow"}) {
    Trace trace = told(tiny_trace(), policy);
    trace.provenance["network"] = "mlp";
    trace.provenance["batch"] = "128";
    trace.provenance["step_mode"] = "whole_step";
    ASSERT_TRUE(write_trace(trace, folder.file(std::string(policy) + ".qtrace"), TraceForm::plain));
  }
  AppOptions options;
  options.recorded_folder = folder.path();
  options.why_no_runs = "this is a picture";
  AppScreen world(options, {kWidth, 420, 1});
  expect_picture("start", world.screen().picture());
}

TEST_F(GoldenPictures, TasksInTheLightTheme) {
  AppScreen world({}, {kWidth, kHeight, 1});
  world.place(told(gpu_trace(GpuStepMode::whole_step), "renaissance"));
  world.send(command_id::kTheme);
  world.send(command_id::kTab, std::string("tasks"));
  expect_picture("tasks", tab_of(world));
}

TEST_F(GoldenPictures, ComparisonOfTwoRuns) {
  AppScreen world({}, {kWidth, kHeight, 1});
  world.place(told(tiny_serial_trace(), "serial"), Side::a, "serial.qtrace");
  world.place(told(tiny_trace(), "renaissance"), Side::b, "renaissance.qtrace");
  world.send(command_id::kTab, std::string("compare"));
  expect_picture("compare", tab_of(world));
}

TEST_F(GoldenPictures, FiftyStepsToldInSums) {
  AppScreen world({}, {1200, kHeight, 1});
  // Under a name that no other test leaves notes beside.
  world.place(told(repeated_trace(10), "renaissance"), Side::a, "folded.qtrace");
  world.send(command_id::kCriticalPath);
  world.send(command_id::kFit);
  expect_picture("folded", world.screen().picture().cut(254, 39, 634, 240));
}

TEST_F(GoldenPictures, SelectionOfAKernel) {
  AppScreen world({}, {kWidth, 1440, 1});
  world.place(told(gpu_trace(GpuStepMode::whole_step), "renaissance"));
  world.send(command_id::kSelect,
             select_task(*world.workbench().document(Side::a), Side::a, kGpuFwd));
  const int width = static_cast<int>(world.workbench().layout.right_width);
  expect_picture("selection", world.screen().picture().cut(kWidth - width, 39, width, 560));
}

TEST_F(GoldenPictures, ThePaletteFindsACommand) {
  AppScreen world({}, {700, 520, 1});
  world.press({Key::p, true});
  world.type("theme");
  expect_picture("palette", world.screen().picture().cut(60, 20, 580, 120));
}

}  // namespace
}  // namespace quintet::viewer
