#include "viewer/model/fuzzy_match.h"

#include <algorithm>

namespace quintet::viewer {

namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool begins_word(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetweenWords = " _-./()";
  return at == 0 || kBetweenWords.find(text[at - 1]) != std::string_view::npos;
}

constexpr int kWordBegin = 8;
constexpr int kInRow = 6;
constexpr int kLetter = 1;

/// The best score of the pattern's rest within the text's, tried at each place of its first letter:
/// the first place need not be the best. Titles are short, patterns shorter.
std::optional<int> best(std::string_view pattern, std::string_view text, std::size_t from,
                        bool in_row) {
  while (!pattern.empty() && pattern.front() == ' ') {
    pattern.remove_prefix(1);
    in_row = false;
  }
  if (pattern.empty()) return 0;
  std::optional<int> most;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (lower(text[at]) != lower(pattern.front())) continue;
    const std::optional<int> rest = best(pattern.substr(1), text, at + 1, true);
    // A later place leaves the rest less room: what has no match here has none there.
    if (!rest) break;
    int score = kLetter + *rest;
    if (begins_word(text, at)) score += kWordBegin;
    if (in_row && at == from) score += kInRow;
    most = std::max(most.value_or(score), score);
  }
  return most;
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  // More letters than any title has words to tell apart; the search stays small.
  constexpr std::size_t kMostLetters = 12;
  return best(pattern.substr(0, kMostLetters), text, 0, false);
}

bool contains_text(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end() ||
         part.empty();
}

}  // namespace quintet::viewer
