#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <treacle/error.h>
#include <treacle/export.h>
#include <treacle/frame.h>
#include <treacle/version.h>

/// treacle as a library: a scene that runs inside another program.
///
///   treacle::v0::Simulation goo = treacle::v0::Simulation::from_file("goo.json");
///   goo.advance_to(0.5);
///   goo.set("/materials/goo/viscosity", 20);
///   goo.step();
///
/// What scenes can say is in docs/guide.md and docs/reference/parameters.md; units are SI. All failures are an Error.
/// Everything here is made of the standard library's types; no other header of treacle is installed.
///
/// The namespace has the number of the interface. Inside treacle the same nouns are classes of their own, which
/// programs never see; and a version that breaks callers will be v1, beside or in place of this one.
namespace treacle::v0 {

/// How a scene is to be run. All have defaults.
struct Options {
    /// Values of the scene that are replaced before it is read: JSON pointer and value. The value is read as JSON, or
    /// else taken as a text.
    std::vector<std::pair<std::string, std::string>> overrides;
    std::string method;  ///< in place of the scene's; empty: as the scene has it
    int threads = 0;     ///< 0: all cores. The number changes no bit of the result.
    /// Called with what is doubtful about the scene or was noticed on the way. Empty: nobody hears it.
    std::function<void(const std::string&)> warning;
};

/// What a step did.
struct Step {
    double time = 0;         ///< s, reached
    double dt = 0;           ///< s, its length
    std::string limited_by;  ///< what kept it from being longer
    int iterations = 0;      ///< of the method's solver
    std::size_t particles = 0;
    bool frame_done = false;  ///< it reached the end of a frame
};

/// A number about the fluid as a whole, as in metrics.csv.
struct Metric {
    std::string name;
    double value = 0;
};

/// A moment of a simulation, kept apart from it. The simulation can go back to it. Another thread may read its frame
/// while the simulation goes on. Copies share what they hold.
class TREACLE_EXPORT Snapshot {
public:
    Snapshot(const Snapshot&);
    Snapshot(Snapshot&&) noexcept;
    Snapshot& operator=(const Snapshot&);
    Snapshot& operator=(Snapshot&&) noexcept;
    ~Snapshot();

    double time() const;         ///< s
    std::uint64_t step() const;  ///< steps that were done

    /// Valid as long as this snapshot or a copy of it exists.
    Frame frame() const;

private:
    friend class Simulation;
    struct Inside;
    explicit Snapshot(std::shared_ptr<const Inside> inside);
    std::shared_ptr<const Inside> inside_;
};

/// A scene that runs. One thread at a time may call it; simulations do not know of each other.
class TREACLE_EXPORT Simulation {
public:
    /// Reads a scene and lays its fluids: ready at time 0. Paths in the scene are relative to its file.
    static Simulation from_file(const std::string& path, const Options& options = {});

    /// The same with a scene in a text. `file` stands in messages, and paths in the scene are relative to it.
    static Simulation from_text(std::string_view text, const Options& options = {},
                                const std::string& file = "scene.json");

    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;
    ~Simulation();

    /// One step, as long as stability and the end of the frame allow.
    Step step();

    /// Steps until exactly this time (s); nothing happens if it is past. The steps that end there are others than those
    /// of a run that passes by, and so are the last digits of what follows.
    void advance_to(double time);

    /// Steps to the end of the present frame, of which the scene has time/fps a second. The bits are those of
    /// `treacle run`.
    void advance_frame();

    /// Gives a parameter another value from the next step on. The reference says which ones are live. The value is
    /// checked as in a scene; if it cannot be, nothing changes. A text is read as JSON, or else taken as it is.
    void set(const std::string& pointer, double value);
    void set(const std::string& pointer, const std::string& value);

    /// The present moment, and back to one that this simulation has given. Live parameters go back too.
    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);

    double time() const;          ///< s
    std::uint64_t steps() const;  ///< done since the start
    std::size_t particles() const;
    int threads() const;

    /// Particles and bodies, without copies. Valid until the next call that changes the simulation.
    Frame frame() const;

    /// Numbers of the present moment, those about steps of the present frame; all, or the one of a name. They take a
    /// search of neighbors.
    std::vector<Metric> metrics();
    double metric(std::string_view name);

    /// The scene with every default filled in and with present values: a scene file.
    std::string scene() const;

    /// Equal hashes stand for states that are equal to the last bit.
    std::uint64_t state_hash() const;

private:
    struct Inside;
    explicit Simulation(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace treacle::v0
