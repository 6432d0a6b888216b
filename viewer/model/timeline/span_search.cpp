#include "viewer/model/timeline/span_search.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace quintet::viewer {

namespace {

constexpr std::size_t kSearchedSpansAnAsk = 1 << 16;

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// True where `text` contains `piece`; ASCII letters of either case are the same.
bool contains_piece(std::string_view text, std::string_view piece) {
  const auto found = std::search(text.begin(), text.end(), piece.begin(), piece.end(),
                                 [](char a, char b) { return lower(a) == lower(b); });
  return found != text.end() || piece.empty();
}

}  // namespace

SpanSearch SpanSearch::of(std::shared_ptr<const Trace> trace, std::string text,
                          const std::function<bool()>& stop) {
  SpanSearch search;
  search.trace_ = std::move(trace);
  search.text_ = std::move(text);
  const Trace& all = *search.trace_;
  if (search.text_.empty()) return search;
  // A task's name holds its layer, op kind and part where they are known.
  for (std::uint32_t task = 0; task < all.tasks.size(); ++task) {
    const TraceTask& each = all.tasks[task];
    const bool match =
        contains_piece(each.name, search.text_) || contains_piece(each.layer, search.text_) ||
        contains_piece(each.op_kind, search.text_) || contains_piece(each.part, search.text_) ||
        std::any_of(each.covers.begin(), each.covers.end(), [&](const std::string& covered) {
          return contains_piece(covered, search.text_);
        });
    search.task_matches_.push_back(match);
    if (match) search.tasks_.push_back(task);
  }
  bool any = !search.tasks_.empty();
  for (const TraceActivity& activity : all.activities) {
    search.activity_matches_.push_back(contains_piece(activity.name, search.text_));
    any = any || search.activity_matches_.back();
  }
  for (std::size_t span = 0; any && span < all.spans.size(); ++span) {
    if (span % kSearchedSpansAnAsk == 0 && stop && stop()) break;
    if (!search.matches(span)) continue;
    if (search.hits_.size() < kListedHits) {
      search.hits_.push_back(static_cast<std::uint32_t>(span));
    }
    ++search.count_;
  }
  return search;
}

bool SpanSearch::matches(std::size_t span) const {
  const std::uint32_t task = trace_->spans.task[span];
  const std::uint32_t activity = trace_->spans.activity[span];
  return (task < task_matches_.size() && task_matches_[task]) ||
         (activity < activity_matches_.size() && activity_matches_[activity]);
}

std::optional<std::uint32_t> SpanSearch::next(std::optional<std::size_t> span) const {
  if (count_ == 0) return std::nullopt;
  const std::size_t count = trace_->spans.size();
  std::size_t at = span ? (*span + 1) % count : 0;
  while (!matches(at))
    at = (at + 1) % count;
  return static_cast<std::uint32_t>(at);
}

std::optional<std::uint32_t> SpanSearch::previous(std::optional<std::size_t> span) const {
  if (count_ == 0) return std::nullopt;
  const std::size_t count = trace_->spans.size();
  std::size_t at = span && *span > 0 ? *span - 1 : count - 1;
  while (!matches(at))
    at = at > 0 ? at - 1 : count - 1;
  return static_cast<std::uint32_t>(at);
}

}  // namespace quintet::viewer
