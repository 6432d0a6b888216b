/// Every part of the workbench: a plain list.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/run_source.h"

namespace quintet::viewer {

/// What the application was started with.
struct AppOptions {
  std::vector<std::string> files;  ///< the first as A, the second as B
  std::string recorded_folder;     ///< of the recordings that come with the program; may be empty
  std::string state_folder;        ///< sizes, theme and recent files; empty = none are kept
  bool reopen = true;              ///< without files, what was open before is opened again
  std::shared_ptr<RunSource> run_source;  ///< null: nothing can be run
  std::string why_no_runs;                ///< then: why
  std::function<void()> wake;  ///< makes a sleeping screen draw; any thread; may be empty
};

/// In the order in which they see commands.
using MakePart = std::unique_ptr<Part> (*)(const AppOptions&);
std::span<const MakePart> part_catalog();

}  // namespace quintet::viewer
