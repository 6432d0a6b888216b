#include "profiler/import/chrome_devices.h"

#include <algorithm>
#include <limits>

#include "profiler/import/decimal_time.h"
#include "profiler/import/json_text.h"

namespace quintet {

namespace {

/// The value of "key:value" in a text like "regs:96 grid:128,1,1"; empty where it has none.
std::string_view detail_of(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const std::size_t value = at + key.size();
    const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n';
    if (!begins || value >= text.size() || text[value] != ':') continue;
    const std::string_view rest = text.substr(value + 1);
    return rest.substr(0, rest.find_first_of(" \n"));
  }
  return {};
}

/// "128,1,1"
std::optional<std::array<std::uint32_t, 3>> extent_of(std::string_view text) {
  std::array<std::uint32_t, 3> extent{};
  for (std::uint32_t& size : extent) {
    const std::size_t comma = text.find(',');
    const auto number = unsigned_from(text.substr(0, comma));
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    size = static_cast<std::uint32_t>(*number);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  if (!text.empty()) return std::nullopt;
  return extent;
}

std::optional<LaunchShape> launch_of_details(std::string_view text) {
  const auto grid = extent_of(detail_of(text, "grid"));
  const auto block = extent_of(detail_of(text, "block"));
  if (!grid || !block) return std::nullopt;
  LaunchShape launch;
  launch.grid = *grid;
  launch.block = *block;
  launch.registers = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(unsigned_from(detail_of(text, "regs")).value_or(0),
                              std::numeric_limits<std::uint32_t>::max()));
  launch.static_shared_bytes = unsigned_from(detail_of(text, "static_shared")).value_or(0);
  launch.dynamic_shared_bytes = unsigned_from(detail_of(text, "dynamic_shared")).value_or(0);
  const auto occupancy = unsigned_from(detail_of(text, "occ_pct"));
  if (occupancy && *occupancy > 0 && *occupancy <= 100)
    launch.occupancy = static_cast<double>(*occupancy) / 100.0;
  return launch;
}

/// By the kinds of memory: "kind_src:device kind_dst:pinned".
std::string_view direction_of_details(std::string_view text) {
  const std::string_view from = detail_of(text, "kind_src");
  const std::string_view to = detail_of(text, "kind_dst");
  if (from.empty() || to.empty() || from == "unknown" || to == "unknown") return {};
  const auto on_device = [](std::string_view kind) { return kind.starts_with("device"); };
  const auto on_host = [](std::string_view kind) {
    return kind == "pinned" || kind == "pageable" || kind == "host";
  };
  if (on_device(from) && on_device(to)) return "DtoD";
  if (on_device(from) && on_host(to)) return "DtoH";
  if (on_host(from) && on_device(to)) return "HtoD";
  return on_host(from) && on_host(to) ? "HtoH" : "";
}

std::optional<std::uint64_t> bytes_of_details(std::string_view text) {
  for (const std::string_view key : {"size", "num_bytes", "size_in_bytes"}) {
    if (const auto bytes = unsigned_from(detail_of(text, key))) return bytes;
  }
  return std::nullopt;
}

}  // namespace

DeviceWork device_work(const ChromeEventArgs& args, const XprofArgs& xprof) {
  DeviceWork work;
  std::string scratch;
  const std::string_view details = text_of(xprof.details, scratch);
  switch (xprof.details_of) {
    case XprofArgs::Details::kernel:
      work.sort = WorkSort::kernel;
      work.launch = launch_of_details(details);
      break;
    case XprofArgs::Details::copy:
      work.sort = WorkSort::copy;
      work.bytes = bytes_of_details(details);
      work.direction = direction_of_details(details);
      break;
    case XprofArgs::Details::fill:
      work.sort = WorkSort::fill;
      work.bytes = bytes_of_details(details);
      break;
    case XprofArgs::Details::none:
      break;
  }
  if (!work.bytes) work.bytes = args.bytes;
  if (!work.launch && args.grid && args.block) {
    work.launch.emplace();
    work.launch->grid = *args.grid;
    work.launch->block = *args.block;
  }
  work.device = args.device;
  work.stream = args.stream;
  if (!xprof.hlo_op.raw.empty()) work.collective = collective_of(xprof.hlo_op.raw);
  return work;
}

void ChromeDevices::name_process(std::int64_t process, std::string_view name) {
  const auto [at, added] = processes_.try_emplace(process);
  if (!added) return;
  Process& named = at->second;
  named.name = name;
  named.meaning = process_meaning(name);
  const ProcessMeaning& meaning = named.meaning;
  if (meaning.sort == ProcessMeaning::Sort::copies) named.lane_process = process;
  if (meaning.sort != ProcessMeaning::Sort::device || !meaning.ordinal) return;
  if (meaning.stream) {
    stream_devices_.insert(*meaning.ordinal);
  } else if (meaning.aggregate || meaning.projection) {
    named.lane_process = process;
  } else if (meaning.copying || !ordinals_.insert(*meaning.ordinal).second) {
    // Another process numbers its streams anew.
    named.lane_process = process;
  }
}

void ChromeDevices::name_thread(std::int64_t process, std::int64_t thread, std::string_view name) {
  threads_.try_emplace({process, thread}, name);
}

const ChromeDevices::Process* ChromeDevices::process(std::int64_t id) const {
  const auto found = processes_.find(id);
  return found == processes_.end() ? nullptr : &found->second;
}

std::string_view ChromeDevices::process_name(std::int64_t process) const {
  const Process* named = this->process(process);
  return named == nullptr ? std::string_view() : named->name;
}

std::string_view ChromeDevices::thread_name(std::int64_t process, std::int64_t thread) const {
  const auto found = threads_.find({process, thread});
  return found == threads_.end() ? std::string_view() : found->second;
}

const DeviceRow* ChromeDevices::known(std::int64_t process, std::int64_t thread) {
  const RowId id{process, thread};
  if (last_row_ != nullptr && last_id_ == id) return last_row_;
  const Process* named = this->process(process);
  if (named == nullptr || !threads_.contains(id)) return nullptr;
  const ProcessMeaning& meaning = named->meaning;
  const bool device = meaning.sort == ProcessMeaning::Sort::device;
  // Which device, or whether anything else lies on streams, the rest of the file says.
  if (meaning.sort == ProcessMeaning::Sort::copies || (device && !meaning.ordinal) ||
      (device && meaning.aggregate)) {
    return nullptr;
  }
  return &remember(id);
}

const DeviceRow& ChromeDevices::remember(const RowId& id) {
  const auto [at, added] = rows_.try_emplace(id);
  if (added) at->second = decide(id.first, id.second);
  last_row_ = &at->second;
  last_id_ = id;
  return at->second;
}

const DeviceRow& ChromeDevices::row(std::int64_t process, std::int64_t thread) {
  const RowId id{process, thread};
  if (last_row_ != nullptr && last_id_ == id) return *last_row_;
  return remember(id);
}

void ChromeDevices::settle() {
  std::int32_t next = 0;
  for (auto& [id, named] : processes_) {
    if (named.meaning.sort != ProcessMeaning::Sort::device || named.meaning.ordinal) continue;
    while (ordinals_.contains(next))
      ++next;
    ordinals_.insert(next);
    named.meaning.ordinal = next;
    // An ordinal that was counted, not told.
    named.lane_process = 0;
    guessed_.insert(id);
  }
}

DeviceRow ChromeDevices::decide(std::int64_t process, std::int64_t thread) const {
  const Process* named = this->process(process);
  const auto found = threads_.find({process, thread});
  const std::string* name = found == threads_.end() ? nullptr : &found->second;
  if (named == nullptr) return decide_host(nullptr, thread, name);
  const ProcessMeaning& meaning = named->meaning;
  DeviceRow row;
  row.process = named->lane_process;
  row.stream = thread;
  row.stream_told = false;
  switch (meaning.sort) {
    case ProcessMeaning::Sort::host:
    case ProcessMeaning::Sort::host_calls:
      return decide_host(named, thread, name);
    case ProcessMeaning::Sort::device_like:
      row.sort = DeviceRow::Sort::unrecognised;
      row.device_known = row.device_told = false;
      return row;
    case ProcessMeaning::Sort::copies:
      // Of which device the copies are is clear where there is one.
      row.sort = ordinals_.size() == 1 ? DeviceRow::Sort::stream : DeviceRow::Sort::unrecognised;
      if (ordinals_.size() == 1) row.device = *ordinals_.begin();
      row.device_known = ordinals_.size() == 1;
      row.device_told = false;
      row.work = WorkSort::copy;
      return row;
    case ProcessMeaning::Sort::device:
      break;
  }
  row.device = meaning.ordinal.value_or(0);
  row.device_told = !guessed_.contains(process);
  if (meaning.copying) row.work = WorkSort::copy;
  if (meaning.projection || (meaning.aggregate && stream_devices_.contains(row.device))) {
    row.sort = DeviceRow::Sort::projection;
    return row;
  }
  if (meaning.stream || meaning.aggregate) {
    row.sort = DeviceRow::Sort::stream;
    row.stream = meaning.stream.value_or(thread);
    row.stream_told = true;
    return row;
  }
  return decide_thread(row, thread, name);
}

DeviceRow ChromeDevices::decide_thread(const DeviceRow& device, std::int64_t thread,
                                       const std::string* name) const {
  DeviceRow row = device;
  if (name == nullptr || name->empty()) {
    row.sort = is_derived_thread(thread) ? DeviceRow::Sort::projection : DeviceRow::Sort::stream;
    return row;
  }
  const StreamMeaning meaning = stream_meaning(*name);
  switch (meaning.sort) {
    case StreamMeaning::Sort::projection:
      row.sort = DeviceRow::Sort::projection;
      return row;
    case StreamMeaning::Sort::unknown:
      row.sort = DeviceRow::Sort::unrecognised;
      return row;
    case StreamMeaning::Sort::stream:
      break;
  }
  row.sort = DeviceRow::Sort::stream;
  row.stream = meaning.number.value_or(thread);
  row.stream_told = meaning.number.has_value();
  if (row.work == WorkSort::unknown) row.work = meaning.work;
  row.direction = meaning.direction;
  return row;
}

DeviceRow ChromeDevices::decide_host(const Process* process, std::int64_t thread,
                                     const std::string* name) const {
  DeviceRow row;
  row.stream = thread;
  row.stream_told = false;
  row.device_known = row.device_told = false;
  const bool calls =
      process != nullptr && process->meaning.sort == ProcessMeaning::Sort::host_calls;
  row.sort = calls ? DeviceRow::Sort::host_calls : DeviceRow::Sort::host;
  if (calls || name == nullptr) return row;
  const StreamMeaning meaning = stream_meaning(*name);
  if (!meaning.sure) return row;
  row.sort = DeviceRow::Sort::stream;
  row.device = meaning.ordinal.value_or(0);
  row.device_told = row.device_known = meaning.ordinal.has_value();
  row.stream = meaning.number.value_or(thread);
  row.stream_told = meaning.number.has_value();
  row.work = meaning.work;
  row.direction = meaning.direction;
  return row;
}

}  // namespace quintet
