#include "viewer/model/fuzzy_match.h"

#include <algorithm>
#include <vector>

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
// More than the beginning of a word: "theme" is rather "theme" than "the message".
constexpr int kInRow = 10;
constexpr int kLetter = 1;

/// What the best match of the pattern's rest scores in the text from each place on; kNone = no match.
using Scores = std::vector<int>;
constexpr int kNone = -1;

/// From the scores of the rest without `letter` to those with it; `in_row`: where the letter before
/// matched just before the place, so that a match there goes on a row.
void prepend(char letter, std::string_view text, const Scores& after, const Scores& after_in_row,
             Scores& anywhere, Scores& in_row) {
  anywhere.assign(text.size() + 1, kNone);
  in_row.assign(text.size() + 1, kNone);
  for (std::size_t at = text.size(); at-- > 0;) {
    anywhere[at] = anywhere[at + 1];
    const int rest = std::max(after[at + 1], after_in_row[at + 1]);
    if (lower(text[at]) == lower(letter) && rest != kNone) {
      const int score = rest + kLetter + (begins_word(text, at) ? kWordBegin : 0);
      anywhere[at] = std::max(anywhere[at], score);
      in_row[at] = score + kInRow;
    }
  }
}

}  // namespace

std::optional<int> fuzzy_score(std::string_view pattern, std::string_view text) {
  Scores anywhere(text.size() + 1, 0);
  // Nothing is left to match: a row that ends is worth no more.
  Scores in_row(text.size() + 1, 0);
  Scores next;
  Scores next_in_row;
  for (std::size_t letter = pattern.size(); letter-- > 0;) {
    if (pattern[letter] == ' ') {
      // A blank lets a row end.
      std::fill(in_row.begin(), in_row.end(), kNone);
      continue;
    }
    prepend(pattern[letter], text, anywhere, in_row, next, next_in_row);
    anywhere.swap(next);
    in_row.swap(next_in_row);
  }
  return anywhere.front() == kNone ? std::nullopt : std::optional(anywhere.front());
}

bool contains_text(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(),
                     [](char a, char b) { return lower(a) == lower(b); }) != text.end() ||
         part.empty();
}

}  // namespace quintet::viewer
