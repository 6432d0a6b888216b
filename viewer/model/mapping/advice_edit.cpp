#include "viewer/model/mapping/advice_edit.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace quintet {

namespace {

/// The policy without its words: what it does.
StreamPolicy deeds_of(StreamPolicy policy) {
  policy.name.clear();
  policy.description.clear();
  for (LayerRule& rule : policy.layers)
    rule.reason.clear();
  for (IssueRule& rule : policy.issue)
    rule.reason.clear();
  return policy;
}

bool do_the_same(const StreamPolicy& one, const StreamPolicy& other) {
  return deeds_of(one) == deeds_of(other);
}

/// Changes that the two policies might differ by.
std::vector<PolicyChange> likely_changes(const StreamPolicy& recorded,
                                         const StreamPolicy& advised) {
  std::vector<PolicyChange> likely;
  if (advised.gradients != recorded.gradients) likely.emplace_back(SetGradients{advised.gradients});
  if (advised.step != recorded.step) likely.emplace_back(SetStep{advised.step});
  if (advised.sync != recorded.sync) likely.emplace_back(SetSync{advised.sync, advised.edges});
  for (const StreamKind stream : kStreamKinds) {
    const int priority = advised.priorities[index_of(stream)];
    if (priority != recorded.priorities[index_of(stream)])
      likely.emplace_back(SetPriority{stream, priority});
  }
  if (advised.layers.size() > recorded.layers.size()) {
    const LayerRule& first = advised.layers.front();
    likely.emplace_back(SetLayerStreams{{first.glob}, first.stream});
  }
  for (const auto& [key, rule] : advised.parts) {
    const auto before = recorded.parts.find(key);
    const std::size_t slash = key.find('/');
    if (slash == std::string::npos) continue;
    if (before != recorded.parts.end() && before->second == rule) continue;
    likely.emplace_back(
        SetKindStream{key.substr(0, slash), key.substr(slash + 1), rule.stream, false});
  }
  return likely;
}

std::optional<PolicyChange> single_change(const StreamPolicy& recorded,
                                          const StreamPolicy& advised) {
  for (PolicyChange& change : likely_changes(recorded, advised)) {
    const Result<StreamPolicy> after = changed(recorded, change);
    if (after && do_the_same(*after, advised)) return std::move(change);
  }
  return std::nullopt;
}

/// True where `advised` has more rules of issue order and nothing else is different.
bool only_issues_later(const StreamPolicy& recorded, const StreamPolicy& advised) {
  StreamPolicy without = advised;
  without.issue = recorded.issue;
  return do_the_same(without, recorded) && advised.issue.size() > recorded.issue.size();
}

}  // namespace

AdviceEdit advice_edit(const StreamPolicy& recorded, const StreamPolicy& advised,
                       const StreamPolicy& draft, std::string name) {
  if (std::optional<PolicyChange> change = single_change(recorded, advised)) {
    const Result<StreamPolicy> after = changed(draft, *change);
    const bool made = after && do_the_same(*after, draft);
    return {{std::move(*change), std::move(name)}, made};
  }
  // Issue order has no edit of its own: it is written into the text of the draft.
  StreamPolicy wanted = advised;
  if (only_issues_later(recorded, advised)) {
    wanted = draft;
    for (const IssueRule& rule : advised.issue) {
      const bool there =
          std::any_of(draft.issue.begin(), draft.issue.end(), [&](const IssueRule& each) {
            return each.task == rule.task && each.after == rule.after;
          });
      if (!there) wanted.issue.push_back(rule);
    }
  }
  wanted.name = draft.name;
  const bool made = do_the_same(wanted, draft);
  return {{ReplaceText{save_policy(wanted)}, std::move(name)}, made};
}

}  // namespace quintet
