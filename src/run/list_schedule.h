#pragma once

namespace treacle {

/// When the files that list all frames of a run are written anew. Writing them for every frame takes work that grows
/// with the square of the number of frames; with this schedule all lists together are about ten times the last one.
class ListSchedule {
public:
    /// Whether lists lack more than one frame, and more than a tenth of those that they hold.
    bool due(int frames) const {
        const int missing = frames - listed_;
        return missing > 1 && 10 * missing > listed_;
    }

    void written(int frames) { listed_ = frames; }

private:
    int listed_ = 0;
};

}  // namespace treacle
