#include "profiler/compare/recording_identity.h"

#include <cstring>
#include <fmt/format.h>
#include <string_view>

#include "profiler/compare/block_resampling.h"

namespace quintet {

namespace {

/// Two 64-bit hashes that start apart.
class ContentHash {
 public:
  void add(std::uint64_t value) {
    ++count_;
    first_ = mixed(first_, value, count_);
    second_ = mixed(value, second_, ~count_);
  }
  void add(std::string_view text) {
    add(text.size());
    while (!text.empty()) {
      std::uint64_t word = 0;
      const std::size_t bytes = std::min(sizeof(word), text.size());
      std::memcpy(&word, text.data(), bytes);
      add(word);
      text.remove_prefix(bytes);
    }
  }
  [[nodiscard]] std::string digits() const {
    return fmt::format("{:016x}{:016x}", first_, second_);
  }

 private:
  std::uint64_t first_ = 0x51545243;
  std::uint64_t second_ = 0x636F6D70;
  std::uint64_t count_ = 0;
};

}  // namespace

std::string recording_identity(const Trace& trace) {
  ContentHash hash;
  for (const auto& [key, value] : trace.provenance) {
    hash.add(std::string_view(key));
    hash.add(std::string_view(value));
  }
  for (const TraceTask& task : trace.tasks)
    hash.add(std::string_view(task.name));
  for (const TraceStep& step : trace.steps) {
    hash.add(static_cast<std::uint64_t>(step.step));
    hash.add(static_cast<std::uint64_t>(step.begin_ns));
    hash.add(static_cast<std::uint64_t>(step.end_ns));
  }
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    hash.add(static_cast<std::uint64_t>(trace.spans.begin_ns[span]));
    hash.add(static_cast<std::uint64_t>(trace.spans.end_ns[span]));
    hash.add((std::uint64_t{trace.spans.task[span]} << 32) |
             static_cast<std::uint32_t>(trace.spans.step[span]));
    hash.add(std::uint64_t{trace.spans.lane[span]});
  }
  return hash.digits();
}

}  // namespace quintet
