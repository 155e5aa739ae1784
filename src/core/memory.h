#pragma once

/// Memory of the machine and of this process, in bytes.

namespace treacle {

/// Memory that can still be used.
double available_memory();

/// The most that this process has used at once so far.
double peak_memory();

}  // namespace treacle
