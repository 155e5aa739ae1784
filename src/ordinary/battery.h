#pragma once

#include <string>
#include <vector>

#include "ordinary/trial.h"

namespace treacle::ordinary {

/// An ordinary scene with a right answer, for all methods.
struct Case {
    enum Quick { never = 0, in_2d = 2, in_3d = 3, always = 5 };  ///< dimensions of the quick battery, added up

    std::string name;
    std::string title;  ///< what is asked, for people
    Quick quick;
    void (*measure)(Trial& trial);     ///< draws, runs and measures
    std::vector<std::string> needs{};  ///< keys for whose sake a method may refuse the scene or warn

    bool is_quick(int dimension) const { return quick == always || quick == dimension; }
};

/// All cases, in the order of the table.
const std::vector<Case>& all_cases();

// Each is a file of this folder.
std::vector<Case> pools();
std::vector<Case> bodies_in_fluid();
std::vector<Case> free_blobs();
std::vector<Case> drops();
std::vector<Case> slopes();
std::vector<Case> floating_bodies();
std::vector<Case> tilting_bodies();
std::vector<Case> stacks();
std::vector<Case> shear_cells();
std::vector<Case> full_vessels();
std::vector<Case> waves();
std::vector<Case> impacts();
std::vector<Case> hanging();
std::vector<Case> emitters();
std::vector<Case> jelly_at_rest();

/// A case for one method and dimension.
struct Cell {
    const Case* ordinary;
    std::string method;
    int dimension;
};

/// Which part of the table; empty or 0: all of it.
struct Selection {
    std::string method;
    std::string name;  ///< of a case, or how names of cases begin
    int dimension = 0;
    bool full = false;  ///< the cells that are not quick, too
};

/// Cells in the order of cases, dimensions, methods.
std::vector<Cell> cells(const Selection& selection);

/// Runs one; `choice` says how, the cell says what.
CellReport run_cell(const Cell& cell, Choice choice);

}  // namespace treacle::ordinary
