#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "core/parameters.h"
#include "core/result.h"
#include "scene/scene.h"
#include "scene/tables.h"

namespace treacle {

/// A value in the scene file and the JSON pointer that names it.
struct Place {
    const Json* json;
    std::string pointer;

    Place member(std::string_view key) const;  ///< json is null if there is no such member
    Place element(std::size_t index) const;
    explicit operator bool() const { return json != nullptr; }
};

/// The object of a scene to which the keyframes of a parameter belong; see Track.
struct TrackOwner {
    Track::Target target;
    std::size_t index = 0;
    std::string method = {};
};

/// Reads objects by their tables and collects all problems, so that one run reports them all. A function that returns
/// an empty optional has reported why.
class ObjectReader {
public:
    /// A dimension of 0 is unknown, because the file gives a wrong one: vectors of 2 and 3 both pass.
    ObjectReader(std::string file, int dimension) : file_(std::move(file)), dimension_(dimension) {}

    int dimension() const { return dimension_; }
    const std::string& file() const { return file_; }
    const std::vector<Problem>& problems() const { return problems_; }
    std::vector<Track>& tracks() { return tracks_; }

    /// Properties that are functions, by index of the material.
    std::vector<std::pair<std::size_t, PropertyFunction>>& functions() { return functions_; }

    /// Meshes that have been read, by path: many solids may use one file.
    std::map<std::string, std::shared_ptr<const SolidMesh>>& meshes() { return meshes_; }

    void problem(const Place& at, std::string message);
    void problem(Problem problem) { problems_.push_back(std::move(problem)); }

    /// False, with a problem, unless it is an object; then unknown, refused and missing keys are reported.
    bool is_object(const Place& at, const ObjectKind& kind);

    /// False, with a problem, unless it is a list.
    bool is_list(const Place& at, const std::string& content);

    /// Reads the members of `at` that the table declares into the struct that it describes. With an owner, live
    /// parameters may have keyframes and those that vary may be functions.
    void read(const Place& at, const ParameterTable& table, void* target, const std::optional<TrackOwner>& owner = {});

    /// One value of a parameter, checked.
    std::optional<ParameterValue> value(const Place& at, const Parameter& parameter);

    /// Reports keyframe times that do not ascend; NaN means one that could not be read.
    void check_ascending(const Place& keyframes, const std::vector<double>& times);

private:
    void check_keys(const Place& at, const ObjectKind& kind);
    void check_required(const Place& at, const ObjectKind& kind);
    void missing(const Place& at, const std::string& key, const std::string& what);
    void wrong_type(const Place& at, const Parameter& parameter);
    std::optional<ParameterValue> vector_value(const Place& at, const Parameter& parameter);
    std::optional<ParameterValue> number_value(const Place& at, const Parameter& parameter);
    std::optional<ParameterValue> unchecked_value(const Place& at, const Parameter& parameter);
    void read_track(const Place& at, const Parameter& parameter, const TrackOwner& owner);
    void read_function(const Place& at, const Parameter& parameter, const TrackOwner& owner, void* target);
    bool read_points(const Place& at, const Parameter& parameter, PropertyFunction& function);

    std::string file_;
    int dimension_;
    std::vector<Problem> problems_;
    std::vector<Track> tracks_;
    std::vector<std::pair<std::size_t, PropertyFunction>> functions_;
    std::map<std::string, std::shared_ptr<const SolidMesh>> meshes_;
};

/// "the text "abc"", "the number 5", "a list": for messages.
std::string describe(const Json& json);

}  // namespace treacle
