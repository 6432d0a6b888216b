#include "viewer/model/document_loader.h"

#include <filesystem>
#include <fmt/format.h>

#include "profiler/import/import.h"
#include "profiler/trace/trace_reader.h"

namespace quintet::viewer {

namespace {

bool named_as_recording(const std::string& path) {
  return path.ends_with(".qtrace") || path.ends_with(".qtrace.gz");
}

std::string loading_key(Side side) {
  return fmt::format("open {}", name_of(side));
}

}  // namespace

Result<Trace> load_trace(const std::string& path, JobControl& control) {
  Result<Trace> recording = read_trace(path);
  if (recording || named_as_recording(path)) return recording;
  ImportOptions options;
  options.progress = [&control](std::uint64_t done, std::uint64_t total) {
    if (total > 0) control.progress(static_cast<double>(done) / static_cast<double>(total));
    return !control.cancelled();
  };
  Result<Imported> imported = import_trace(path, options);
  if (!imported) return tl::unexpected(imported.error());
  return std::move(imported->trace);
}

bool DocumentLoader::handle(const Command& command, PartContext& context) {
  if (command.id != command_id::kOpenFile) return false;
  const auto* wanted = command.get<OpenFile>();
  if (wanted == nullptr) return false;
  open(*wanted, context);
  return true;
}

void DocumentLoader::open(const OpenFile& wanted, PartContext& context) {
  const std::string name = std::filesystem::path(wanted.path).filename().string();
  // Both outlive the job: the application destroys the background before its parts.
  CommandQueue* commands = &context.commands;
  WorkbenchLog* log = &context.workbench.log;
  context.background.start<Result<Trace>>(
      loading_key(wanted.side), fmt::format("Opening {}", name),
      [path = wanted.path](JobControl& control) { return load_trace(path, control); },
      [wanted, name, commands, log](Result<Trace> trace) {
        if (!trace) {
          log->fail(trace.error());
          return;
        }
        log->note(fmt::format("Opened {} as {}: {} spans, {} tasks, {} steps", name,
                              name_of(wanted.side), trace->spans.size(), trace->tasks.size(),
                              trace->steps.size()));
        PlaceDocument placed;
        placed.side = wanted.side;
        placed.document.file = wanted.path;
        placed.document.trace = std::make_shared<const Trace>(std::move(*trace));
        commands->emit(command_id::kPlace, std::move(placed));
      },
      [wanted, log](const std::string& said) {
        log->fail({said, "free memory, or trim the recording: quintet trim", wanted.path, 0});
      });
}

}  // namespace quintet::viewer
