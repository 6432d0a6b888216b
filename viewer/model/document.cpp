#include "viewer/model/document.h"

#include <filesystem>

namespace quintet::viewer {

std::string Document::said(const std::string& provenance_key) const {
  if (!trace) return {};
  const auto found = trace->provenance.find(provenance_key);
  return found == trace->provenance.end() ? std::string() : found->second;
}

std::string Document::label() const {
  const std::string policy = said("policy");
  if (policy.empty()) return std::filesystem::path(file).filename().string();
  // "serial (step = whole_step)" says its mode already.
  const std::string mode = said("step_mode");
  const bool says_mode = mode.empty() || policy.find(" (") != std::string::npos;
  return policy + (says_mode ? "" : ", " + mode) +
         (said("predicted") == "true" ? ", predicted" : "");
}

}  // namespace quintet::viewer
