/// The recorder as a C11 interface: any CUDA program records what its GPU did into a .qtrace file, task
/// by task. The order of calls is the order of this file.
///
/// The recorder must be open before the first capture of a graph and before the first kernel that is to
/// be recorded. Then: declare lanes, regions, tasks, graphs; capture and instantiate; start; run steps;
/// finish; close. Every function but quintet_recorder_now_ns returns a status; where it is not
/// QUINTET_OK nothing has changed and quintet_recorder_error says why and what to do. No function
/// throws or ends the program. All may be called from any thread; tasks, captures and launches that are
/// begun belong to the calling thread. Strings are copied. Each struct begins with its own size, in bytes:
/// set it with sizeof and everything that you do not use to 0.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Of this header. Compare by #if, and pass it to quintet_recorder_open.
#define QUINTET_RECORDER_VERSION 1
/// An id that is none: "the task's own lane", "no lane".
#define QUINTET_NO_ID UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

typedef struct quintet_recorder quintet_recorder;

typedef enum quintet_status {
  QUINTET_OK = 0,
  QUINTET_INVALID_ARGUMENT = 1,  ///< null, a wrong size, a value that makes no sense
  QUINTET_UNKNOWN_ID = 2,        ///< an id that nothing was declared with
  QUINTET_WRONG_ORDER = 3,       ///< a call at the wrong time
  QUINTET_FILE_TROUBLE = 4,      ///< the recording cannot be written
  QUINTET_OUT_OF_MEMORY = 5
} quintet_status;

/// What is recorded of the GPU.
typedef enum quintet_mode {
  QUINTET_OFF = 0,     ///< nothing; host spans, steps and launches only
  QUINTET_GRAPH = 1,   ///< one span a launch of a graph; nothing outside graphs
  QUINTET_NODE = 2,    ///< every kernel, copy and fill
  QUINTET_SAMPLED = 3  ///< as node, in short windows of steps
} quintet_mode;

typedef struct quintet_options {
  size_t size;
  int32_t mode;  ///< a quintet_mode
  /// What the recording says of itself: `pairs` keys with their values. Keys that reports know: scenario,
  /// policy, network, batch, machine, cpu, title, memo.
  const char* const* keys;
  const char* const* values;
  size_t pairs;
  // Windows of QUINTET_SAMPLED; 0 = the default.
  int64_t first_step;    ///< of the first window, counted from the first step recorded; default 3
  int64_t window_steps;  ///< default 8
  int64_t period_steps;  ///< at least, from one window to the next; default 200
  int64_t period_ns;     ///< and at least so long; default 1 s
} quintet_options;

/// Creates `path` (an older recording there is replaced by quintet_recorder_start) and subscribes to the
/// driver, once a process. Without a GPU, or beside another profiler, it opens all the same: the finding
/// "no_gpu_spans" says why only the host's half is recorded. `version`: QUINTET_RECORDER_VERSION.
/// `options` may be null: mode node. On failure *recorder is null or good for quintet_recorder_error
/// only; close it either way.
quintet_status quintet_recorder_open(uint32_t version, const char* path,
                                     const quintet_options* options, quintet_recorder** recorder);
/// Why this thread's last failing call on this recorder failed, one line; never null. Valid until
/// that thread's next call with it.
const char* quintet_recorder_error(const quintet_recorder* recorder);

// Declarations, between open and start. Ids count from 0, each kind for itself.

typedef enum quintet_lane_kind {
  QUINTET_LANE_STREAM = 0,  ///< a stream of a device
  QUINTET_LANE_HOST = 1     ///< a thread
} quintet_lane_kind;

typedef struct quintet_lane {
  size_t size;
  const char* name;  ///< unique
  int32_t kind;      ///< a quintet_lane_kind
  int32_t device;
  int32_t rank;      ///< of the process
  int32_t priority;  ///< as CUDA counts: lower is more urgent
} quintet_lane;

typedef enum quintet_space { QUINTET_HOST = 0, QUINTET_DEVICE = 1 } quintet_space;

typedef struct quintet_region {
  size_t size;
  const char* name;  ///< unique
  int32_t space;     ///< a quintet_space
  int32_t device;
  uint64_t bytes;
} quintet_region;

/// What a task's time counts as: communication where op_kind contains "ALLREDUCE", transfer where it is
/// "H2D_COPY" or "D2H_COPY", the host's where it begins with "HOST_" or the task is on a host's lane, the
/// update where `graph` begins with "OPTIMIZER", "ZERO_GRAD", "UPDATE_", ... (profiler/analysis/span_class.h);
/// else compute, but of it the copies that leave a device's memory are transfers whatever the op is called.
typedef struct quintet_task {
  size_t size;
  const char* name;     ///< unique: "conv1/backward/dW"
  const char* layer;    ///< may be null, as all strings below
  const char* op_kind;  ///< "CONV_BWD"
  const char* part;     ///< "dW"
  const char*
      graph;      ///< the part of the step that it belongs to; null = the graph it is captured in
  uint32_t lane;  ///< where it is meant to run, or QUINTET_NO_ID
  double flops;   ///< 0 = unknown
  double bytes;   ///< moved at least; 0 = unknown
} quintet_task;

typedef enum quintet_access_mode {
  QUINTET_READ = 0,
  QUINTET_WRITE = 1,
  QUINTET_UPDATE = 2,  ///< read and written
  QUINTET_SCRATCH = 3  ///< written, read back, and of no meaning to others
} quintet_access_mode;

/// `count` pieces of `bytes` bytes, `stride` bytes apart, the first at `offset` of the region.
typedef struct quintet_access {
  size_t size;
  uint32_t region;
  int32_t mode;  ///< a quintet_access_mode
  uint64_t offset;
  uint64_t bytes;
  uint64_t stride;
  uint64_t count;
  int32_t upper_bound;  ///< not 0: it touches some of these bytes, perhaps not all
} quintet_access;

quintet_status quintet_add_lane(quintet_recorder* recorder, const quintet_lane* lane, uint32_t* id);
quintet_status quintet_add_region(quintet_recorder* recorder, const quintet_region* region,
                                  uint32_t* id);
quintet_status quintet_add_task(quintet_recorder* recorder, const quintet_task* task, uint32_t* id);
quintet_status quintet_add_access(quintet_recorder* recorder, uint32_t task,
                                  const quintet_access* access);
/// A graph that will be captured, and the lane it is launched on.
quintet_status quintet_add_graph(quintet_recorder* recorder, const char* name, uint32_t lane,
                                 uint32_t* id);
/// Inside the graph `to` waits for `from`; `reason` may be null.
quintet_status quintet_add_edge(quintet_recorder* recorder, uint32_t graph, uint32_t from,
                                uint32_t to, const char* reason);

// Tasks, before and after start.

/// This thread now enqueues the task, into a capture or onto a stream: the nodes that it makes, and the
/// kernels, copies and fills that it enqueues outside a capture, are the task's, until
/// quintet_task_end. Work outside captures counts to the step begun last. `lane`: where it is meant to
/// run, or QUINTET_NO_ID for the task's own.
quintet_status quintet_task_begin(quintet_recorder* recorder, uint32_t task, uint32_t lane);
quintet_status quintet_task_end(quintet_recorder* recorder);
/// Around a capture of this thread: the tasks begun inside are the graph's, in this order. A capture after
/// start is recorded, but the graph's list of tasks stays as it is.
quintet_status quintet_graph_begin(quintet_recorder* recorder, uint32_t graph);
quintet_status quintet_graph_end(quintet_recorder* recorder);

/// Puts the file in place and begins to record. Call it when a device is current and idle. Where it fails
/// for want of a file, the recording is over.
quintet_status quintet_recorder_start(quintet_recorder* recorder);

// The run, between start and finish.

typedef struct quintet_step_result {
  size_t size;
  int64_t end_ns;    ///< when its work was done, on quintet_recorder_now_ns; 0 = now
  int64_t batch;     ///< samples; 0 = unknown
  int32_t has_loss;  ///< 0 = `loss` is not known
  double loss;
  double learning_rate;
} quintet_step_result;

/// Steps are numbered upwards, by one, from any number on. Several may be open at once.
quintet_status quintet_step_begin(quintet_recorder* recorder, int64_t step);
/// In the order in which they began. `result` may be null.
quintet_status quintet_step_end(quintet_recorder* recorder, int64_t step,
                                const quintet_step_result* result);
/// Around this thread's cudaGraphLaunch: the step that it serves, -1 = before the first.
quintet_status quintet_launch_begin(quintet_recorder* recorder, uint32_t graph, uint32_t lane,
                                    int64_t step);
quintet_status quintet_launch_end(quintet_recorder* recorder);
/// What a host thread did, once it is done; `step` -1 = for none.
quintet_status quintet_host_span(quintet_recorder* recorder, uint32_t task, uint32_t lane,
                                 int64_t step, int64_t begin_ns, int64_t end_ns);
/// The clock of all times of the recording: ns, monotonic within one boot.
int64_t quintet_recorder_now_ns(void);

/// Waits for the device and completes the file.
quintet_status quintet_recorder_finish(quintet_recorder* recorder);

// After finish.

typedef struct quintet_counts {
  size_t size;
  int64_t steps;
  int64_t device_records;  ///< kernels, copies, fills, launches of graphs
  int64_t unattributed;    ///< of them, those that belong to no task
  int64_t dropped_spans;
  int64_t findings;
} quintet_counts;

/// Something odd: "unattributed_work", "dropped_records". Strings live as long as the recorder.
typedef struct quintet_finding {
  size_t size;
  const char* severity;  ///< info, notice, data_loss, error
  const char* name;
  const char* message;
  int64_t count;
} quintet_finding;

/// `counts->size` and `finding->size` are read, all else is written.
quintet_status quintet_recorder_counts(quintet_recorder* recorder, quintet_counts* counts);
quintet_status quintet_recorder_finding(quintet_recorder* recorder, int64_t index,
                                        quintet_finding* finding);

/// Frees the recorder; null is fine. Without finish the file says `abandoned`, or there is none.
void quintet_recorder_close(quintet_recorder* recorder);

#ifdef __cplusplus
}
#endif
