/// Everything a recording says of what is selected.
#pragma once

#include "profiler/report/report.h"
#include "viewer/model/detail_list.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// The facts of a selection; `report` may be null: then what it measures is said to be computed.
/// Cost: that of the task's accesses and of the edges of its graph.
DetailList details_of(const Document& document, const Selection& selection, const Report* report);

/// Keeps the facts of the current selection.
class SelectionDetails : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "details"; }
  void prepare(PartContext& context) override;

  /// Empty title: nothing is selected.
  [[nodiscard]] const DetailList& details() const { return details_; }

 private:
  DetailList details_;
  Selection of_;
  std::uint64_t generation_ = 0;
  std::uint64_t report_generation_ = 0;
};

}  // namespace quintet::viewer
