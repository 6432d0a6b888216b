/// Remembers sizes, theme and files between two starts.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/view_state.h"

namespace quintet::viewer {

/// Writes its file whenever another file is open, and at the end.
class StateKeeper : public Part {
 public:
  /// `folder` empty: nothing is remembered. `reopen`: what was open before is opened again.
  StateKeeper(std::string folder, bool reopen) : folder_(std::move(folder)), reopen_(reopen) {}

  [[nodiscard]] std::string_view id() const override { return "state"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;
  void finish(PartContext& context) override;

  [[nodiscard]] const std::vector<std::string>& recent() const { return recent_; }

 private:
  void load(PartContext& context);

  std::string folder_;
  bool reopen_;
  bool loaded_ = false;
  std::vector<std::string> recent_;
  ViewState saved_;
};

}  // namespace quintet::viewer
