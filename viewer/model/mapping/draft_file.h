/// A draft kept beside its recording, so that no edit is lost: its base, its edits, undone ones
/// included.
#pragma once

#include <string>
#include <string_view>

#include "runtime/model/result.h"
#include "viewer/model/mapping/policy_draft.h"

namespace quintet {

/// Where the draft of a recording lies: "run.qtrace.draft.json".
std::string draft_path(const std::string& recording);

/// One edit as JSON, and back. Errors: not such a text.
std::string edit_text(const PolicyEdit& edit);
Result<PolicyEdit> edit_from_text(std::string_view text);

/// JSON of base, edits and the place in them.
std::string draft_text(const PolicyDraft& draft);
/// The draft again: same policy, same undo list. Errors: not such a text, another version, an edit
/// that no longer applies.
Result<PolicyDraft> draft_from_text(std::string_view text, const std::string& file);

/// Writes the draft in one rename, or removes the file where the draft has no edits.
Result<void> keep_draft(const PolicyDraft& draft, const std::string& path);
/// Errors: no such file, and those of draft_from_text().
Result<PolicyDraft> load_draft(const std::string& path);

}  // namespace quintet
