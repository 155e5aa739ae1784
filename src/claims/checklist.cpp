#include "claims/checklist.h"

#include <algorithm>

#include "core/text.h"
#include "scene/object_reader.h"

namespace treacle {

namespace {

const ParameterTable& checklist_table() {
    static const ParameterTable table =
        ParameterTable("checklist").add("title", &Checklist::title, {.required = true, .doc = "Whose list it is."});
    return table;
}

const ParameterTable& item_table() {
    static const ParameterTable table =
        ParameterTable("checklist item")
            .add("item", &ChecklistItem::item, {.required = true, .doc = "What the paper shows, one line."})
            .add("reason", &ChecklistItem::reason, {.doc = "Why there is no claim, or what does not come out."});
    return table;
}

const ObjectKind& item_kind() {
    static const ObjectKind kind{"checklist item",
                                 "",
                                 {ParameterObject::of<ChecklistItem>(item_table())},
                                 {{"claims", Form::list, "\"figure/claim\", or \"figure\" for all of its claims"}},
                                 {}};
    return kind;
}

const ObjectKind& checklist_kind() {
    static const ObjectKind kind{"checklist",
                                 "",
                                 {ParameterObject::of<Checklist>(checklist_table())},
                                 {{"items", Form::list, "items of the list", item_kind, true}},
                                 {}};
    return kind;
}

void read_claims(ObjectReader& reader, const Place& at, std::vector<std::string>& claims) {
    if (!at || !reader.is_list(at, "claims")) return;
    for (std::size_t n = 0; n < at.json->elements.size(); ++n) {
        const Json& name = at.json->elements[n];
        if (name.is_text()) claims.push_back(name.text);
        else reader.problem(at.element(n), "must be text such as \"fig04/rebounds\", not " + describe(name));
    }
}

std::string measured_text(const Verdict& verdict) {
    const std::string unit = verdict.claim.unit == "1" ? "" : " " + verdict.claim.unit;
    return (verdict.ok ? "ok      " : "NOT OK  ") + verdict.id.substr(verdict.id.find('/') + 1) + " " +
           (verdict.measured ? digits_text(*verdict.measured, 4) + unit : "could not be measured") +
           (verdict.claim.paper.empty() ? "" : "; paper: " + verdict.claim.paper);
}

}  // namespace

Result<Checklist> read_checklist(const std::string& path) {
    const auto root = read_json_file(path);
    if (!root) return tl::unexpected(root.error());
    ObjectReader reader(path, 0);
    Checklist list;
    const Place top{&*root, ""};
    if (reader.is_object(top, checklist_kind())) {
        reader.read(top, checklist_table(), &list);
        if (const Place items = top.member("items"); items && reader.is_list(items, "items")) {
            for (std::size_t n = 0; n < items.json->elements.size(); ++n) {
                const Place here = items.element(n);
                if (!reader.is_object(here, item_kind())) continue;
                ChecklistItem& item = list.items.emplace_back();
                reader.read(here, item_table(), &item);
                read_claims(reader, here.member("claims"), item.claims);
                if (item.claims.empty() && item.reason.empty())
                    reader.problem(here, "needs \"claims\" or a \"reason\"");
            }
        }
    }
    if (!reader.problems().empty()) return fail(reader.problems());
    return list;
}

bool concerns(const ChecklistItem& item, const std::string& verdict_id) {
    const std::string id = verdict_id.substr(verdict_id.find('/') + 1);
    return std::any_of(item.claims.begin(), item.claims.end(),
                       [&](const std::string& name) { return id == name || id.starts_with(name + "/"); });
}

std::string to_text(const Checklist& list, std::span<const Verdict> verdicts) {
    std::string text = list.title + "\n";
    for (const ChecklistItem& item : list.items) {
        text += item.item + "\n";
        std::size_t measured = 0;
        for (const Verdict& verdict : verdicts) {
            if (!concerns(item, verdict.id)) continue;
            text += "    " + measured_text(verdict) + "\n";
            ++measured;
        }
        if (measured == 0 && !item.claims.empty()) text += "    not run\n";
        if (!item.reason.empty()) text += "    " + item.reason + "\n";
    }
    return text;
}

}  // namespace treacle
