#include "profiler/import/step_name.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace quintet {

namespace {

char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view name, std::string_view word) {
  return name.size() >= word.size() &&
         std::equal(word.begin(), word.end(), name.begin(),
                    [](char a, char b) { return a == lower_case(b); });
}

}  // namespace

std::optional<NamedStep> named_step(std::string_view name) {
  struct Word {
    std::string_view text;
    StepMark mark;
  };
  static constexpr auto kWords = std::to_array<Word>({{"profilerstep", StepMark::profiler_step},
                                                      {"step", StepMark::step},
                                                      {"iteration", StepMark::iteration}});
  const auto* const word = std::find_if(
      kWords.begin(), kWords.end(), [&](const Word& each) { return begins_with(name, each.text); });
  if (word == kWords.end()) return std::nullopt;
  name.remove_prefix(word->text.size());
  if (name.size() < 2 || std::string_view("# _-").find(name[0]) == std::string_view::npos)
    return std::nullopt;
  std::int64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, number);
  if (error != std::errc() || stop != end || name[1] == '-') return std::nullopt;
  return NamedStep{number, word->mark};
}

std::optional<NamedStep> named_step(std::string_view name, std::string_view domain,
                                    std::optional<std::int64_t> payload) {
  if (domain == kOwnRangeDomain && name == "step" && payload && *payload >= 0)
    return NamedStep{*payload, StepMark::payload};
  return named_step(name);
}

}  // namespace quintet
