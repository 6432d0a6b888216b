#include "viewer/model/mapping/policy_lines.h"

#include <algorithm>
#include <fmt/format.h>

#include "runtime/policy/toml_section.h"

namespace quintet {

namespace {

/// A line of the file as three texts. Of an entry of an array of tables, all its lines as one.
struct PolicyLine {
  std::string key;
  std::string what;
  std::string value;
  int number = 0;  ///< of the line that a note stands on
};

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2) : text;
}

/// Reads the text that save_policy writes, whatever tables it has: equal policies have equal lines,
/// and the other way round.
class PolicyLines {
 public:
  static std::vector<PolicyLine> of(std::string_view toml) {
    PolicyLines lines;
    for (std::size_t begin = 0; begin < toml.size();) {
      const std::size_t end = std::min(toml.find('\n', begin), toml.size());
      ++lines.number_;
      lines.take(toml.substr(begin, end - begin));
      begin = end + 1;
    }
    return lines.finished();
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("[[")) {
      section_ = line.substr(2, line.find(']') - 2);
      lines_.push_back({});
      entry_texts_ = 0;
      entry_ = true;
    } else if (line.starts_with("[")) {
      section_ = line.substr(1, line.find(']') - 1);
      entry_ = false;
    } else if (line.ends_with(" = [")) {
      list_ = line.substr(0, line.size() - 4);
    } else if (line == "]") {
      list_.clear();
    } else if (!list_.empty()) {
      const std::string_view text = unquoted(line.substr(2, line.size() - 3));
      lines_.push_back({fmt::format("{}|{}", list_, text), list_, std::string(text), number_});
    } else if (const std::size_t equals = line.find(" = "); equals != std::string_view::npos) {
      take(line.substr(0, equals), line.substr(equals + 3));
    }
  }

  void take(std::string_view key, std::string_view value) {
    if (entry_) return take_of_entry(key, value);
    const std::string_view name = unquoted(key);
    const std::string what =
        section_.empty() ? std::string(name) : fmt::format("{}: {}", section_, name);
    lines_.push_back(
        {fmt::format("{}|{}", section_, name), what, std::string(unquoted(value)), number_});
  }

  /// What tells an entry from others: the glob of a layer, else its first two texts.
  void take_of_entry(std::string_view key, std::string_view value) {
    PolicyLine& line = lines_.back();
    const int names = section_ == "layers" ? 1 : 2;
    if (entry_texts_++ >= names) {
      if (!line.value.empty()) line.value += ", ";
      if (key != "stream") line.value += fmt::format("{} = ", key);
      line.value += unquoted(value);
      return;
    }
    line.key += line.key.empty() ? section_ : "";
    line.key += fmt::format("|{}", value);
    line.what += line.what.empty() ? section_ + ": " : ", ";
    line.what += entry_texts_ == 1 && names == 1 ? std::string(unquoted(value))
                                                 : fmt::format("{} = {}", key, unquoted(value));
    line.number = number_;
  }

  /// A glob or an edge may be listed twice: the second is another line.
  std::vector<PolicyLine> finished() {
    std::map<std::string, int> seen;
    for (PolicyLine& line : lines_) {
      const int before = seen[line.key]++;
      if (before > 0) line.key += fmt::format("#{}", before);
    }
    return std::move(lines_);
  }

  std::vector<PolicyLine> lines_;
  std::string section_;
  std::string list_;  ///< of the array at hand
  bool entry_ = false;
  int entry_texts_ = 0;
  int number_ = 0;
};

using LineIndex = std::map<std::string, const PolicyLine*>;

LineIndex by_key(const std::vector<PolicyLine>& lines) {
  LineIndex index;
  for (const PolicyLine& line : lines)
    index.emplace(line.key, &line);
  return index;
}

/// The keys of a section's lines that both have, in the order of the first.
std::vector<std::string> common_keys(const std::vector<PolicyLine>& lines, const LineIndex& others,
                                     std::string_view section) {
  std::vector<std::string> keys;
  for (const PolicyLine& line : lines) {
    if (line.key.starts_with(section) && others.contains(line.key)) keys.push_back(line.key);
  }
  return keys;
}

/// A note is one line, whatever the names in it.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; }, ' ');
  return text;
}

}  // namespace

std::string head_line(std::string_view key) {
  return fmt::format("|{}", key);
}
std::string op_line(std::string_view kind) {
  return fmt::format("ops|{}", kind);
}
std::string part_line(std::string_view part) {
  return fmt::format("parts|{}", part);
}
std::string subgraph_line(GraphId graph) {
  return fmt::format("subgraphs|{}", name_of(graph));
}
std::string priority_line(StreamKind stream) {
  return fmt::format("priorities|{}", name_of(stream));
}
std::string layer_line(std::string_view glob) {
  return "layers|" + toml_quoted(glob);
}
std::string edge_line(const ManualEdge& edge) {
  return fmt::format("edges|{}|{}", toml_quoted(edge.from), toml_quoted(edge.to));
}

AnnotatedText annotated_text(const StreamPolicy& policy, const LineNotes& notes) {
  const std::string plain = save_policy(policy);
  AnnotatedText text;
  for (const PolicyLine& line : PolicyLines::of(plain)) {
    const auto note = notes.find(line.key);
    if (note != notes.end()) text.notes.emplace(line.number, one_line(note->second));
  }
  int number = 0;
  for (std::size_t begin = 0; begin < plain.size();) {
    const std::size_t end = std::min(plain.find('\n', begin), plain.size());
    text.toml += plain.substr(begin, end - begin);
    if (const auto note = text.notes.find(++number); note != text.notes.end()) {
      text.toml += "  # " + note->second;
    }
    text.toml += '\n';
    begin = end + 1;
  }
  return text;
}

std::vector<PolicyDifference> difference(const StreamPolicy& before, const StreamPolicy& after,
                                         const LineNotes& notes) {
  const std::vector<PolicyLine> old_lines = PolicyLines::of(save_policy(before));
  const std::vector<PolicyLine> new_lines = PolicyLines::of(save_policy(after));
  const LineIndex old_index = by_key(old_lines);
  const LineIndex new_index = by_key(new_lines);
  std::vector<PolicyDifference> found;
  for (const PolicyLine& line : new_lines) {
    const auto note = notes.find(line.key);
    const std::string why = note == notes.end() ? std::string{} : note->second;
    const auto old = old_index.find(line.key);
    if (old == old_index.end()) {
      found.push_back({LineChange::added, line.what, {}, line.value, why, line.key});
    } else if (old->second->value != line.value) {
      found.push_back(
          {LineChange::changed, line.what, old->second->value, line.value, why, line.key});
    }
  }
  for (const PolicyLine& line : old_lines) {
    if (!new_index.contains(line.key)) {
      found.push_back({LineChange::removed, line.what, line.value, {}, {}, line.key});
    }
  }
  for (const std::string_view section : {"by_subgraph|", "layers|", "issue|", "edges|"}) {
    if (common_keys(old_lines, new_index, section) != common_keys(new_lines, old_index, section)) {
      const std::string name(section.substr(0, section.size() - 1));
      found.push_back({LineChange::changed, name, "one order", "another order", {}, {}});
    }
  }
  return found;
}

std::string text_of(const PolicyDifference& difference) {
  const std::string note = difference.note.empty() ? "" : fmt::format("  ({})", difference.note);
  const auto with = [&](const std::string& value) {
    return value.empty() ? difference.what : fmt::format("{} = {}", difference.what, value);
  };
  switch (difference.change) {
    case LineChange::added:
      return fmt::format("+ {}{}", with(difference.after), note);
    case LineChange::removed:
      return fmt::format("- {}{}", with(difference.before), note);
    case LineChange::changed:
      return fmt::format("~ {}: {} -> {}{}", difference.what, difference.before, difference.after,
                         note);
  }
  return {};
}

}  // namespace quintet
