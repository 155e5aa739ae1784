#include "ordinary/battery.h"

#include "methods/registry.h"

namespace treacle::ordinary {

const std::vector<Case>& all_cases() {
    static const std::vector<Case> all = [] {
        std::vector<Case> cases;
        for (const auto& family :
             {pools(), bodies_in_fluid(), free_blobs(), drops(), slopes(), floating_bodies(), tilting_bodies(),
              stacks(), shear_cells(), full_vessels(), impacts(), hanging(), emitters(), jelly_at_rest()}) {
            cases.insert(cases.end(), family.begin(), family.end());
        }
        return cases;
    }();
    return all;
}

std::vector<Cell> cells(const Selection& selection) {
    std::vector<Cell> chosen;
    for (const Case& ordinary : all_cases()) {
        if (!ordinary.name.starts_with(selection.name)) continue;
        for (const int dimension : {2, 3}) {
            if (selection.dimension != 0 && dimension != selection.dimension) continue;
            if (!selection.full && !ordinary.is_quick(dimension)) continue;
            for (const MethodRow& method : method_registry()) {
                if (selection.method.empty() || selection.method == method.id)
                    chosen.push_back({&ordinary, method.id, dimension});
            }
        }
    }
    return chosen;
}

CellReport run_cell(const Cell& cell, Choice choice) {
    choice.method = cell.method;
    choice.dimension = cell.dimension;
    Trial trial(cell.ordinary->name, cell.ordinary->needs, choice);
    cell.ordinary->measure(trial);
    return trial.report();
}

}  // namespace treacle::ordinary
