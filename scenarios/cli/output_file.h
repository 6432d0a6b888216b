/// Files that the command writes: whole or not at all, and in the place of nobody else's.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/report/byte_sink.h"
#include "runtime/model/result.h"
#include "runtime/policy/stream_policy.h"

namespace CLI {
class App;
}

namespace quintet {

/// What an output may take the place of: nothing, an empty file, or a file that quintet wrote
/// (profiler/report/file_signature.h); but never of what the command reads.
struct OutputRule {
  /// --force: also of a file that somebody else wrote, or that a recording was imported from.
  bool force = false;
  std::vector<std::string> inputs;  ///< recordings and databases that the command reads
  std::string input_error = "is the recording itself";  ///< of an output that is one of them
};

/// --force, for commands that write files.
void add_force_option(CLI::App& app, bool& force);

/// Tells before the work what write_file would refuse after it; nothing for an empty path. `option`:
/// what names the file, for the cure.
Result<void> check_output(const std::string& path, const std::string& option,
                          const OutputRule& rule);

/// Writes `text` into a draft beside `path` and renames it into place, so that a failure leaves what was
/// there before. What takes the place of `path` meanwhile is under the same rule. A link stays, what it
/// points to is written. Creates no folders. Errors: what the rule refuses; the folder; of kind machine
/// the disk.
Result<void> write_file(const std::string& path, std::string_view text, const OutputRule& rule);
/// The same of what `write` sends to its sink, piece by piece. Its errors leave what was there, too.
Result<void> write_file(const std::string& path,
                        const std::function<Result<void>(const ByteSink&)>& write,
                        const OutputRule& rule);
/// The same of what `make` puts into a file of that name, which is not there yet.
Result<void> make_file(const std::string& path,
                       const std::function<Result<void>(const std::string& draft)>& make,
                       const OutputRule& rule);

/// A policy as its file, marked as ours.
std::string policy_text(const StreamPolicy& policy);
Result<void> write_policy(const std::string& path, const StreamPolicy& policy,
                          const OutputRule& rule);

}  // namespace quintet
