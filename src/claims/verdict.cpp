#include "claims/verdict.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"

namespace treacle {

namespace {

std::string short_number(double value) {
    return std::abs(value) < 1e7 && value == std::floor(value) ? number_text(value) : digits_text(value, 4);
}

std::string band_text(const Claim& claim) {
    if (!claim.high) return "at least " + short_number(*claim.low);
    if (!claim.low) return "at most " + short_number(*claim.high);
    if (*claim.low == *claim.high) return short_number(*claim.low);
    return short_number(*claim.low) + " … " + short_number(*claim.high);
}

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

}  // namespace

Verdict judge(const std::string& figure, const Claim& claim, const Runs& runs) {
    Verdict verdict;
    verdict.id = figure + "/" + claim.id;
    verdict.claim = claim;
    const auto value = evaluate(claim.measure, runs);
    if (!value) {
        verdict.problem = to_string(value.error());
    } else if (!std::isfinite(*value)) {
        verdict.problem = "the measured value is not finite";
    } else {
        verdict.measured = *value;
        verdict.ok = (!claim.low || *value >= *claim.low) && (!claim.high || *value <= *claim.high);
    }
    return verdict;
}

Json to_json(std::span<const Verdict> verdicts) {
    Json list = Json::array();
    for (const Verdict& verdict : verdicts) {
        Json entry = Json::object();
        entry.set("id", verdict.id);
        entry.set("claim", verdict.claim.claim);
        entry.set("paper", verdict.claim.paper);
        entry.set("measured", or_null(verdict.measured));
        entry.set("unit", verdict.claim.unit);
        entry.set("low", or_null(verdict.claim.low));
        entry.set("high", or_null(verdict.claim.high));
        entry.set("ok", verdict.ok);
        if (!verdict.problem.empty()) entry.set("problem", verdict.problem);
        list.push(std::move(entry));
    }
    return list;
}

std::string to_table(std::span<const Verdict> verdicts) {
    std::vector<std::vector<std::string>> rows{{"", "measured", "expected", "unit", "claim"}};
    std::size_t kept = 0;
    for (const Verdict& verdict : verdicts) {
        const std::string reason = verdict.problem.empty() ? "" : " (" + verdict.problem + ")";
        rows.push_back({verdict.ok ? "ok" : "NOT OK", verdict.measured ? short_number(*verdict.measured) : "–",
                        band_text(verdict.claim), verdict.claim.unit,
                        verdict.id + ": " + verdict.claim.claim + reason});
        kept += verdict.ok ? 1 : 0;
    }
    return aligned_columns(rows) + std::to_string(kept) + " of " + std::to_string(verdicts.size()) + " claims hold\n";
}

}  // namespace treacle
