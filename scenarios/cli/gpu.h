/// What the command knows of GPUs. Two implementations, one of which a build has: gpu_cuda.cpp with
/// the CUDA toolkit, gpu_none.cpp without.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "profiler/capture/host_recorder.h"
#include "profiler/capture/step_sampling.h"
#include "runtime/cuda/plan_store.h"
#include "runtime/exec/backend.h"
#include "runtime/exec/training_session.h"
#include "runtime/model/result.h"
#include "runtime/observe/observer.h"
#include "scenarios/cli/device_failures.h"

namespace quintet {

/// One GPU, as `quintet devices` lists it.
struct Gpu {
  std::string name;
  std::string compute;  ///< "9.0"
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

struct GpuReport {
  std::vector<Gpu> gpus;
  std::string driver, runtime, cudnn, cublaslt, nccl;  ///< versions; "none" = not there
};

/// Errors say what is missing: a build without CUDA, no driver, no GPU.
Result<GpuReport> describe_gpus();

/// The executor `cuda`; plans that it has to search are kept in the file `plans`. Empty: one in the
/// user's cache folder for each kind of search, so that a quick choice never stands in for a
/// measured one. `connections`: ask_connections'; 0 = as the environment says. Errors:
/// describe_gpus'; a file of plans that cannot be read.
Result<std::shared_ptr<Backend>> open_gpu(PlanSearch search, const std::string& plans,
                                          int connections);

/// An observer that tells `host` everything it is told, and adds to its recording what a GPU does.
/// Errors: a build without CUDA. `host` outlives it; make it before the run that it is to record.
Result<std::unique_ptr<Observer>> record_gpu(HostRecorder& host, DeviceRecording mode);

/// An observer that shows a run to the tool that reads NVTX; null where none is attached, and in a build
/// without CUDA.
std::unique_ptr<Observer> annotate_run();

/// What this process has failed at so far when it gave back what it held of a GPU; nothing in a build
/// without CUDA.
DeviceFailures device_failures();

/// The race proof on every graph that a plan was captured as, added up.
struct CapturedGraphs {
  std::uint64_t graphs = 0;
  std::uint64_t nodes = 0;
  std::uint64_t edges = 0;
  std::uint64_t conflicting_pairs = 0;
  std::vector<std::string> findings;  ///< sentences that begin with the name of their graph
};

/// Captures the plan of a session that open_gpu's backend prepared, and proves what was captured;
/// trains nothing. Errors: a build without CUDA. Throws what the device throws.
Result<CapturedGraphs> prove_captured_graphs(const TrainingSession& session);

}  // namespace quintet
