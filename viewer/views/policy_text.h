/// The policy as its file, to be read and edited; errors with their line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers what is typed until it is applied, or until the draft changes elsewhere.
class PolicyText {
 public:
  void draw(const MappingKeeper& keeper, ViewContext& context);

 private:
  std::string typed_;
  std::string drawn_from_;  ///< the draft's text when typing began
  std::optional<Error> error_;
};

}  // namespace quintet::viewer
