#pragma once

/// Marks what a shared library of treacle shows to others. All else is hidden.
#define TREACLE_EXPORT __attribute__((visibility("default")))
