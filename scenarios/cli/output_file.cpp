#include "scenarios/cli/output_file.h"

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "profiler/report/file_signature.h"
#include "profiler/trace/trace_reader.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

/// Failures of the machine: nothing that another name or another permission would cure.
ErrorKind kind_of(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case EROFS:
    case ENFILE:
    case EMFILE:
    case ENOMEM:
      return ErrorKind::machine;
    default:  // over the system's numbers, not an enum
      return ErrorKind::input;
  }
}

tl::unexpected<Error> failed(const std::string& path, std::string_view what, int error) {
  return tl::unexpected<Error>({fmt::format("cannot {}: {}", what, std::strerror(error)),
                                "name a file in a folder that exists, can be written and has space",
                                path, 0, kind_of(error)});
}

/// The front of a file; nothing where it cannot be read.
std::optional<std::string> front_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string head(kSignatureBytes, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

/// Nobody loses an empty file.
bool may_be_replaced(const std::string& path) {
  const std::optional<std::string> head = front_of(path);
  return head && (head->empty() || has_signature(*head));
}

tl::unexpected<Error> foreign(const std::string& path) {
  return fail("exists and was not written by quintet",
              "name another file, or use --force to replace it", path);
}

/// What the path leads to: links are followed, also those to a file that is not there yet.
std::string target_of(const std::string& path) {
  constexpr int kMostLinks = 40;
  fs::path target = path;
  std::error_code error;
  for (int link = 0; link < kMostLinks && fs::is_symlink(fs::symlink_status(target, error));
       ++link) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

/// Every file that a recording may say it was imported from: names are joined by ", ", and may hold that
/// themselves.
std::vector<std::string> source_names(const std::string& joined) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::size_t> begins = {0};
  for (std::size_t at = joined.find(kBetween); at != std::string::npos;
       at = joined.find(kBetween, at + 1)) {
    begins.push_back(at + kBetween.size());
  }
  constexpr std::size_t kMostParts = 4;  // of one name
  begins.push_back(joined.size() + kBetween.size());
  std::vector<std::string> names;
  for (std::size_t from = 0; from + 1 < begins.size(); ++from) {
    for (std::size_t to = from + 1; to < begins.size() && to <= from + kMostParts; ++to)
      names.push_back(joined.substr(begins[from], begins[to] - kBetween.size() - begins[from]));
  }
  return names;
}

/// True where `path` is what the recording was imported from, seen from this folder or from its own.
bool is_source_of(const std::string& path, const std::string& recording) {
  const Result<RecordingHead> head = read_head(recording);
  if (!head) return false;
  const auto sources = head->provenance.find("source_file");
  if (sources == head->provenance.end()) return false;
  for (const std::string& name : source_names(sources->second)) {
    std::error_code none;
    if (fs::equivalent(name, path, none)) return true;
    if (fs::equivalent(fs::path(recording).parent_path() / name, path, none)) return true;
  }
  return false;
}

/// A file beside the target, of a name that nobody has; it goes when it is no longer needed.
class OutputDraft {
 public:
  static Result<OutputDraft> beside(const std::string& target, const std::string& path) {
    constexpr int kMostTries = 1000;
    const fs::path folder = fs::path(target).parent_path();
    for (int number = 0; number < kMostTries; ++number) {
      OutputDraft draft((folder / fmt::format(".quintet-{}-{}.new", getpid(), number)).string());
      draft.file_ = open(draft.path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (draft.file_ >= 0) return draft;
      if (errno != EEXIST) return failed(path, "create it", errno);
    }
    return failed(path, "create it", EEXIST);
  }
  OutputDraft(OutputDraft&& other) noexcept
      : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}
  OutputDraft& operator=(OutputDraft&&) = delete;
  ~OutputDraft() {
    if (file_ < 0) return;
    close(file_);
    unlink(path_.c_str());
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// 0, or what went wrong.
  [[nodiscard]] int write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(file_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }
  /// Who may read the file that is replaced may read this one.
  void take_permissions_of(const std::string& target) const {
    struct stat old {};
    if (stat(target.c_str(), &old) == 0) fchmod(file_, old.st_mode & 0777U);
  }
  [[nodiscard]] int flush() const { return fsync(file_) == 0 || errno == EINVAL ? 0 : errno; }
  /// The name is a file of somebody else's from now on.
  void forget() { close(std::exchange(file_, -1)); }

 private:
  explicit OutputDraft(std::string path) : path_(std::move(path)) {}

  std::string path_;
  int file_ = -1;
};

/// Puts the draft into the place of `target`, whatever happens there meanwhile.
Result<void> place(OutputDraft& file, const std::string& target, const std::string& path,
                   bool force) {
  const std::string draft = file.path();
  const auto rename_as = [&](unsigned flags) {
    return renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, target.c_str(), flags) == 0 ? 0 : errno;
  };
  if (force) {
    const int error = rename_as(0);
    return error == 0 ? Result<void>() : failed(path, "write it", error);
  }
  int error = rename_as(RENAME_NOREPLACE);
  if (error == 0) return {};
  if (error == EEXIST) {
    // Both names always have a file: what was there is looked at once it cannot change under the name.
    error = rename_as(RENAME_EXCHANGE);
    if (error == 0) {
      if (may_be_replaced(draft)) return {};  // the old file, which goes as drafts do
      error = rename_as(RENAME_EXCHANGE);
      if (error == 0) return foreign(path);
      file.forget();
      return failed(path, fmt::format("put back what was there, now {},", draft), error);
    }
  }
  if (error != EINVAL && error != ENOSYS) return failed(path, "write it", error);
  // The file system has neither.
  std::error_code none;
  if (fs::exists(target, none) && !may_be_replaced(target)) return foreign(path);
  error = rename_as(0);
  return error == 0 ? Result<void>() : failed(path, "write it", error);
}

}  // namespace

void add_force_option(CLI::App& app, bool& force) {
  app.add_flag("--force", force, "Replace a file that quintet did not write");
}

Result<void> check_output(const std::string& path, const std::string& option,
                          const OutputRule& rule) {
  if (path.empty()) return {};
  const std::string cure = "name another file for " + option;
  std::error_code none;
  const fs::file_status status = fs::status(path, none);
  if (fs::is_directory(status)) return fail("is a folder", "name a file in it", path);
  if (!fs::exists(status)) return {};
  if (!fs::is_regular_file(status)) return fail("is no regular file", cure, path);
  for (const std::string& input : rule.inputs) {
    if (fs::equivalent(path, input, none)) return fail(rule.input_error, cure, path);
  }
  if (rule.force) return {};
  if (!may_be_replaced(path)) return foreign(path);
  for (const std::string& input : rule.inputs) {
    if (is_source_of(path, input)) {
      return fail("is what the recording was imported from",
                  "name another file, or use --force to replace it", path);
    }
  }
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text, const OutputRule& rule) {
  return write_file(
      path, [text](const ByteSink& sink) { return sink(text); }, rule);
}

Result<void> write_file(const std::string& path,
                        const std::function<Result<void>(const ByteSink&)>& write,
                        const OutputRule& rule) {
  if (auto free = check_output(path, "it", rule); !free) return free;
  const std::string target = target_of(path);
  Result<OutputDraft> draft = OutputDraft::beside(target, path);
  if (!draft) return tl::unexpected(draft.error());
  const Result<void> filled = write([&](std::string_view piece) -> Result<void> {
    const int error = draft->write(piece);
    return error == 0 ? Result<void>() : failed(path, "write it", error);
  });
  if (!filled) return filled;
  draft->take_permissions_of(target);
  if (const int error = draft->flush(); error != 0) return failed(path, "write it", error);
  if (auto again = check_output(path, "it", rule); !again) return again;
  return place(*draft, target, path, rule.force);
}

Result<void> make_file(const std::string& path,
                       const std::function<Result<void>(const std::string&)>& make,
                       const OutputRule& rule) {
  if (auto free = check_output(path, "it", rule); !free) return free;
  const std::string target = target_of(path);
  Result<OutputDraft> draft = OutputDraft::beside(target, path);
  if (!draft) return tl::unexpected(draft.error());
  if (auto made = make(draft->path()); !made) {
    if (made.error().file == draft->path()) made.error().file = path;
    return made;
  }
  return place(*draft, target, path, rule.force);
}

std::string policy_text(const StreamPolicy& policy) {
  return std::string(kPolicySignature) + save_policy(policy);
}

Result<void> write_policy(const std::string& path, const StreamPolicy& policy,
                          const OutputRule& rule) {
  return write_file(path, policy_text(policy), rule);
}

}  // namespace quintet
