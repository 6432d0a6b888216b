/// The report of each open recording, computed in the background: what tables and panes show.
#pragma once

#include <array>
#include <memory>

#include "profiler/report/report.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// Builds a report whenever a side holds another document. A live one is reported as often as one
/// report takes, always the newest state.
class DocumentReports : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "reports"; }
  void prepare(PartContext& context) override;

  /// Of the document that the side holds now, or of a younger state of the same run; null until it
  /// is there.
  [[nodiscard]] const Report* report(Side side) const { return held_[index_of(side)].report.get(); }
  /// The generation of the document that report() is of; 0 without one.
  [[nodiscard]] std::uint64_t generation(Side side) const {
    return held_[index_of(side)].report ? held_[index_of(side)].generation : 0;
  }
  /// The row of a task, or null.
  [[nodiscard]] const ReportTask* task(Side side, std::uint32_t index) const;

 private:
  struct Held {
    std::shared_ptr<const Report> report;
    std::uint64_t generation = 0;
    std::uint64_t asked = 0;  ///< generation that is or was computed
    std::string file;
  };

  void ask(Side side, const Document& document, PartContext& context);

  std::array<Held, kSideCount> held_;
};

}  // namespace quintet::viewer
