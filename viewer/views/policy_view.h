/// The Policy pane: the mapping as a table and as a file, its knobs, its edits and its proof.
#pragma once

#include <string>

#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/views/policy_table.h"
#include "viewer/views/policy_text.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

class PolicyView : public View {
 public:
  [[nodiscard]] std::string_view id() const override { return "policy"; }
  [[nodiscard]] std::string_view title() const override { return "Policy"; }
  void draw(ViewContext& context) override;

 private:
  void draw_head(const MappingKeeper& keeper, ViewContext& context);
  void draw_save(ViewContext& context);
  void draw_tabs(const MappingKeeper& keeper, ViewContext& context);

  PolicyTable table_;
  PolicyText text_;
  std::string file_ = "my-policy.toml";  ///< where Save as would write
};

}  // namespace quintet::viewer
