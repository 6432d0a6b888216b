/// What a piece of advice writes into a draft that may hold other edits already.
#pragma once

#include <string>

#include "runtime/policy/stream_policy.h"
#include "viewer/model/mapping/policy_edit.h"

namespace quintet {

struct AdviceEdit {
  PolicyEdit edit;
  bool made = false;  ///< the draft says so already
};

/// `advised` is `recorded` with one change. The edit makes that change only, so that other edits of
/// `draft` stay; where no single edit does it, it puts `advised` in place of all that is there.
/// `name` is what the undo list says.
AdviceEdit advice_edit(const StreamPolicy& recorded, const StreamPolicy& advised,
                       const StreamPolicy& draft, std::string name);

}  // namespace quintet
