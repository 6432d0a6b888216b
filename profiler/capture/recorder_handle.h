/// What stands behind the C interface: a recorder and the text of its last errors.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "profiler/capture/device_source.h"
#include "profiler/capture/event_recorder.h"
#include "profiler/capture/quintet_recorder.h"

/// Opaque to C.
struct quintet_recorder {
  std::unique_ptr<quintet::EventRecorder> recorder;  ///< null = it did not open
  mutable std::mutex mutex;
  std::map<std::thread::id, std::string> errors;  ///< the last of each thread
};

namespace quintet {

/// quintet_recorder_open on a device source of one's choice. `known` is said of the recording too, where
/// the program does not say otherwise.
quintet_status open_recorder(std::uint32_t version, const char* path,
                             const quintet_options* options, const OpenDeviceSource& device,
                             const Provenance& known, quintet_recorder** recorder) noexcept;

}  // namespace quintet
