#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/verdict.h"

/// The items that a paper shows, and the claims of our figures for each: a file <name>.checklist.json beside them.

namespace treacle {

struct ChecklistItem {
    std::string item;                 ///< one line
    std::vector<std::string> claims;  ///< "figure/claim", or "figure" for all of its claims; empty if there are none
    std::string reason;               ///< why there are none, where it is measured instead, or what fails
};

struct Checklist {
    std::string title;
    std::vector<ChecklistItem> items;
};

/// The list, or all problems of the file.
Result<Checklist> read_checklist(const std::string& path);

/// Whether one of an item's claims refers to a verdict's id, paper/figure/claim.
bool concerns(const ChecklistItem& item, const std::string& verdict_id);

/// For people: every item with its measured values, the paper's words, and the reasons.
std::string to_text(const Checklist& list, std::span<const Verdict> verdicts);

}  // namespace treacle
