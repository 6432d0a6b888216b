/// A policy as the lines of its file: with notes beside them, and compared line by line with
/// another.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/policy/stream_policy.h"

namespace quintet {

/// Keys of lines: what tells one line of a policy file from all others, whatever its value.
std::string head_line(std::string_view key);
std::string op_line(std::string_view kind);
std::string part_line(std::string_view part);
std::string subgraph_line(GraphId graph);
std::string priority_line(StreamKind stream);
std::string layer_line(std::string_view glob);
std::string edge_line(const ManualEdge& edge);

/// Key of a line -> what stands beside it.
using LineNotes = std::map<std::string, std::string, std::less<>>;

struct AnnotatedText {
  std::string toml;
  std::map<int, std::string> notes;  ///< line number -> its note
};

/// save_policy() with a comment on every line that has a note: it parses to the same policy.
AnnotatedText annotated_text(const StreamPolicy& policy, const LineNotes& notes);

enum class LineChange : std::uint8_t { added, removed, changed };

struct PolicyDifference {
  LineChange change = LineChange::changed;
  std::string what;    ///< "parts: CONV_FP32_BWD/dW", "layers: conv1*"
  std::string before;  ///< empty where it was added
  std::string after;   ///< empty where it was removed
  std::string note;    ///< of the line, if it has one
  std::string key;     ///< of the line; empty where only the order differs
};

/// What makes `after` another policy than `before`, in the order of the file; empty where they are
/// equal.
std::vector<PolicyDifference> difference(const StreamPolicy& before, const StreamPolicy& after,
                                         const LineNotes& notes = {});

/// "+ parts: CONV_FP32_BWD/dW = COMP_2", "- ...", "~ sync: adjacent -> dataflow".
std::string text_of(const PolicyDifference& difference);

}  // namespace quintet
