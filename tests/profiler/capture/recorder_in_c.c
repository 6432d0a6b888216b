#include "tests/profiler/capture/recorder_in_c.h"

static int declare_in_c(quintet_recorder* recorder) {
  const quintet_lane stream = {sizeof(quintet_lane), "left", QUINTET_LANE_STREAM, 0, 0, -1};
  const quintet_lane host = {sizeof(quintet_lane), "main", QUINTET_LANE_HOST, 0, 0, 0};
  const quintet_region region = {sizeof(quintet_region), "x", QUINTET_DEVICE, 0, 4096};
  quintet_task task = {0};
  quintet_access access = {0};
  uint32_t id = 0;
  if (quintet_add_lane(recorder, &stream, &id) != QUINTET_OK || id != 0) return __LINE__;
  if (quintet_add_lane(recorder, &host, &id) != QUINTET_OK || id != 1) return __LINE__;
  if (quintet_add_region(recorder, &region, &id) != QUINTET_OK || id != 0) return __LINE__;
  task.size = sizeof task;
  task.name = "scale";
  task.op_kind = "SCALE";
  task.lane = 0;
  task.flops = 1024;
  if (quintet_add_task(recorder, &task, &id) != QUINTET_OK || id != 0) return __LINE__;
  task.name = "prepare";
  task.lane = 1;
  if (quintet_add_task(recorder, &task, &id) != QUINTET_OK || id != 1) return __LINE__;
  access.size = sizeof access;
  access.region = 0;
  access.mode = QUINTET_UPDATE;
  access.offset = 1024;
  access.bytes = 512;
  access.stride = 1024;
  access.count = 3;
  if (quintet_add_access(recorder, 0, &access) != QUINTET_OK) return __LINE__;
  if (quintet_add_graph(recorder, "step", 0, &id) != QUINTET_OK || id != 0) return __LINE__;
  if (quintet_add_edge(recorder, 0, 1, 0, "prepared before") != QUINTET_OK) return __LINE__;
  return 0;
}

int record_in_c(quintet_recorder* recorder) {
  quintet_step_result result = {0};
  int64_t now = 0;
  const int declared = declare_in_c(recorder);
  if (declared != 0) return declared;
  if (quintet_graph_begin(recorder, 0) != QUINTET_OK) return __LINE__;
  if (quintet_task_begin(recorder, 0, QUINTET_NO_ID) != QUINTET_OK) return __LINE__;
  if (quintet_task_end(recorder) != QUINTET_OK) return __LINE__;
  if (quintet_graph_end(recorder) != QUINTET_OK) return __LINE__;
  if (quintet_recorder_start(recorder) != QUINTET_OK) return __LINE__;
  if (quintet_step_begin(recorder, 5) != QUINTET_OK) return __LINE__;
  now = quintet_recorder_now_ns();
  if (quintet_host_span(recorder, 1, 1, 5, now, now + 1000) != QUINTET_OK) return __LINE__;
  if (quintet_launch_begin(recorder, 0, 0, 5) != QUINTET_OK) return __LINE__;
  if (quintet_launch_end(recorder) != QUINTET_OK) return __LINE__;
  result.size = sizeof result;
  result.batch = 8;
  result.has_loss = 1;
  result.loss = 0.5;
  if (quintet_step_end(recorder, 5, &result) != QUINTET_OK) return __LINE__;
  return quintet_recorder_finish(recorder) == QUINTET_OK ? 0 : __LINE__;
}
