/// The driver's calls that CUPTI tells of, by what they mean to a recording.
#pragma once

#include <array>
#include <cupti.h>

namespace quintet {

/// Launches of graphs.
inline constexpr std::array kLaunchCalls = {CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                            CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};
/// Memory taken and given back.
inline constexpr std::array kAllocationCalls = {
    CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocPitch_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocHost_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemHostAlloc_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemFreeHost,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocManaged,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocAsync_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync,
    CUPTI_DRIVER_TRACE_CBID_cuMemAllocFromPoolAsync_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
    CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz};
/// The host waits for the whole device, or for a copy.
inline constexpr std::array kSyncCalls = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,     CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,      CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds, CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds};
/// Kernels, copies and fills, each for itself: every such call has records of its own.
inline constexpr std::array kWorkCalls = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyAsync_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoD_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoD_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyHtoDAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoHAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoDAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2D_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2D_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DUnaligned_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy2DAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy3D_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy3D_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy3DAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpy3DAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeer,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeer_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeerAsync,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyPeerAsync_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyBatchAsync_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemcpyBatchAsync_v2_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD8_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD16_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD32_v2_ptds,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD8Async_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD16Async_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD32Async_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD2D8Async,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD2D8Async_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD2D32Async,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemsetD2D32Async_ptsz};
template <class Calls>
constexpr bool among(const Calls& calls, CUpti_CallbackId id) {
  for (const auto call : calls) {
    if (static_cast<CUpti_CallbackId>(call) == id) return true;
  }
  return false;
}

}  // namespace quintet
