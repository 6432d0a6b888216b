#include "profiler/import/chrome_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "profiler/import/byte_stream.h"
#include "profiler/import/chrome_document.h"
#include "profiler/import/chrome_event.h"
#include "profiler/import/chrome_spans.h"
#include "profiler/import/json_cursor.h"
#include "profiler/import/text_window.h"

namespace quintet {

namespace {

bool is_json_blank(char c) {
  return static_cast<unsigned char>(c) <= ' ';
}

/// Blanks, and the mark of UTF-8 that some editors put in front.
std::string_view without_blanks(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && is_json_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

/// Walks over the text of one file. Where the window ends inside a piece, the piece is read again
/// from its begin once more of the text is there.
class ChromeJsonReader {
 public:
  ChromeJsonReader(const std::string& path, ByteStream stream, const ImportOptions& options,
                   TraceBuilder& builder)
      : path_(path),
        options_(options),
        builder_(builder),
        source_(builder.open_source(path, "chrome_json")),
        window_(std::move(stream), options.window_bytes),
        spans_(builder, source_) {}

  Result<ImportedFile> read() {
    skip_mark();
    if (!cancelled_) read_document();
    if (!cancelled_) skip_rest();
    if (cancelled_) return cancelled_import(path_);
    if (spans_.events() == 0 && !found_events_) {
      return fail("has no trace events",
                  "name a Chrome trace: an object with \"traceEvents\", or "
                  "an array of events",
                  path_);
    }
    return finish();
  }

 private:
  enum class Damage : std::uint8_t { mended, end_of_text };
  /// find_event or find_header_key.
  using Find = const char* (*)(const DamagedText& text);

  /// False where nothing more can be had: the text ends, the piece is too long, or cancelled.
  bool slide() {
    const bool more = window_.slide();
    const ByteStream& stream = window_.stream();
    if (options_.progress && !options_.progress(stream.done(), stream.total())) cancelled_ = true;
    return more && !cancelled_;
  }

  [[nodiscard]] JsonCursor cursor() const { return {window_.begin(), window_.end()}; }

  void skip_mark() {
    const std::string_view head(window_.begin(), window_.end());
    if (head.starts_with("\xEF\xBB\xBF")) window_.consume_to(window_.begin() + 3);
  }

  /// Steps over blanks and commas; false at the end of the text.
  bool next_item() {
    for (;;) {
      JsonCursor at = cursor();
      while (at.skip_space() && at.peek() == ',')
        at.advance();
      window_.consume_to(at.at());
      if (at.at() < window_.end()) return true;
      if (!slide()) return false;
    }
  }

  void read_document() {
    if (!next_item()) return;
    const char first = *window_.begin();
    window_.consume_to(window_.begin() + 1);
    if (first == '[') {
      found_events_ = next_item() && (*window_.begin() == ']' || *window_.begin() == '{');
      bare_array_ = true;
      read_events();
      return;
    }
    read_top_level();
  }

  void read_top_level() {
    while (next_item()) {
      if (*window_.begin() == '}') {
        window_.consume_to(window_.begin() + 1);
        return;
      }
      const JsonStatus status = read_member();
      if (status == JsonStatus::ok) continue;
      if (cancelled_) return;
      // Damage: go on at the next key that matters, or in the middle of the events.
      const bool cut = status == JsonStatus::incomplete && window_.at_end_of_text();
      if (mend(&find_header_key, cut) == Damage::end_of_text) return;
      if (*window_.begin() == '{') read_events();
    }
    truncated_ = truncated_ || !ended_in_damage_;
  }

  /// Reads a key of the top level and its value.
  JsonStatus read_member() {
    for (;;) {
      JsonCursor at = cursor();
      JsonString key;
      JsonStatus status = at.string(key);
      if (status == JsonStatus::ok) status = at.colon();
      if (status == JsonStatus::ok && at.peek() == '[' && choose_section(key.raw)) {
        window_.consume_to(at.at() + 1);
        read_events();
        return JsonStatus::ok;
      }
      const bool own = key.raw == "quintet";  // the key may lie in what is consumed
      if (status == JsonStatus::ok) status = read_header(at, key.raw, header_);
      if (status == JsonStatus::ok) window_.consume_to(at.at());
      if (status == JsonStatus::ok && own) spans_.restore(header_.own);
      if (status != JsonStatus::incomplete || !slide()) return status;
    }
  }

  /// What an array of the top level holds that is read element by element.
  enum class Section : std::uint8_t { events, untimed, steps };

  bool choose_section(std::string_view key) {
    if (key == "traceEvents") {
      found_events_ = true;
      section_ = Section::events;
    } else if (key == "quintetUntimed") {
      section_ = Section::untimed;
    } else if (key == "quintetSteps") {
      section_ = Section::steps;
      spans_.restore_steps();
    } else {
      return false;
    }
    return true;
  }

  /// Reads an element of the section and hands it on.
  JsonStatus read_element(JsonCursor& at) {
    if (at.peek() != '{') return JsonStatus::malformed;
    if (section_ == Section::steps) {
      const JsonStatus status = read_own_step(at, step_);
      if (status == JsonStatus::ok) spans_.restore_step(std::move(step_));
      return status;
    }
    const JsonStatus status = read_event(at, event_);
    if (status != JsonStatus::ok) return status;
    if (section_ == Section::events) {
      spans_.add(event_);
    } else {
      spans_.restore_untimed(event_);
    }
    return status;
  }

  /// Reads events, or what else the section holds, up to the end of their array.
  void read_events() {
    while (next_item()) {
      const char first = *window_.begin();
      if (first == ']') {
        window_.consume_to(window_.begin() + 1);
        return;
      }
      JsonCursor at = cursor();
      const JsonStatus status = read_element(at);
      if (status == JsonStatus::ok) {
        window_.consume_to(at.at());
        continue;
      }
      if (status == JsonStatus::incomplete && slide()) continue;
      if (cancelled_) return;
      const bool cut = status == JsonStatus::incomplete && window_.at_end_of_text();
      if (mend(bare_array_ ? &find_event : &find_header_key, cut) == Damage::end_of_text) return;
      if (*window_.begin() == '"') return;  // the array ended in what was skipped
    }
    truncated_ = truncated_ || !bare_array_;
  }

  /// Gives up the piece that begins the window and goes on where `find` says. `cut`: the text ends
  /// in the piece; unless something follows that can be read, the text is cut off there.
  Damage mend(Find find, bool cut) {
    const std::uint64_t begin = window_.offset_of(window_.begin());
    if (!first_damage_) first_damage_ = {spans_.events(), begin, std::string()};
    ++skipped_events_;
    DamagedText text{'\0', window_.begin(), window_.begin() + 1, window_.end()};
    for (;;) {
      const char* found = find(text);
      if (found < window_.end() || window_.at_end_of_text()) {
        skipped_bytes_ += window_.offset_of(found) - begin;
        window_.consume_to(found);
        if (found < window_.end()) return Damage::mended;
        ended_in_damage_ = true;
        truncated_ = truncated_ || cut;
        return Damage::end_of_text;
      }
      // What lies too near the end of the window to be judged is looked at again.
      const auto kept = std::min(static_cast<std::ptrdiff_t>(kLookAhead), text.end - text.from);
      for (const char* at = text.first; at < text.end - kept; ++at)
        text.before = is_json_blank(*at) ? text.before : *at;
      window_.consume_to(text.end - kept);
      if (!slide() && cancelled_) return Damage::end_of_text;
      text = {text.before, window_.begin(), window_.begin(), window_.end()};
    }
  }

  /// What follows the document is read, so that its length is known, and counted.
  void skip_rest() {
    std::uint64_t trailing = 0;
    do {
      trailing += static_cast<std::uint64_t>(
          std::count_if(window_.begin(), window_.end(), [](char c) { return !is_json_blank(c); }));
      window_.consume_to(window_.end());
    } while (slide());
    text_bytes_ = window_.offset_of(window_.end());
    skipped_bytes_ += trailing;
    trailing_bytes_ = trailing + window_.stream().trailing_bytes();
    if (trailing_bytes_ == 0 || cancelled_) return;
    builder_.count(Severity::notice, "trailing_bytes",
                   fmt::format("bytes behind the end of the trace or of the last gzip member, "
                               "first in {}: left out",
                               path_),
                   static_cast<std::int64_t>(trailing_bytes_));
  }

  ImportedFile finish() {
    spans_.finish();
    apply_header();
    truncated_ = truncated_ || window_.stream().cut_off();
    if (truncated_) {
      const auto compressed = window_.stream().compressed_at();
      builder_.count(
          Severity::data_loss, "truncated_file",
          fmt::format("{} is truncated at byte {}{}: its {} complete events were kept", path_,
                      text_bytes_,
                      compressed ? fmt::format(" of its text ({} of the file)", *compressed) : "",
                      spans_.events()));
    }
    if (skipped_events_ > 0) {
      builder_.count(Severity::data_loss, "damaged_events",
                     fmt::format("pieces of {} that are no JSON, first {}: {} bytes were skipped",
                                 path_, place_text(*first_damage_), skipped_bytes_),
                     skipped_events_);
    }
    ImportedFile file;
    file.file = path_;
    file.format = "chrome_json";
    file.bytes = window_.stream().total();
    file.text_bytes = text_bytes_;
    file.skipped_bytes = skipped_bytes_;
    file.skipped_events = skipped_events_;
    if (truncated_) file.truncated_at = text_bytes_;
    file.trailing_bytes = trailing_bytes_;
    file.first_damage = std::move(first_damage_);
    file.categories = spans_.categories().sorted();
    return file;
  }

  void apply_header() {
    if (header_.base_ns) spans_.set_clock_offset(*header_.base_ns);
    if (!header_.device_name.empty()) builder_.set_provenance("gpu", header_.device_name);
    if (header_.multiprocessors)
      builder_.set_provenance("multiprocessors", std::to_string(*header_.multiprocessors));
    if (header_.lost_records > 0) {
      builder_.count(Severity::data_loss, "dropped_records",
                     fmt::format("the profiler reported: {}", header_.first_lost_records),
                     header_.lost_records);
    }
    if (builder_.sources()[source_.value()].rank) {
      // Its table of lanes says it.
    } else if (header_.rank) {
      builder_.set_rank(source_, static_cast<int>(*header_.rank));
    } else if (const auto rank = rank_of_file_name(path_)) {
      builder_.set_rank(source_, *rank);
      builder_.count(Severity::info, "rank_of_file_name",
                     "files that do not tell their rank: it was taken from the file's name");
    }
  }

  const std::string& path_;
  const ImportOptions& options_;
  TraceBuilder& builder_;
  ImportSourceId source_;
  TextWindow window_;
  ChromeSpans spans_;
  ChromeHeader header_;
  Section section_ = Section::events;
  ChromeEvent event_;
  std::optional<TraceStep> step_;
  bool found_events_ = false;  ///< the array of events
  bool bare_array_ = false;    ///< whose closing bracket may be missing
  bool truncated_ = false;
  bool ended_in_damage_ = false;  ///< so that nobody knows whether the text was complete
  bool cancelled_ = false;
  std::uint64_t text_bytes_ = 0;
  std::uint64_t skipped_bytes_ = 0;
  std::uint64_t trailing_bytes_ = 0;
  std::optional<ImportedDamage> first_damage_;
  std::int64_t skipped_events_ = 0;
};

}  // namespace

bool looks_like_json(std::string_view head) {
  const std::string_view text = without_blanks(head);
  return !text.empty() && (text.front() == '{' || text.front() == '[');
}

Result<ImportedFile> read_chrome_json(const std::string& path, const ImportOptions& options,
                                      TraceBuilder& builder) {
  Result<ByteStream> stream = ByteStream::open(path);
  if (!stream) return tl::unexpected(stream.error());
  return ChromeJsonReader(path, std::move(*stream), options, builder).read();
}

}  // namespace quintet
