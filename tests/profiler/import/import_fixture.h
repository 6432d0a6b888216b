/// What the tests of imports share: a folder, texts of traces, questions to what came of them.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/import/import.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {

/// The finding of this name, or nothing.
std::optional<Finding> finding(const Trace& trace, std::string_view name);
/// How often it was counted; 0 where it was not.
std::int64_t counted(const Trace& trace, std::string_view name);

/// A complete event with the fields that every one has: `more` is further members.
std::string event(std::string_view category, std::string_view name, std::string_view ts,
                  std::string_view dur, std::string_view pid = "474", std::string_view tid = "500",
                  std::string_view more = "");
/// A kernel of stream 7 of device 0.
std::string kernel_event(std::string_view name, std::string_view ts, std::string_view dur,
                         int correlation = 0);
std::string call_event(std::string_view name, std::string_view ts, std::string_view dur,
                       int correlation);
/// A whole object form around events; `header` is members in front of them.
std::string document(const std::vector<std::string>& events, std::string_view header = "");

/// The text as a gzip file.
std::string gzip(std::string_view text);

/// Writes texts to files and imports them.
class ImportTest : public ::testing::Test {
 protected:
  std::string write(std::string_view text, const std::string& name = "trace.json");
  /// The trace of a text that must be readable.
  Trace import(std::string_view text, const std::string& name = "trace.json");
  /// As import(), and what was reported of it.
  Imported import_all(std::string_view text, const std::string& name = "trace.json");
  Error import_error(std::string_view text, const std::string& name = "trace.json");

  TemporaryFolder folder_;
};

/// Names of the tasks of the spans, in the order of spans, separated by blanks.
std::string span_names(const Trace& trace);

}  // namespace quintet
