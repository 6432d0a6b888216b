/// CUPTI's activity records of CUDA 13.0 as DeviceRecords.
#pragma once

#include <cupti.h>
#include <optional>

#include "profiler/capture/device_record.h"
#include "profiler/capture/kernel_names.h"

namespace quintet {

/// The version of CUPTI whose records this reads: the library fills the newest layout it knows, and
/// no other.
inline constexpr std::uint32_t kCuptiRecordsVersion = 130001;

/// Of a kernel, copy, fill or graph launch; nothing for records of other kinds.
/// Of a record of overhead; frees what CUPTI has left for it.
std::optional<OverheadRecord> overhead_record_of(const CUpti_Activity& activity);

std::optional<DeviceRecord> device_record_of(const CUpti_Activity& activity, KernelNames& names);

}  // namespace quintet
