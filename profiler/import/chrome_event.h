/// One event of a Chrome trace, as its text tells it: nothing interpreted, nothing copied.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/import/decimal_time.h"
#include "profiler/import/json_cursor.h"

namespace quintet {

/// A process, thread or event id: a number, or any text ("Spans", "GPU 0 Counters", "").
struct ChromeId {
  enum class Kind : std::uint8_t { none, number, text };
  Kind kind = Kind::none;
  std::int64_t number = 0;
  std::string_view text;  ///< of both
};

/// The `args` that an import looks at; what is absent or no number is nothing.
struct ChromeEventArgs {
  bool told = false;  ///< the event has them; else none of the following is set
  std::optional<std::int64_t> device;
  std::optional<std::int64_t> stream;  ///< -1 = none, whether told signed or unsigned
  std::optional<std::int64_t> context;
  std::optional<std::uint64_t> correlation;
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> graph_node;
  std::optional<std::uint64_t> captured_node;
  std::optional<std::uint64_t> registers;
  std::optional<std::uint64_t> shared_bytes;
  std::optional<std::uint64_t> channel;
  std::optional<std::array<std::uint32_t, 3>> grid;
  std::optional<std::array<std::uint32_t, 3>> block;
  JsonString name;  ///< of a process or thread, or the labels of a process
  // Written by quintet export only:
  std::optional<std::int64_t> lane;  ///< place in the table of own_document.h
  std::optional<std::int64_t>
      policy_lane;  ///< likewise, where a policy put the work; nothing = lane
  std::optional<std::uint64_t> static_shared_bytes;  ///< of `shared_bytes`
  std::optional<std::int64_t> raw_begin_ns;          ///< of untimed activities
  std::optional<std::int64_t> raw_end_ns;
  std::optional<double> occupancy;              ///< theoretical
  JsonString op;                                ///< of the task
  std::optional<std::int64_t> captured_stream;  ///< where a policy put the work
  JsonString logical_lane;                      ///< the name of that lane
};

/// The `args` that only XProf writes.
struct XprofArgs {
  bool told = false;                 ///< the event has any; else none of the following is set
  std::optional<std::int64_t> step;  ///< the step that a range marks
  enum class Details : std::uint8_t { none, kernel, copy, fill };
  Details details_of = Details::none;
  JsonString details;  ///< "regs:96 grid:128,1,1 ...", "kind_src:device size:4096 ..."
  JsonString hlo_op;   ///< "all-gather-start.2"
};

struct ChromeEventFields {
  char phase = '\0';  ///< first letter of `ph`
  JsonString category;
  JsonString name;
  ChromeId process;
  ChromeId thread;
  ChromeId id;             ///< `id`, or the `local` or `global` one of `id2`
  bool global_id = false;  ///< it means the same in every process
  JsonString scope;        ///< within which an id means something
  DecimalTime begin;       ///< `ts`
  DecimalTime duration;    ///< `dur`
};

struct ChromeEvent : ChromeEventFields {
  ChromeEventArgs args;
  XprofArgs xprof;
};

/// Reads the object that begins at the cursor. Its views point into the cursor's text.
JsonStatus read_event(JsonCursor& cursor, ChromeEvent& event);

/// Reads microseconds, as a number or in quotes.
JsonStatus read_time(JsonCursor& cursor, DecimalTime& time);

/// True for -1 and its unsigned forms of 32 and 64 bits: what stands for no stream.
bool names_no_stream(std::string_view number);

/// Reads a finite number.
JsonStatus read_real(JsonCursor& cursor, std::optional<double>& into);

/// Reads a number, or one in quotes: its text; anything else is skipped and gives an empty view.
JsonStatus read_number(JsonCursor& cursor, std::string_view& text);

}  // namespace quintet
