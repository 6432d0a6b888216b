/// Opens recordings and foreign traces in the background and puts them at their side.
#pragma once

#include <string>

#include "viewer/model/part.h"

namespace quintet::viewer {

/// Reads a recording (.qtrace, .qtrace.gz) or, where it is none, a trace of another profiler.
/// Errors: those of read_trace and import_trace. Any thread.
Result<Trace> load_trace(const std::string& path, JobControl& control);

/// Takes kOpenFile. One opening a side at a time: a newer one takes the place of the older.
class DocumentLoader : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "documents"; }
  bool handle(const Command& command, PartContext& context) override;

 private:
  static void open(const OpenFile& wanted, PartContext& context);
};

}  // namespace quintet::viewer
