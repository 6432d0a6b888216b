/// The Tasks tab: what each task takes over the steps, to sort and to filter.
#pragma once

#include <string>
#include <vector>

#include "profiler/report/report.h"
#include "viewer/views/view.h"
#include "viewer/widgets/table.h"

namespace quintet::viewer {

/// Positions in Report::tasks that have `filter` in name, layer, op or lane, as a column sorts
/// them; ties keep the report's order.
std::vector<std::size_t> sorted_tasks(const Report& report, const std::string& filter,
                                      const TableSort& sort);

class TasksView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "tasks"; }
  [[nodiscard]] std::string_view title() const override { return "Tasks"; }
  void draw(ViewContext& context) override;

 private:
  /// What the order of rows was made for.
  struct Key {
    std::uint64_t generation = 0;
    std::string filter;
    TableSort sort;
    friend bool operator==(const Key&, const Key&) = default;
  };

  void draw_row(const ReportTask& task, const Report& report, Side side, ViewContext& context);

  std::string filter_;
  Key key_;
  std::vector<std::size_t> order_;
};

}  // namespace quintet::viewer
