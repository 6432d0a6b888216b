#include "viewer/model/mapping/draft_file.h"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime/policy/toml_section.h"
#include "viewer/model/mapping/whole_file.h"

namespace quintet {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "quintet.policy_draft";
constexpr int kVersion = 1;

Json json_of(const ManualEdge& edge) {
  return {{"from", edge.from}, {"to", edge.to}};
}

struct ToJson {
  Json operator()(const SetKindStream& set) const {
    return {{"kind", set.kind},
            {"part", set.part},
            {"stream", name_of(set.stream)},
            {"over_globs", set.over_globs}};
  }
  Json operator()(const SetOpStream& set) const {
    return {{"kind", set.kind}, {"stream", name_of(set.stream)}, {"over_globs", set.over_globs}};
  }
  Json operator()(const SetLayerStreams& set) const {
    return {{"globs", set.globs}, {"stream", name_of(set.stream)}};
  }
  Json operator()(const SetLaunchStream& set) const {
    return {{"graph", name_of(set.graph)}, {"stream", name_of(set.stream)}};
  }
  Json operator()(const SetPriority& set) const {
    return {{"stream", name_of(set.stream)}, {"priority", set.priority}};
  }
  Json operator()(const SetSync& set) const {
    Json edges = Json::array();
    for (const ManualEdge& edge : set.edges)
      edges.push_back(json_of(edge));
    return {{"rule", name_of(set.rule)}, {"edges", std::move(edges)}};
  }
  Json operator()(const SetGradients& set) const { return {{"mode", name_of(set.mode)}}; }
  Json operator()(const SetStep& set) const { return {{"mode", name_of(set.mode)}}; }
  Json operator()(const AddEdge& add) const { return json_of(add.edge); }
  Json operator()(const RemoveEdge& remove) const { return json_of(remove.edge); }
  Json operator()(const SetName& set) const { return {{"name", set.name}}; }
  Json operator()(const ReplaceText& replace) const { return {{"toml", replace.toml}}; }
};

/// By index of PolicyChange.
constexpr std::array<std::string_view, std::variant_size_v<PolicyChange>> kTags = {
    "kind_stream", "op_stream", "layer_streams", "launch_stream", "priority", "sync",
    "gradients",   "step",      "add_edge",      "remove_edge",   "name",     "text"};

/// Reads the fields of one edit; what is wrong is thrown and caught in draft_from_text.
class EditReader {
 public:
  explicit EditReader(const Json& json) : json_(json) {}

  PolicyChange read(std::string_view tag) const {
    if (tag == "kind_stream") return SetKindStream{text("kind"), text("part"), stream(), flag()};
    if (tag == "op_stream") return SetOpStream{text("kind"), stream(), flag()};
    if (tag == "layer_streams") {
      return SetLayerStreams{json_.at("globs").get<std::vector<std::string>>(), stream()};
    }
    if (tag == "launch_stream") return SetLaunchStream{graph(), stream()};
    if (tag == "priority") return SetPriority{stream(), json_.at("priority").get<int>()};
    if (tag == "sync") return sync();
    if (tag == "gradients") {
      return SetGradients{
          one_of(std::array{GradientMode::in_place, GradientMode::separate}, "mode")};
    }
    if (tag == "step") {
      return SetStep{one_of(
          std::array{StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}, "mode")};
    }
    if (tag == "add_edge") return AddEdge{edge(json_)};
    if (tag == "remove_edge") return RemoveEdge{edge(json_)};
    if (tag == "name") return SetName{text("name")};
    if (tag == "text") return ReplaceText{text("toml")};
    throw std::invalid_argument(fmt::format("unknown edit \"{}\"", tag));
  }

 private:
  [[nodiscard]] std::string text(const char* key) const { return json_.at(key).get<std::string>(); }
  [[nodiscard]] bool flag() const { return json_.at("over_globs").get<bool>(); }
  [[nodiscard]] StreamKind stream() const { return one_of(kStreamKinds, "stream"); }
  template <class Values>
  typename Values::value_type one_of(const Values& values, const char* key) const {
    const std::string wanted = text(key);
    for (const auto value : values) {
      if (name_of(value) == wanted) return value;
    }
    throw std::invalid_argument(fmt::format("unknown {} \"{}\"", key, wanted));
  }
  [[nodiscard]] GraphId graph() const {
    const auto found = graph_from_name(text("graph"));
    if (!found) throw std::invalid_argument("unknown sub-graph \"" + text("graph") + "\"");
    return *found;
  }
  static ManualEdge edge(const Json& json) {
    return {json.at("from").get<std::string>(), json.at("to").get<std::string>(), 0};
  }
  [[nodiscard]] SetSync sync() const {
    SetSync set;
    set.rule = one_of(std::array{SyncRule::adjacent, SyncRule::adjacent_conflicts,
                                 SyncRule::dataflow, SyncRule::manual},
                      "rule");
    for (const Json& listed : json_.at("edges"))
      set.edges.push_back(edge(listed));
    return set;
  }

  const Json& json_;
};

Json json_of(const PolicyEdit& edit) {
  return {{"name", edit.name},
          {"what", kTags[edit.change.index()]},
          {"change", std::visit(ToJson{}, edit.change)}};
}

PolicyEdit edit_of(const Json& json) {
  return {EditReader(json.at("change")).read(json.at("what").get<std::string>()),
          json.at("name").get<std::string>()};
}

tl::unexpected<Error> no_draft(std::string why, const std::string& file) {
  return fail(fmt::format("no draft of a policy: {}", why), "delete the file to begin anew", file);
}

Result<PolicyDraft> replayed(const Json& json, const std::string& file) {
  if (json.at("schema") != kSchema) return no_draft("another kind of file", file);
  if (json.at("version") != kVersion) return no_draft("another version", file);
  Result<StreamPolicy> base =
      parse_policy(json.at("base").get<std::string>(), json.at("base_file").get<std::string>());
  if (!base) return tl::unexpected(base.error());
  PolicyDraft draft(std::move(*base));
  for (const Json& edit : json.at("edits")) {
    if (auto applied = draft.apply(edit_of(edit)); !applied) {
      return tl::unexpected(applied.error());
    }
  }
  const auto done = json.at("done").get<std::size_t>();
  if (done > draft.edits().size()) return no_draft("more edits done than listed", file);
  while (draft.done() > done)
    draft.undo();
  return draft;
}

}  // namespace

std::string draft_path(const std::string& recording) {
  return recording + ".draft.json";
}

std::string edit_text(const PolicyEdit& edit) {
  return json_of(edit).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<PolicyEdit> edit_from_text(std::string_view text) {
  try {
    return edit_of(Json::parse(text));
  } catch (const std::exception& error) {
    return fail(fmt::format("no edit of a policy: {}", error.what()));
  }
}

std::string draft_text(const PolicyDraft& draft) {
  Json edits = Json::array();
  for (const PolicyEdit& edit : draft.edits())
    edits.push_back(json_of(edit));
  const Json json = {{"schema", kSchema},
                     {"version", kVersion},
                     {"base", save_policy(draft.base())},
                     {"base_file", draft.base().file},
                     {"edits", std::move(edits)},
                     {"done", draft.done()}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<PolicyDraft> draft_from_text(std::string_view text, const std::string& file) {
  try {
    return replayed(Json::parse(text), file);
  } catch (const std::exception& error) {
    return no_draft(error.what(), file);
  }
}

Result<void> keep_draft(const PolicyDraft& draft, const std::string& path) {
  if (!draft.edits().empty()) return write_whole_file(path, draft_text(draft));
  std::error_code ignored;  // it need not be there
  std::filesystem::remove(path, ignored);
  return {};
}

Result<PolicyDraft> load_draft(const std::string& path) {
  const Result<std::string> text = read_text_file(path, "draft");
  if (!text) return tl::unexpected(text.error());
  return draft_from_text(*text, path);
}

}  // namespace quintet
