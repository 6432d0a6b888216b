// The one table of arrows between folders, and the proof that every #include keeps to it.

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace quintet {
namespace {

/// Files that match `files` may include from `sees`: folders with all that is below them.
/// A folder always sees itself.
struct Arrow {
  std::string_view files;
  std::vector<std::string_view> sees;
};

/// The first line that matches a file decides. What no line matches may include nothing of ours.
const std::vector<Arrow>& arrows() {
  static const std::vector<Arrow> kArrows = {
      {"runtime/model/*", {}},
      {"runtime/observe/*", {"runtime/model"}},
      {"runtime/policy/*", {"runtime/model"}},
      {"runtime/data/*", {"runtime/model"}},
      {"runtime/host/*", {"runtime/model"}},
      {"runtime/cuda/*", {"runtime/model"}},
      {"runtime/ops/*_cuda.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/cuda_kernel_catalog.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/cuda_element_type.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/half_weights.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/narrow_fc.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/elementwise_pass.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/small_product.*", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/*.cuh", {"runtime/model", "runtime/cuda"}},
      {"runtime/ops/*_host.*", {"runtime/model", "runtime/host"}},
      {"runtime/ops/host_kernel_catalog.*", {"runtime/model", "runtime/host"}},
      {"runtime/ops/onednn_kernel.*", {"runtime/model", "runtime/host"}},
      {"runtime/ops/bias_gradient.*", {"runtime/model", "runtime/host"}},
      {"runtime/ops/*", {"runtime/model"}},
      {"runtime/network/*", {"runtime/model", "runtime/ops", "runtime/policy", "runtime/data"}},
      {"runtime/exec/*", {"runtime"}},
      {"profiler/trace/*", {"runtime/model"}},
      {"profiler/capture/device_provenance.*", {"profiler/trace", "runtime/model", "runtime/cuda"}},
      {"profiler/import/*", {"profiler/trace", "runtime/model"}},
      {"profiler/capture/*", {"profiler/trace", "runtime/model", "runtime/observe"}},
      {"profiler/analysis/*", {"profiler/trace", "runtime/model"}},
      {"profiler/metrics/*", {"profiler/analysis", "profiler/trace", "runtime/model"}},
      {"profiler/report/*",
       {"profiler/metrics", "profiler/analysis", "profiler/trace", "runtime/model"}},
      {"profiler/whatif/*",
       {"profiler/metrics", "profiler/analysis", "profiler/capture", "profiler/trace",
        "runtime/policy", "runtime/model"}},
      {"profiler/compare/*",
       {"profiler/report", "profiler/metrics", "profiler/analysis", "profiler/trace",
        "runtime/model"}},
      {"scenarios/lab/*",
       {"runtime/model", "runtime/policy", "runtime/network", "runtime/data", "profiler/trace",
        "profiler/whatif", "profiler/analysis"}},
      {"profiler/wire/*", {"profiler/trace", "profiler/metrics", "runtime/model"}},
      {"scenarios/verify/*",
       {"runtime", "profiler/capture", "profiler/analysis", "profiler/trace"}},
      {"scenarios/worker/*", {"scenarios/cli", "runtime", "profiler"}},
      {"viewer/live/*", {"profiler/wire", "profiler/trace", "profiler/metrics", "runtime/model"}},
      {"scenarios/cli/*", {"runtime", "profiler", "scenarios/lab", "scenarios/verify"}},
      {"viewer/model/*",
       {"viewer/model", "profiler", "runtime/model", "runtime/policy", "runtime/network",
        "scenarios/lab"}},
      {"viewer/widgets/*", {"viewer/model", "profiler", "runtime/model"}},
      {"viewer/views/*",
       {"viewer/widgets", "viewer/model", "profiler", "runtime/model", "runtime/policy"}},
      {"viewer/platform/*", {"viewer/widgets", "viewer/model", "runtime/model"}},
      {"viewer/app/*", {"viewer", "profiler", "runtime/model"}},
      {"examples/recorded_saxpy/*", {"profiler/capture"}},
      {"tests/*", {"tests", "runtime", "profiler", "scenarios", "viewer"}},
  };
  return kArrows;
}

/// Headers of other people's libraries that only the files of `only_in` may include.
struct LibraryRule {
  std::string_view header;
  std::vector<std::string_view> only_in;
};

const std::vector<LibraryRule>& library_rules() {
  static const std::vector<LibraryRule> kRules = {
      {"dnnl*", {"runtime/host/onednn.*"}},
      {"oneapi/*", {"runtime/host/onednn.*"}},
      {"omp.h", {"runtime/host/*"}},
      {"cudnn*", {"runtime/cuda/*"}},
      {"cublas*", {"runtime/cuda/*"}},
      {"nccl*", {"runtime/cuda/*"}},
      {"cupti*", {"profiler/capture/cupti_*", "tests/profiler/capture/cupti_*"}},
      {"nvtx3/*", {"runtime/observe/nvtx_*", "runtime/cuda/stream_name.*"}},
      {"toml++/*", {"runtime/policy/toml_reader.cpp"}},
      {"sqlite3.h", {"profiler/trace/sqlite.*"}},
      {"graphviz/*", {"profiler/report/svg_graph_graphviz.cpp"}},
      {"imgui*", {"viewer/widgets/*", "viewer/views/*", "viewer/platform/*", "viewer/app/*"}},
      {"backends/*", {"viewer/platform/*"}},
      {"GLFW/*", {"viewer/platform/*"}},
      {"GL/*", {"viewer/platform/*"}},
      {"png.h", {"viewer/platform/image.cpp"}},
  };
  return kRules;
}

/// As matches_glob, but a closing "/*" reaches every depth.
bool matches_files(std::string_view path, std::string_view files) {
  if (files.ends_with("/*")) return path.starts_with(files.substr(0, files.size() - 1));
  return matches_glob(path, files);
}

bool is_cpp(std::string_view path) {
  constexpr std::array<std::string_view, 4> kEndings = {".h", ".cpp", ".cu", ".cuh"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

struct Include {
  std::string_view header;
  bool quoted = false;
};

/// The header that a line includes, or nothing.
std::optional<Include> include_of(std::string_view line) {
  const auto skip_blanks = [&] {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  };
  skip_blanks();
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with("include")) return std::nullopt;
  line.remove_prefix(7);
  skip_blanks();
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const bool quoted = line.front() == '"';
  line.remove_prefix(1);
  return Include{line.substr(0, line.find(quoted ? '"' : '>')), quoted};
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}

bool inside(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && path.substr(folder.size()).starts_with('/');
}

bool arrow_allows(std::string_view file, std::string_view header) {
  if (folder_of(file) == folder_of(header)) return true;
  const auto arrow = std::find_if(arrows().begin(), arrows().end(), [&](const Arrow& candidate) {
    return matches_files(file, candidate.files);
  });
  return arrow != arrows().end() &&
         std::any_of(arrow->sees.begin(), arrow->sees.end(),
                     [&](std::string_view folder) { return inside(header, folder); });
}

/// What is wrong with the includes of one file, a sentence each.
std::vector<std::string> include_faults(const SourceFile& file) {
  std::vector<std::string> faults;
  for (const std::string_view line : lines_of(file.text)) {
    const std::optional<Include> include = include_of(line);
    if (!include) continue;
    if (include->quoted && !arrow_allows(file.path, include->header)) {
      faults.push_back(file.path + " may not include " + std::string(include->header));
    }
    for (const LibraryRule& rule : library_rules()) {
      const bool allowed =
          file.path.starts_with("tests/") ||
          std::any_of(rule.only_in.begin(), rule.only_in.end(),
                      [&](std::string_view files) { return matches_files(file.path, files); });
      if (matches_files(include->header, rule.header) && !allowed) {
        faults.push_back(file.path + " may not include <" + std::string(include->header) +
                         ">: it belongs in " + std::string(rule.only_in.front()));
      }
    }
  }
  return faults;
}

std::vector<std::string> faults_of_tree(std::vector<std::string> (*check)(const SourceFile&)) {
  std::vector<std::string> faults;
  for (const SourceFile& file : source_tree()) {
    if (!is_cpp(file.path)) continue;
    for (std::string& fault : check(file))
      faults.push_back(std::move(fault));
  }
  return faults;
}

std::string listed(const std::vector<std::string>& faults) {
  std::string text;
  for (const std::string& fault : faults)
    text += "\n  " + fault;
  return text;
}

std::vector<std::string> header_faults(const SourceFile& file) {
  std::vector<std::string> faults;
  if (!file.path.ends_with(".h") && !file.path.ends_with(".cuh")) return faults;
  if (!file.text.starts_with("/// ")) {
    faults.push_back(file.path + " does not open with a /// sentence saying what it is for");
  }
  for (const std::string_view line : lines_of(file.text)) {
    if (line.starts_with("using namespace ")) {
      faults.push_back(file.path + " has a using-directive: " + std::string(line));
    }
  }
  return faults;
}

TEST(IncludeRules, HoldForEveryFile) {
  const std::vector<std::string> faults = faults_of_tree(include_faults);
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

TEST(IncludeRules, EveryHeaderSaysWhatItIsForAndImportsNoNamespace) {
  const std::vector<std::string> faults = faults_of_tree(header_faults);
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

TEST(IncludeRules, EveryFolderOfTheTableExists) {
  const std::vector<SourceFile> tree = source_tree();
  for (const Arrow& arrow : arrows()) {
    EXPECT_TRUE(
        std::any_of(tree.begin(), tree.end(),
                    [&](const SourceFile& file) { return matches_files(file.path, arrow.files); }))
        << arrow.files << " matches no file: has it moved?";
  }
}

struct ForbiddenCase {
  std::string_view path;
  std::string_view text;
};

TEST(IncludeRules, ReportEachKindOfForbiddenInclude) {
  constexpr auto kForbidden = std::to_array<ForbiddenCase>({
      {"runtime/model/task.h", "#include \"runtime/policy/stream_policy.h\"\n"},
      {"runtime/policy/sync_planner.cpp", "#include \"runtime/ops/op_catalog.h\"\n"},
      {"runtime/ops/relu.cpp", "#include \"runtime/host/host_kernel.h\"\n"},
      {"runtime/exec/trainer.cpp", "#include \"profiler/trace/trace.h\"\n"},
      {"runtime/exec/trainer.h", "  #  include \"viewer/model/rows.h\"\n"},
      {"profiler/trace/trace.h", "#include \"runtime/policy/stream_policy.h\"\n"},
      {"profiler/analysis/overlap.cpp", "#include \"profiler/metrics/metric_catalog.h\"\n"},
      {"profiler/report/text.cpp", "#include \"runtime/observe/observer.h\"\n"},
      {"runtime/network/lenet.cpp", "#include \"scenarios/cli/run.h\"\n"},
      {"runtime/host/worker.cpp", "#include <dnnl.hpp>\n"},
      {"runtime/ops/fc.cpp", "#include <oneapi/dnnl/dnnl.hpp>\n"},
      {"runtime/exec/trainer.cpp", "#include <omp.h>\n"},
      {"scenarios/cli/run.cpp", "#include <toml++/toml.h>\n"},
      {"profiler/trace/store.cpp", "#include <sqlite3.h>\n"},
      {"elsewhere/stray.cpp", "#include \"runtime/model/task.h\"\n"},
  });
  for (const ForbiddenCase& forbidden : kForbidden) {
    const SourceFile file{std::string(forbidden.path), std::string(forbidden.text)};
    EXPECT_EQ(include_faults(file).size(), 1U) << forbidden.path << ": " << forbidden.text;
  }
}

TEST(IncludeRules, AllowWhatTheTableSays) {
  constexpr auto kAllowed = std::to_array<ForbiddenCase>({
      {"runtime/model/task.h", "#include <vector>\n#include \"runtime/model/access.h\"\n"},
      {"runtime/ops/relu_host.cpp", "#include \"runtime/host/onednn.h\"\n"},
      {"runtime/host/onednn.h", "#include <dnnl.hpp>\n"},
      {"runtime/exec/trainer.cpp", "#include \"runtime/network/network.h\"\n"},
      {"tests/runtime/exec/trainer_test.cpp", "#include \"profiler/trace/trace.h\"\n"},
  });
  for (const ForbiddenCase& allowed : kAllowed) {
    const SourceFile file{std::string(allowed.path), std::string(allowed.text)};
    EXPECT_TRUE(include_faults(file).empty()) << allowed.path << ": " << allowed.text;
  }
}

TEST(IncludeRules, ReportAHeaderWithoutItsSentenceAndOneWithAUsingDirective) {
  EXPECT_EQ(header_faults({"runtime/model/a.h", "#pragma once\n"}).size(), 1U);
  EXPECT_EQ(header_faults({"runtime/model/a.h", "/// A.\nusing namespace std;\n"}).size(), 1U);
  EXPECT_TRUE(header_faults({"runtime/model/a.h", "/// A.\n#pragma once\n"}).empty());
}

}  // namespace
}  // namespace quintet
