#include "sim/particle_exchange.h"

#include <algorithm>
#include <set>

#include "support/run_scene.h"

namespace treacle::test {
namespace {

constexpr double radius = 0.03;  // m, three layers of plug

/// A state with its exchange, in 2D. Two mouths: six points that flow down from the origin, four that flow to the
/// right from (1, 0).
struct Pipes {
    explicit Pipes(const std::string& more = "")
        : scene(scene_from(R"({ "treacle": 1, "method": "clavet2005",
      "dimension": 2, "particle_spacing": 0.01, "time": { "duration": 1, "fps": 50 },
      "materials": { "honey": { "density": 1400 }, "water": {} },
      "fluids": [ { "material": "water", "shape": { "box": { "center": [5, 0], "size": [0.04, 0.04] } } } ],
      "emitters": [
        { "material": "honey", "shape": { "disk": { "radius": 0.03 } }, "speed": 0.5, "position": [0, 0],
          "direction": [0, -1] },
        { "material": "water", "shape": { "disk": { "radius": 0.02 } }, "speed": 1, "position": [1, 0],
          "direction": [1, 0] )" +
                           more + R"( } ],
      "sinks": [ { "shape": { "box": { "center": [0, -1], "size": [0.2, 0.2] } } } ] })")) {
        state.particles.resize(16);  // a fluid, far away
        for (std::size_t i = 0; i < 16; ++i) {
            id()[i] = static_cast<std::uint32_t>(i);
            position()[i] = Vec3<float>{5, static_cast<float>(i), 0};
        }
        state.connections.resize(16);
        state.anchors.resize(16);
        exchange.begin(state);
        exchange.emit(scene, state, Log{});
    }
    std::span<std::uint32_t> id() { return state.particles.get<std::uint32_t>("id"); }
    std::span<Row4<float>> position() { return state.particles.get<Row4<float>>("position"); }
    std::span<Row4<float>> velocity() { return state.particles.get<Row4<float>>("velocity"); }

    void step(double dt) {
        exchange.push(scene, state, dt, parallel);
        state.time += dt;
        exchange.drain(scene, state, parallel);
        exchange.emit(scene, state, Log{});
    }
    std::size_t driven() const {
        const auto flags = exchange.in_plug(state, parallel);
        return static_cast<std::size_t>(std::ranges::count(flags, 1));
    }
    /// Adds a particle that no emitter has made.
    std::size_t add(std::uint32_t number, Vec3<float> place) {
        const std::size_t i = state.particles.size();
        state.particles.resize(i + 1);
        state.connections.resize(i + 1);
        state.anchors.resize(i + 1);
        id()[i] = number;
        position()[i] = place;
        return i;
    }

    Parallel parallel{1};
    Scene scene;
    State state{ScalarType::f32};
    ParticleExchange<Space2f> exchange{scene, radius};
};

TEST(ParticleExchange, begins_with_a_layer_at_the_mouth_and_a_plug_behind_it) {
    Pipes pipes;
    EXPECT_EQ(pipes.state.particles.size(), 16u + 4 * (6 + 4));
    EXPECT_EQ(pipes.driven(), 3u * (6 + 4));
    const auto flags = pipes.exchange.in_plug(pipes.state, pipes.parallel);
    for (std::size_t i = 16; i < flags.size(); ++i) {
        const auto& at = pipes.position()[i];
        const bool behind = at.x < 0.5F ? at.y > 1e-6F : at.x < 1 - 1e-6F;
        EXPECT_EQ(flags[i] == 1, behind) << i;
    }
}

TEST(ParticleExchange, gives_every_particle_an_id_of_its_own) {
    Pipes pipes;
    for (int n = 0; n < 40; ++n) pipes.step(0.003);
    const auto id = pipes.id();
    EXPECT_GT(id.size(), 16u + 8 * (6 + 4));
    EXPECT_EQ(std::set<std::uint32_t>(id.begin(), id.end()).size(), id.size());
}

TEST(ParticleExchange, moves_plugs_rigidly_and_leaves_all_else_alone) {
    Pipes pipes;
    const auto flags = pipes.exchange.in_plug(pipes.state, pipes.parallel);
    const std::vector<Row4<float>> before(pipes.position().begin(), pipes.position().end());
    for (auto& row : pipes.position()) row.y += 0.3F;  // whatever a step has done
    const auto moved = pipes.exchange.push(pipes.scene, pipes.state, 0.004, pipes.parallel);
    EXPECT_EQ(moved, flags);
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3d by = cast<double>(pipes.position()[i].xyz()) - cast<double>(before[i].xyz());
        const bool down = pipes.position()[i].x < 0.5F;
        const Vec3d wanted = !flags[i] ? Vec3d{0, 0.3, 0} : down ? Vec3d{0, -0.002, 0} : Vec3d{0.004, 0, 0};
        EXPECT_NEAR(length(by - wanted), 0, 1e-6) << i;
        if (flags[i]) { EXPECT_NEAR(length(cast<double>(pipes.velocity()[i].xyz())), down ? 0.5 : 1, 1e-6) << i; }
    }
}

/// Methods may make particles of their own, with any ids that no emitter has given.
TEST(ParticleExchange, knows_its_own_particles_from_others_with_higher_ids) {
    for (const std::uint32_t other : {0x80000000u, 0xFFFFFFF0u, 16u + 40 * (6 + 4)}) {
        Pipes pipes(R"(, "end": 0.05)");
        const std::size_t i = pipes.add(other, {2, 2, 0});
        EXPECT_EQ(pipes.driven(), 3u * (6 + 4)) << other;
        pipes.step(0.01);
        EXPECT_EQ(pipes.position()[i].x, 2) << other;
        EXPECT_EQ(pipes.position()[i].y, 2) << other;
        for (int n = 0; n < 10; ++n) pipes.step(0.01);  // the second emitter ends: its plug vanishes
        EXPECT_EQ(std::ranges::count(pipes.id(), other), 1) << other;
        EXPECT_EQ(pipes.driven(), 3u * 6) << other;
    }
}

/// An id is a name and nothing else: whatever ids particles have, those of a plug are known by their columns.
TEST(ParticleExchange, does_not_look_at_ids) {
    Pipes pipes;
    const auto before = pipes.exchange.in_plug(pipes.state, pipes.parallel);
    std::ranges::reverse(pipes.id());
    EXPECT_EQ(pipes.exchange.in_plug(pipes.state, pipes.parallel), before);
}

/// States that version 0.1 saved have no columns that tell where particles come from.
TEST(ParticleExchange, restores_states_in_which_only_ids_told_it) {
    Pipes pipes;
    for (int n = 0; n < 7; ++n) pipes.step(0.011);
    const std::size_t half = pipes.add(0x80000000u, {0, -0.2F, 0});
    pipes.state.particles.get<std::uint32_t>("fluid")[half] = 1;
    State old(ScalarType::f32);
    old.particles.resize(pipes.state.particles.size());
    old.emission = pipes.state.emission;
    for (const char* column : {"id", "fluid", "position"}) {
        std::ranges::copy(pipes.state.particles.bytes(column), old.particles.bytes(column).begin());
    }
    pipes.exchange.restore(old);
    for (const char* column : {"emitted_layer", "emitted_point"}) {
        EXPECT_TRUE(std::ranges::equal(old.particles.bytes(column), pipes.state.particles.bytes(column))) << column;
    }
    EXPECT_EQ(pipes.exchange.in_plug(old, pipes.parallel), pipes.exchange.in_plug(pipes.state, pipes.parallel));
}

TEST(ParticleExchange, takes_out_what_is_in_a_sink) {
    Pipes pipes;
    pipes.add(1000000, {0, -1, 0});
    pipes.add(1000001, {0, -0.85F, 0});
    const std::size_t before = pipes.state.particles.size();
    pipes.exchange.drain(pipes.scene, pipes.state, pipes.parallel);
    EXPECT_EQ(pipes.state.particles.size(), before - 1);
    EXPECT_EQ(pipes.state.connections.particle_count(), before - 1);
    EXPECT_EQ(std::ranges::count(pipes.id(), 1000000u), 0);
    EXPECT_EQ(std::ranges::count(pipes.id(), 1000001u), 1);
}

TEST(ParticleExchange, has_nothing_to_tell_without_emitters) {
    Pipes pipes;
    pipes.scene.emitters.clear();
    const ParticleExchange<Space2f> none(pipes.scene, radius);
    EXPECT_FALSE(none.has_emitters());
    EXPECT_TRUE(none.in_plug(pipes.state, pipes.parallel).empty());
    EXPECT_TRUE(none.push(pipes.scene, pipes.state, 0.01, pipes.parallel).empty());
}

}  // namespace
}  // namespace treacle::test
