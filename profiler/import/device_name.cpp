#include "profiler/import/device_name.h"

#include <algorithm>
#include <array>
#include <string>

#include "profiler/import/decimal_time.h"

namespace quintet {

namespace {

/// Names that are longer are no device's; what is looked at has a bound.
constexpr std::size_t kMostNameBytes = 512;
constexpr std::int64_t kHighestOrdinal = 1'000'000;

bool is_name_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_letter(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_name_blank(char c) {
  return c == ' ' || c == '\t';
}

std::string lower_name(std::string_view text) {
  std::string lower(text.substr(0, kMostNameBytes));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view trimmed_name(std::string_view text) {
  while (!text.empty() && is_name_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_name_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

template <std::size_t size>
bool is_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

template <std::size_t size>
bool begins_with_one_of(std::string_view text, const std::array<std::string_view, size>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

/// Where `word` stands with no letter beside it; npos where it does not.
std::size_t find_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_name_letter(text[at - 1]);
    const bool ends = end == text.size() || !is_name_letter(text[end]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

/// The number that follows, behind at most two signs: of " #7(", ":0", "[3]", "_1".
std::optional<std::int64_t> number_after(std::string_view text, std::size_t at) {
  constexpr std::string_view kSigns = " #:_=-([";
  for (int signs = 0; signs < 2 && at < text.size(); ++signs) {
    if (kSigns.find(text[at]) == std::string_view::npos) break;
    ++at;
  }
  std::size_t end = at;
  while (end < text.size() && is_name_digit(text[end]))
    ++end;
  if (end == at || (end < text.size() && is_name_letter(text[end]))) return std::nullopt;
  return signed_from(text.substr(at, end - at));
}

std::optional<std::int32_t> ordinal_after(std::string_view text, std::size_t at) {
  const std::optional<std::int64_t> number = number_after(text, at);
  if (!number || *number > kHighestOrdinal) return std::nullopt;
  return static_cast<std::int32_t>(*number);
}

/// Words of makers that begin the name of a device.
constexpr auto kMakers = std::to_array<std::string_view>(
    {"nvidia ", "amd instinct", "amd radeon", "amd mi", "tesla ", "geforce ", "quadro ", "rtx ",
     "radeon ", "instinct ", "intel(r) data center gpu", "intel data center gpu"});

/// The words that may stand in front of "GPU 0" where the name is still that of a device.
bool may_precede_device(std::string_view text) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"device", "nvidia",    "amd",     "intel",    "cuda",    "hip",      "rocm",
       "node",   "rank",      "host",    "copy",     "memcpy",  "to",       "from",
       "op",     "execution", "threads", "discrete", "logical", "physical", "apple",
       "metal",  "vulkan",    "opencl",  "sycl"});
  if (text.find('/') != std::string_view::npos || begins_with_one_of(text, kMakers)) return true;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_name_letter(text[end]))
      ++end;
    if (end > at && !is_one_of(text.substr(at, end - at), kWords)) return false;
    at = end + 1;
  }
  return true;
}

/// The number in brackets that ends a name: of "nvidia h100 (0)", "amd instinct mi300x #3".
std::optional<std::int32_t> closing_ordinal(std::string_view text) {
  const std::size_t at = text.find_last_of("([#");
  if (at == std::string_view::npos) return std::nullopt;
  return ordinal_after(text, at);
}

/// What follows "gpu:0" in TensorFlow's names of devices.
void read_stream_of_process(std::string_view rest, ProcessMeaning& meaning) {
  if (const std::size_t at = rest.find("stream:all"); at != std::string_view::npos) {
    meaning.aggregate = true;
  } else if (const std::size_t stream = rest.find("/stream"); stream != std::string_view::npos) {
    meaning.stream = number_after(rest, stream + std::string_view("/stream").size());
    meaning.copying = rest.find("memcpy") != std::string_view::npos;
  } else if (rest.find("/memcpy") != std::string_view::npos) {
    meaning.aggregate = true;
    meaning.copying = true;
  } else if (trimmed_name(rest) == "compute") {
    meaning.projection = true;
  }
}

ProcessMeaning device_process(std::optional<std::int32_t> ordinal) {
  ProcessMeaning meaning;
  meaning.sort = ProcessMeaning::Sort::device;
  meaning.ordinal = ordinal;
  return meaning;
}

ProcessMeaning process_of_sort(ProcessMeaning::Sort sort) {
  ProcessMeaning meaning;
  meaning.sort = sort;
  return meaning;
}

bool is_host_process(std::string_view name) {
  constexpr auto kNone = std::string_view::npos;
  if (name == "gpu process") return true;  // of a browser
  // Of "/host:CPU/device:GPU:0" the device counts.
  if (const std::size_t device = name.find("/device:"); device != kNone) name = name.substr(device);
  return find_word(name, "cpu") != kNone || name.starts_with("/host:") ||
         find_word(name, "counters") != kNone || name.ends_with(" tensors");
}

/// "copy", "copy r3": of nothing but copies.
bool is_copy_process(std::string_view name) {
  constexpr auto kCopies =
      std::to_array<std::string_view>({"copy", "copies", "memory copies", "memory copy", "memcpy"});
  if (is_one_of(name, kCopies)) return true;
  const std::size_t rank = name.rfind(" r");
  return rank != std::string_view::npos && is_one_of(name.substr(0, rank), kCopies) &&
         number_after(name, rank + 2).has_value();
}

/// "gpu" with blanks, colons or slashes beside it, as in a title; not as part of a program's name.
bool mentions_accelerator(std::string_view name) {
  constexpr std::string_view kPartOfName = "_-.";
  for (const std::string_view word : {"gpu", "tpu", "npu", "accelerator"}) {
    const std::size_t at = find_word(name, word);
    if (at == std::string_view::npos) continue;
    const std::size_t end = at + word.size();
    const bool before = at > 0 && kPartOfName.find(name[at - 1]) != std::string_view::npos;
    const bool behind = end < name.size() && kPartOfName.find(name[end]) != std::string_view::npos;
    if (!before && !behind) return true;
  }
  return name.starts_with("/device:");
}

/// The process of a device that is called by one of `words` and its number.
std::optional<ProcessMeaning> numbered_device(std::string_view name) {
  for (const std::string_view word : {"gpu", "cuda", "hip", "rocm", "xpu", "device"}) {
    std::size_t at = name.find(word);
    // "gpu" may stand behind others; the rest are devices only where they begin the name.
    if (at == std::string_view::npos || (word != "gpu" && at != 0)) continue;
    if (at > 0 && is_name_letter(name[at - 1])) continue;
    if (at > 0 && !may_precede_device(name.substr(0, at))) continue;
    std::size_t end = at + word.size();
    if (name.substr(end).starts_with(" device")) end += std::string_view(" device").size();
    const auto ordinal = ordinal_after(name, end);
    if (!ordinal) continue;
    ProcessMeaning meaning = device_process(ordinal);
    while (end < name.size() && !is_name_digit(name[end]))
      ++end;
    while (end < name.size() && is_name_digit(name[end]))
      ++end;
    read_stream_of_process(name.substr(end), meaning);
    meaning.copying = meaning.copying || name.starts_with("copy") || name.starts_with("memcpy");
    return meaning;
  }
  return std::nullopt;
}

constexpr auto kProjections = std::to_array<std::string_view>({
    "steps",
    "step",
    "modules",
    "source",
    "source code",
    "annotations",
    "markers",
    "python",
    "xla traceme",
    "overhead",
    "name scope",
    "sparse core steps",
    "sparse core modules",
    "sparse core ops",
    "launch stats",
    "kernel launch",
    "framework ops",
    "framework name scope",
    "tensorflow ops",
    "tensorflow name scope",
    "xla modules",
    "xla ops",
    "async xla ops",
    "markers and ranges",
});

bool is_projection(std::string_view name) {
  if (const std::size_t from = name.find(" - from #"); from != std::string_view::npos)
    name = name.substr(0, from);
  return is_one_of(name, kProjections) || name.starts_with("host offload ops") ||
         name.starts_with("nvtx") || name.starts_with("_counters_");
}

/// What the words of a row say about the work on it.
struct RowWords {
  bool known = true;  ///< each word is one that is used of streams
  bool kernels = false;
  bool copies = false;
  bool fills = false;
  std::string_view direction;
  bool directions = false;  ///< more than one
};

RowWords words_of(std::string_view name) {
  constexpr auto kKernels =
      std::to_array<std::string_view>({"compute", "kernel", "kernels", "nccl", "rccl", "collective",
                                       "collectives", "comm", "communication", "graphics"});
  constexpr auto kOthers = std::to_array<std::string_view>(
      {"stream",  "streams", "queue", "queues",  "engine", "hw",     "hsa",  "hip",
       "cuda",    "rocm",    "gpu",   "default", "main",   "legacy", "to",   "from",
       "context", "device",  "id",    "amd",     "nvidia", "dma",    "sdma", "async"});
  RowWords words;
  std::size_t at = 0;
  while (at < name.size()) {
    if (!is_name_letter(name[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < name.size() && (is_name_letter(name[end]) || is_name_digit(name[end])))
      ++end;
    std::string_view word = name.substr(at, end - at);
    at = end;
    if (word.starts_with("memcpy") || word.starts_with("copy") || word == "copies" ||
        !copy_direction(word).empty()) {
      words.copies = true;
      const std::string_view direction = copy_direction(word);
      words.directions = words.directions || (!words.direction.empty() && !direction.empty() &&
                                              direction != words.direction);
      if (!direction.empty()) words.direction = direction;
      continue;
    }
    while (!word.empty() && is_name_digit(word.back()))
      word.remove_suffix(1);
    if (word.starts_with("memset")) {
      words.fills = true;
    } else if (is_one_of(word, kKernels)) {
      words.kernels = true;
    } else {
      words.known = words.known && is_one_of(word, kOthers);
    }
  }
  return words;
}

/// The number of the stream or queue that a row is called by.
std::optional<std::int64_t> stream_number(std::string_view name, bool& named) {
  for (const std::string_view word : {"stream", "queue"}) {
    const std::size_t at = name.find(word);
    if (at == std::string_view::npos || (at > 0 && is_name_letter(name[at - 1]))) continue;
    const std::size_t end = at + word.size();
    if (end < name.size() && is_name_letter(name[end])) continue;
    named = true;
    return number_after(name, end);
  }
  return std::nullopt;
}

}  // namespace

ProcessMeaning process_meaning(std::string_view name) {
  const std::string lower = lower_name(trimmed_name(name));
  const std::string_view text = lower;
  if (text.ends_with(" api") || text.find(" api r") != std::string_view::npos)
    return process_of_sort(ProcessMeaning::Sort::host_calls);
  if (is_host_process(text)) return {};
  if (auto numbered = numbered_device(text)) return *numbered;
  if (is_copy_process(text)) {
    ProcessMeaning copies = process_of_sort(ProcessMeaning::Sort::copies);
    copies.copying = true;
    return copies;
  }
  constexpr auto kUnnumbered = std::to_array<std::string_view>(
      {"gpu", "gpu kernels", "gpu streams", "gpu compute", "cuda kernels"});
  if (is_one_of(text, kUnnumbered)) return device_process(std::nullopt);
  if (begins_with_one_of(text, kMakers)) return device_process(closing_ordinal(text));
  if (mentions_accelerator(text)) return process_of_sort(ProcessMeaning::Sort::device_like);
  return {};
}

StreamMeaning stream_meaning(std::string_view name) {
  const std::string lower = lower_name(trimmed_name(name));
  const std::string_view text = lower;
  StreamMeaning meaning;
  if (is_projection(text)) {
    meaning.sort = StreamMeaning::Sort::projection;
    return meaning;
  }
  bool named = false;
  meaning.number = stream_number(text, named);
  const RowWords words = words_of(text);
  const bool bare_number = !text.empty() && std::all_of(text.begin(), text.end(),
                                                        [](char c) { return is_name_digit(c); });
  if (bare_number) meaning.number = signed_from(text);
  if (text.empty() || (!named && !bare_number && !words.known)) return meaning;
  meaning.sort = StreamMeaning::Sort::stream;
  if (const std::size_t at = text.find("gpu"); at != std::string_view::npos)
    meaning.ordinal = ordinal_after(text, at + 3);
  const bool device = meaning.ordinal && words.known;
  meaning.sure = named && words.known && meaning.number &&
                 (device || text.starts_with("stream #") || text.starts_with("cuda stream") ||
                  text.starts_with("hip stream") || text.starts_with("[cuda] stream"));
  const int sorts = (words.kernels ? 1 : 0) + (words.copies ? 1 : 0) + (words.fills ? 1 : 0);
  if (words.copies && !words.directions) meaning.direction = words.direction;
  if (sorts != 1) return meaning;
  meaning.work = words.kernels ? WorkSort::kernel : words.copies ? WorkSort::copy : WorkSort::fill;
  return meaning;
}

bool is_derived_thread(std::int64_t thread) {
  constexpr std::int64_t kFirst = 0xdeadbeef;
  constexpr std::int64_t kMost = 256;
  return thread >= kFirst && thread < kFirst + kMost;
}

std::string_view copy_direction(std::string_view text) {
  struct Direction {
    std::string_view word;
    std::string_view direction;
  };
  constexpr auto kDirections = std::to_array<Direction>({
      {"htod", "HtoD"},
      {"h2d", "HtoD"},
      {"hosttodevice", "HtoD"},
      {"host_to_device", "HtoD"},
      {"host to device", "HtoD"},
      {"dtoh", "DtoH"},
      {"d2h", "DtoH"},
      {"devicetohost", "DtoH"},
      {"device_to_host", "DtoH"},
      {"device to host", "DtoH"},
      {"dtod", "DtoD"},
      {"d2d", "DtoD"},
      {"devicetodevice", "DtoD"},
      {"device_to_device", "DtoD"},
      {"device to device", "DtoD"},
      {"ptop", "PtoP"},
      {"p2p", "PtoP"},
      {"peertopeer", "PtoP"},
      {"peer_to_peer", "PtoP"},
      {"htoh", "HtoH"},
      {"h2h", "HtoH"},
      {"hosttohost", "HtoH"},
      {"host_to_host", "HtoH"},
  });
  const std::string lower = lower_name(text);
  for (const Direction& each : kDirections) {
    if (lower.find(each.word) != std::string::npos) return each.direction;
  }
  return {};
}

WorkSort work_of_name(std::string_view name) {
  constexpr std::size_t kLongestCopy = 64;  // names of kernels are longer
  if (name.size() > kLongestCopy) return WorkSort::unknown;
  const std::string lower = lower_name(trimmed_name(name));
  const std::string_view text = lower;
  for (const std::string_view word : {"[cuda memset", "cuda memset", "memset"}) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(word.size());
    if (rest.empty() || !(is_name_letter(rest[0]) || rest[0] == '_')) return WorkSort::fill;
  }
  constexpr auto kCopies = std::to_array<std::string_view>(
      {"[cuda memcpy", "cuda memcpy", "copyhostto", "copydeviceto", "copybuffer", "copyimage",
       "memory_copy", "memory copy", "memorycopy"});
  if (begins_with_one_of(text, kCopies)) return WorkSort::copy;
  if (text.starts_with("memcpy")) {
    const std::string_view rest = text.substr(std::string_view("memcpy").size());
    const bool whole = rest.empty() || is_name_blank(rest[0]) || rest[0] == '(' || rest == "other";
    if (whole || !copy_direction(rest.substr(0, 16)).empty()) return WorkSort::copy;
  }
  constexpr auto kDirections =
      std::to_array<std::string_view>({"h2d", "d2h", "d2d", "p2p", "htod", "dtoh", "dtod", "ptop"});
  for (const std::string_view word : kDirections) {
    if (text == word || (text.starts_with(word) && text.substr(word.size()) == " copy"))
      return WorkSort::copy;
  }
  return WorkSort::unknown;
}

std::string_view collective_of(std::string_view name) {
  constexpr auto kCollectives = std::to_array<std::string_view>(
      {"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all",
       "collective-permute", "collective-broadcast"});
  std::string lower = lower_name(trimmed_name(name.substr(0, 64)));
  std::replace(lower.begin(), lower.end(), '_', '-');
  const auto* const found =
      std::find_if(kCollectives.begin(), kCollectives.end(),
                   [&](std::string_view each) { return lower.starts_with(each); });
  return found == kCollectives.end() ? std::string_view() : *found;
}

}  // namespace quintet
