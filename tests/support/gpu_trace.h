/// Traces as a GPU leaves them, small enough to compute everything by hand: several kernels a task,
/// lanes of the executor beside those of the policy, correlations, launches that run ahead.
#pragma once

#include <cstdint>

#include "profiler/trace/trace.h"

namespace quintet {

enum class GpuStepMode : std::uint8_t {
  whole_step,  ///< one graph a step, launched while the step before still runs
  sub_graphs,  ///< a graph each, the host waits for streams in between
};

/// Lanes: policy streams TRANS, COMP, UPDATE; the thread HOST_MAIN; three lanes of the executor.
inline constexpr std::uint16_t kGpuTrans = 0;
inline constexpr std::uint16_t kGpuComp = 1;
inline constexpr std::uint16_t kGpuUpdate = 2;
inline constexpr std::uint16_t kGpuHost = 3;

/// Tasks, by index.
inline constexpr std::uint32_t kGpuCopy = 0;
inline constexpr std::uint32_t kGpuFwd = 1;
inline constexpr std::uint32_t kGpuBwd = 2;
inline constexpr std::uint32_t kGpuClear = 3;
inline constexpr std::uint32_t kGpuOpt = 4;
inline constexpr std::uint32_t kGpuResults = 5;

/// Six training steps on a GPU of 132 multiprocessors, 8000 ns apart. Step s ends at 8000 s + 7200,
/// so its window is [8000 s - 800, 8000 s + 7200). Offsets from 8000 s; the share of
/// multiprocessors and the theoretical occupancy in brackets:
///
///     TRANS   copy of 64000 B to the device [3000, 4000), serving the next step
///     COMP    fwd  gemm [1000, 2000) (0.5, 0.25), bias [2100, 2600) (1, 1)
///             bwd  gemm [2600, 4600) (1, 0.25), reduce [4500, 5000) (0.25, 1), which begins early
///     UPDATE  clear: a fill of 4096 B [500, 700)
///             opt  sgd [5500, 6000) (1, 0.5), cast [6200, 6700) (0.5, 0.5)
///             results: a copy of 64 B to the host [7000, 7200)
///
/// fwd -> bwd -> opt, clear -> bwd and fwd -> copy conflict. `whole_step`: one launch, of COMP,
/// [-5000, -4400), a step early. `sub_graphs`: launches of ZERO_GRAD [-100, 400), DEEP [400, 950),
/// TRANSFER_A [2650, 2950), OPTIMIZER [5060, 5450); the host waits for a batch [1000, 2650), for
/// COMP [2960, 5050), for UPDATE [5460, 7250).
Trace gpu_trace(GpuStepMode mode);

/// Two eager steps as an importer tells them: lanes "GPU 0 stream 7", "GPU 0 stream 8" and "host
/// 1/1", tasks that are names only, calls that launched them. Steps [0, 1000) and [1000, 2000) of
/// the host; offsets within each:
///
///     stream 7  gemm [200, 400), relu [450, 500), gemm [600, 900); the device ends at 1100 in the
///               second step
///     stream 8  a copy of 1000 B to the device [100, 300)
///     host      step range [0, 1000); calls [50, 60) [150, 160) [170, 180) [550, 610)
///
/// The last gemm of the second step runs [1600, 2100).
Trace imported_trace();

}  // namespace quintet
