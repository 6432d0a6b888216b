/// What makes two recording files the same recording: their content, wherever they lie.
#pragma once

#include <string>

#include "profiler/trace/trace.h"

namespace quintet {

/// 32 hexadecimal digits over provenance, tasks, steps and spans. Copies of a recording share it;
/// two runs never do, as their times differ. Not meant to withstand forgery.
std::string recording_identity(const Trace& trace);

}  // namespace quintet
