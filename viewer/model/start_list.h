/// What the start screen offers: the recordings that come with the program, and scenarios to train.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/recorded_matrix.h"

namespace quintet::viewer {

/// A built-in scenario, as a button.
struct ScenarioChoice {
  std::string name;
  std::string description;
  std::string network;
  std::string dataset;
  std::int64_t batch = 0;
  std::string policy;  ///< its own
};

/// Every built-in scenario; one that cannot be read is left out, as the command would refuse it.
std::vector<ScenarioChoice> scenario_choices();

/// A policy that a run may take.
struct PolicyChoice {
  std::string name;
  std::string description;
};

/// Every built-in policy, then those that are computed from the step that they map.
std::vector<PolicyChoice> policy_choices();

/// Reads the heads of the recordings in the background, once: the start screen and the Compare tab
/// offer them.
class StartList : public Part {
 public:
  explicit StartList(std::string recorded_folder);

  [[nodiscard]] std::string_view id() const override { return "start"; }
  void prepare(PartContext& context) override;

  [[nodiscard]] const RecordedMatrix& recorded() const { return recorded_; }
  /// False while heads are read.
  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] const std::string& recorded_folder() const { return folder_; }
  [[nodiscard]] const std::vector<ScenarioChoice>& scenarios() const { return scenarios_; }
  [[nodiscard]] const std::vector<PolicyChoice>& policies() const { return policies_; }

 private:
  std::string folder_;
  bool started_ = false;
  bool complete_ = false;
  RecordedMatrix recorded_;
  std::vector<ScenarioChoice> scenarios_;
  std::vector<PolicyChoice> policies_;
};

}  // namespace quintet::viewer
