/// What names say about the rows of a trace that has no categories: whether a process is a device,
/// whether a thread is one of its streams, what a piece of work copies.
///
/// Names are those of XProf and JAX ("/device:GPU:0", "Stream #7(Compute,MemcpyD2H)"), TensorFlow's
/// timeline ("/device:GPU:0/stream:7 Compute"), rocprof ("GPU0", "COPY", "CPU HIP API") and common
/// spellings ("GPU 1", "gpu:2", "Device 0", "NVIDIA H100 (0)"). Letter case does not matter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace quintet {

/// What a process is, by its name.
struct ProcessMeaning {
  enum class Sort : std::uint8_t {
    host,
    host_calls,   ///< calls of a device's API: "CPU HIP API"
    device,       ///< its threads are streams and what is projected onto them
    copies,       ///< copies of devices that the name does not say: "COPY"
    device_like,  ///< seems to be a device, and nobody knows of what sort: "/device:TPU:0"
  };
  Sort sort = Sort::host;
  std::optional<std::int32_t> ordinal;  ///< of a device; nothing = the name does not say
  std::optional<std::int64_t> stream;   ///< of a process that is one stream
  bool projection = false;              ///< ops of a program, scheduled on the device by the host
  bool aggregate = false;               ///< repeats what lies on streams, where there are streams
  bool copying = false;                 ///< copies only
};
ProcessMeaning process_meaning(std::string_view name);

/// What work does by a name.
enum class WorkSort : std::uint8_t { unknown, kernel, copy, fill };

/// What a thread of a device is, by its name.
struct StreamMeaning {
  enum class Sort : std::uint8_t { stream, projection, unknown };
  Sort sort = Sort::unknown;
  std::optional<std::int64_t> number;   ///< of the stream
  std::optional<std::int32_t> ordinal;  ///< of the device, where the thread's name says it
  WorkSort work = WorkSort::unknown;    ///< of all that lies there; unknown = of several sorts
  std::string_view direction;           ///< of all copies: as copy_direction()
  /// It would be a stream in a process of any name: "Stream #7(Compute)", "GPU 0 stream 7".
  bool sure = false;
};
StreamMeaning stream_meaning(std::string_view name);

/// True for the thread ids that XProf gives to rows it derives: op names, modules, steps.
bool is_derived_thread(std::int64_t thread);

/// "HtoD", "DtoH", "DtoD", "PtoP" or "HtoH" of "MemcpyH2D", "CopyHostToDevice" and the like; empty
/// where the text names none.
std::string_view copy_direction(std::string_view text);
/// Copies and fills by the names that drivers and profilers give them; of all others unknown.
WorkSort work_of_name(std::string_view name);
/// "all-reduce", "all-gather", ... of an XLA op or a kernel that begins so; empty for all others.
std::string_view collective_of(std::string_view name);

}  // namespace quintet
