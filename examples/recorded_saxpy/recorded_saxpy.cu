// A program of its own, which knows nothing of the runtime: two streams, a captured graph that forks and
// joins, an eager part, 20 steps; what the GPU did is recorded through quintet_recorder.h.

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler/capture/quintet_recorder.h"

namespace {

constexpr int kElements = 1 << 20;
constexpr int kThreads = 256;
constexpr int kBlocks = kElements / kThreads;
constexpr int64_t kSteps = 20;
constexpr uint64_t kBytes = kElements * sizeof(float);

__global__ void fill(float* to, float value, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = value;
}

__global__ void scale(float* to, const float* from, float factor, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) to[i] = factor * from[i];
}

__global__ void saxpy(float* y, const float* x, float a, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) y[i] += a * x[i];
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "recorded_saxpy: %s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}

/// Everything the program says to the recorder goes through here: it stops at the first refusal.
struct Recording {
  quintet_recorder* recorder = nullptr;

  void must(quintet_status status) const {
    if (status == QUINTET_OK) return;
    fprintf(stderr, "recorded_saxpy: %s\n", quintet_recorder_error(recorder));
    exit(1);
  }
  uint32_t lane(const char* name, int32_t kind) const {
    quintet_lane lane = {sizeof(quintet_lane), name, kind, 0, 0, 0};
    uint32_t id = 0;
    must(quintet_add_lane(recorder, &lane, &id));
    return id;
  }
  uint32_t region(const char* name, int32_t space) const {
    quintet_region region = {sizeof(quintet_region), name, space, 0, kBytes};
    uint32_t id = 0;
    must(quintet_add_region(recorder, &region, &id));
    return id;
  }
  uint32_t task(const char* name, const char* kind, uint32_t lane, double flops,
                double bytes) const {
    quintet_task task = {};
    task.size = sizeof(quintet_task);
    task.name = name;
    task.op_kind = kind;
    task.lane = lane;
    task.flops = flops;
    task.bytes = bytes;
    uint32_t id = 0;
    must(quintet_add_task(recorder, &task, &id));
    return id;
  }
  void touches(uint32_t task, uint32_t region, int32_t mode) const {
    quintet_access access = {sizeof(quintet_access), region, mode, 0, kBytes, 0, 1, 0};
    must(quintet_add_access(recorder, task, &access));
  }
};

/// What was declared, by name.
struct Ids {
  uint32_t left, right, host;
  uint32_t prepare, upload, adjust, scale, fill, saxpy, download;
  uint32_t graph;
};

Ids declare(const Recording& to) {
  Ids ids = {};
  ids.left = to.lane("left", QUINTET_LANE_STREAM);
  ids.right = to.lane("right", QUINTET_LANE_STREAM);
  ids.host = to.lane("main", QUINTET_LANE_HOST);
  const uint32_t input = to.region("input", QUINTET_HOST);
  const uint32_t result = to.region("result", QUINTET_HOST);
  const uint32_t x = to.region("x", QUINTET_DEVICE);
  const uint32_t scaled = to.region("scaled", QUINTET_DEVICE);
  const uint32_t y = to.region("y", QUINTET_DEVICE);
  ids.prepare = to.task("prepare", "HOST_FILL", ids.host, 0, kBytes);
  ids.upload = to.task("upload", "COPY_H2D", ids.left, 0, kBytes);
  ids.adjust = to.task("adjust", "SCALE", ids.left, kElements, 2.0 * kBytes);
  ids.scale = to.task("scale", "SCALE", ids.left, kElements, 2.0 * kBytes);
  ids.fill = to.task("fill", "FILL", ids.right, 0, kBytes);
  ids.saxpy = to.task("saxpy", "SAXPY", ids.left, 2.0 * kElements, 3.0 * kBytes);
  ids.download = to.task("download", "COPY_D2H", ids.left, 0, kBytes);
  to.touches(ids.prepare, input, QUINTET_WRITE);
  to.touches(ids.upload, input, QUINTET_READ);
  to.touches(ids.upload, x, QUINTET_WRITE);
  to.touches(ids.adjust, x, QUINTET_UPDATE);
  to.touches(ids.scale, x, QUINTET_READ);
  to.touches(ids.scale, scaled, QUINTET_WRITE);
  to.touches(ids.fill, y, QUINTET_WRITE);
  to.touches(ids.saxpy, scaled, QUINTET_READ);
  to.touches(ids.saxpy, y, QUINTET_UPDATE);
  to.touches(ids.download, y, QUINTET_READ);
  to.touches(ids.download, result, QUINTET_WRITE);
  to.must(quintet_add_graph(to.recorder, "saxpy", ids.left, &ids.graph));
  to.must(quintet_add_edge(to.recorder, ids.graph, ids.fill, ids.saxpy, "both write y"));
  return ids;
}

struct Work {
  cudaStream_t left = nullptr, right = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  float *input = nullptr, *result = nullptr;  // of the host
  float *x = nullptr, *scaled = nullptr, *y = nullptr;
  cudaGraphExec_t graph = nullptr;
};

/// Enqueues one task: what `enqueue` puts on a stream or into a capture is the task's.
template <class Enqueue>
void run_task(const Recording& to, uint32_t task, Enqueue enqueue) {
  to.must(quintet_task_begin(to.recorder, task, QUINTET_NO_ID));
  enqueue();
  check(cudaGetLastError(), "enqueueing a task");
  to.must(quintet_task_end(to.recorder));
}

Work prepare_work() {
  Work work;
  check(cudaStreamCreateWithFlags(&work.left, cudaStreamNonBlocking), "making a stream");
  check(cudaStreamCreateWithFlags(&work.right, cudaStreamNonBlocking), "making a stream");
  check(cudaEventCreateWithFlags(&work.fork, cudaEventDisableTiming), "making an event");
  check(cudaEventCreateWithFlags(&work.join, cudaEventDisableTiming), "making an event");
  check(cudaMallocHost(&work.input, kBytes), "taking host memory");
  check(cudaMallocHost(&work.result, kBytes), "taking host memory");
  check(cudaMalloc(&work.x, kBytes), "taking device memory");
  check(cudaMalloc(&work.scaled, kBytes), "taking device memory");
  check(cudaMalloc(&work.y, kBytes), "taking device memory");
  return work;
}

/// scale on the left stream beside fill on the right one, then saxpy and the way back.
void capture(const Recording& to, const Ids& ids, Work& work) {
  to.must(quintet_graph_begin(to.recorder, ids.graph));
  check(cudaStreamBeginCapture(work.left, cudaStreamCaptureModeThreadLocal), "capturing");
  check(cudaEventRecord(work.fork, work.left), "forking");
  check(cudaStreamWaitEvent(work.right, work.fork, 0), "forking");
  run_task(to, ids.scale, [&] {
    scale<<<kBlocks, kThreads, 0, work.left>>>(work.scaled, work.x, 0.5F, kElements);
  });
  run_task(to, ids.fill,
           [&] { fill<<<kBlocks, kThreads, 0, work.right>>>(work.y, 1.0F, kElements); });
  check(cudaEventRecord(work.join, work.right), "joining");
  check(cudaStreamWaitEvent(work.left, work.join, 0), "joining");
  run_task(to, ids.saxpy, [&] {
    saxpy<<<kBlocks, kThreads, 0, work.left>>>(work.y, work.scaled, 3.0F, kElements);
  });
  run_task(to, ids.download, [&] {
    check(cudaMemcpyAsync(work.result, work.y, kBytes, cudaMemcpyDeviceToHost, work.left),
          "copying the result back");
  });
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(work.left, &graph), "ending the capture");
  to.must(quintet_graph_end(to.recorder));
  check(cudaGraphInstantiate(&work.graph, graph, 0), "instantiating the graph");
  check(cudaGraphDestroy(graph), "giving the captured graph back");
}

/// One step: the host prepares, upload and adjust run eagerly, the graph does the rest.
void run_step(const Recording& to, const Ids& ids, const Work& work, int64_t step) {
  to.must(quintet_step_begin(to.recorder, step));
  const int64_t begin = quintet_recorder_now_ns();
  for (int i = 0; i < kElements; ++i)
    work.input[i] = static_cast<float>(step);
  to.must(quintet_host_span(to.recorder, ids.prepare, ids.host, step, begin,
                            quintet_recorder_now_ns()));
  run_task(to, ids.upload, [&] {
    check(cudaMemcpyAsync(work.x, work.input, kBytes, cudaMemcpyHostToDevice, work.left),
          "copying the input");
  });
  run_task(to, ids.adjust,
           [&] { scale<<<kBlocks, kThreads, 0, work.left>>>(work.x, work.x, 2.0F, kElements); });
  to.must(quintet_launch_begin(to.recorder, ids.graph, ids.left, step));
  check(cudaGraphLaunch(work.graph, work.left), "launching the graph");
  to.must(quintet_launch_end(to.recorder));
  check(cudaStreamSynchronize(work.left), "waiting for the step");
  const float expected = 1.0F + 3.0F * static_cast<float>(step);
  if (work.result[kElements - 1] != expected) {
    fprintf(stderr, "recorded_saxpy: step %lld gives %g instead of %g\n",
            static_cast<long long>(step), work.result[kElements - 1], expected);
    exit(1);
  }
  quintet_step_result result = {};
  result.size = sizeof(quintet_step_result);
  result.batch = 1;
  result.has_loss = 1;
  result.loss = work.result[kElements - 1];
  to.must(quintet_step_end(to.recorder, step, &result));
}

int finish(const Recording& to) {
  to.must(quintet_recorder_finish(to.recorder));
  quintet_counts counts = {};
  counts.size = sizeof(quintet_counts);
  to.must(quintet_recorder_counts(to.recorder, &counts));
  printf("%lld steps, %lld device records, %lld of no task\n", static_cast<long long>(counts.steps),
         static_cast<long long>(counts.device_records),
         static_cast<long long>(counts.unattributed));
  for (int64_t i = 0; i < counts.findings; ++i) {
    quintet_finding finding = {};
    finding.size = sizeof(quintet_finding);
    to.must(quintet_recorder_finding(to.recorder, i, &finding));
    printf("%s %s (%lld): %s\n", finding.severity, finding.name,
           static_cast<long long>(finding.count), finding.message);
  }
  quintet_recorder_close(to.recorder);
  return 0;
}

/// False where the word is no mode.
bool mode_of(const char* word, quintet_mode& mode) {
  constexpr const char* kWords[] = {"off", "graph", "node", "sampled"};
  for (int i = 0; i < 4; ++i) {
    if (strcmp(word, kWords[i]) != 0) continue;
    mode = static_cast<quintet_mode>(i);
    return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  quintet_mode mode = QUINTET_NODE;
  if (argc > 3 || (argc == 3 && !mode_of(argv[2], mode))) {
    fprintf(stderr, "usage: recorded_saxpy [FILE.qtrace [off|graph|node|sampled]]\n");
    return 2;
  }
  int devices = 0;
  const cudaError_t found = cudaGetDeviceCount(&devices);
  if (found != cudaSuccess || devices == 0) {
    fprintf(stderr, "recorded_saxpy: needs an NVIDIA GPU and its driver: %s\n",
            cudaGetErrorString(found != cudaSuccess ? found : cudaErrorNoDevice));
    return 3;
  }
  const char* keys[] = {"scenario", "policy"};
  const char* values[] = {"recorded_saxpy", "two streams by hand"};
  quintet_options options = {};
  options.size = sizeof(quintet_options);
  options.mode = mode;
  options.keys = keys;
  options.values = values;
  options.pairs = 2;
  Recording to;
  // Before the first capture, and before the first kernel that is to be recorded.
  to.must(quintet_recorder_open(QUINTET_RECORDER_VERSION, argc > 1 ? argv[1] : "saxpy.qtrace",
                                &options, &to.recorder));
  const Ids ids = declare(to);
  Work work = prepare_work();
  capture(to, ids, work);
  check(cudaGraphUpload(work.graph, work.left), "uploading the graph");
  check(cudaDeviceSynchronize(), "waiting for the device");
  to.must(quintet_recorder_start(to.recorder));
  const int64_t begin = quintet_recorder_now_ns();
  for (int64_t step = 0; step < kSteps; ++step)
    run_step(to, ids, work, step);
  printf("%.1f us a step\n", static_cast<double>(quintet_recorder_now_ns() - begin) / 1e3 /
                                 static_cast<double>(kSteps));
  return finish(to);
}
