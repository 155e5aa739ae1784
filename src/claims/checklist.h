#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/verdict.h"

/// What a paper shows, item by item, and which claims of our figures stand for it: a file <name>.checklist.json beside
/// them.

namespace treacle {

struct ChecklistItem {
    std::string item;                 ///< one line
    std::vector<std::string> claims;  ///< "figure/claim", or "figure" for all of its claims; empty where there are none
    std::string reason;               ///< why there are none, where it is measured instead, or what does not come out
};

struct Checklist {
    std::string title;
    std::vector<ChecklistItem> items;
};

/// The list, or everything that is wrong with the file.
Result<Checklist> read_checklist(const std::string& path);

/// Whether a verdict's id, paper/figure/claim, is meant by one of an item's claims.
bool concerns(const ChecklistItem& item, const std::string& verdict_id);

/// For people: every item with what was measured for it, what the paper says, and the reasons.
std::string to_text(const Checklist& list, std::span<const Verdict> verdicts);

}  // namespace treacle
