#pragma once

#include <optional>
#include <span>
#include <string>

#include "claims/expectation.h"

namespace treacle {

/// The result of a claim.
struct Verdict {
    std::string id;  ///< paper/figure/claim
    Claim claim;
    std::optional<double> measured;  ///< none if it could not be measured
    std::string problem;             ///< why not
    bool ok = false;                 ///< measured, and within the band
};

/// Measures a claim; `figure` is "paper/figure".
Verdict judge(const std::string& figure, const Claim& claim, const Runs& runs);

/// List of {id, claim, paper, measured, unit, low, high, ok}. `measured` is null if "problem" says why; low or high is
/// null if the claim has only the other.
Json to_json(std::span<const Verdict> verdicts);

/// For people: a line per claim in aligned columns, and the count.
std::string to_table(std::span<const Verdict> verdicts);

}  // namespace treacle
