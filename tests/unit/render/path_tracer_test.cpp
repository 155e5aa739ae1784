#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "render/optics.h"
#include "render/render.h"

// Light against theory. All values are taken from the film, before smoothing and the film curve.

namespace treacle {
namespace {

using namespace tracing;

/// Looks along -z at the origin from 10 m away; the sky is evenly white and there is no sun.
RenderScene white_room() {
    RenderScene scene;
    scene.width = scene.height = 24;
    scene.samples = 64;
    scene.bounces = 100;
    scene.film_curve = true;  // nothing is cut off at 1
    scene.camera.eye = {0, 0, 10};
    scene.camera.half_height = 0.1;
    scene.sky.horizon = scene.sky.zenith = {1, 1, 1};
    scene.sky.strength = 1;
    scene.light.strength = {0, 0, 0};
    return scene;
}

/// The sky is 0.8 times as bright below the horizon. Without a direction that is up, it is white all around.
RenderScene white_all_around() {
    RenderScene scene = white_room();
    scene.sky.up = {0, 0, 0};
    return scene;
}

RenderMesh box(Vec3f low, Vec3f high, std::uint32_t substance) {
    RenderMesh mesh;
    for (int n = 0; n < 8; ++n)
        mesh.vertices.push_back({n & 1 ? high.x : low.x, n & 2 ? high.y : low.y, n & 4 ? high.z : low.z});
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    quad(0, 4, 6, 2), quad(1, 3, 7, 5), quad(0, 1, 5, 4), quad(2, 6, 7, 3), quad(0, 2, 3, 1), quad(4, 5, 7, 6);
    mesh.substance = substance;
    return mesh;
}

RenderMesh globe(float radius, std::uint32_t substance) {
    constexpr std::uint32_t around = 96, rings = 48;
    RenderMesh mesh;
    for (std::uint32_t i = 0; i <= rings; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const float a = 3.14159265f * static_cast<float>(i) / rings,
                        b = 6.2831853f * static_cast<float>(j) / around;
            mesh.vertices.push_back(
                {radius * std::sin(a) * std::cos(b), radius * std::cos(a), -radius * std::sin(a) * std::sin(b)});
        }
    }
    for (std::uint32_t i = 0; i < rings; ++i) {
        for (std::uint32_t j = 0; j < around; ++j) {
            const std::uint32_t p = i * around + j, q = i * around + (j + 1) % around;
            mesh.triangles.push_back({p, p + around, q + around});
            mesh.triangles.push_back({p, q + around, q});
        }
    }
    mesh.substance = substance;
    mesh.smooth = true;
    return mesh;
}

Color mean_light(const Film& film) {
    Color sum{};
    for (const Film::Pixel& pixel : film.pixels) sum += pixel.light;
    return sum / static_cast<float>(film.pixels.size());
}

TEST(PathTracer, white_things_in_a_white_room_cannot_be_seen) {
    const Parallel parallel(2);
    for (const char* what : {"glossy ball", "matt ball", "soft ball", "glass", "milk glass", "two balls that touch"}) {
        RenderScene scene = white_all_around();
        const std::string name = what;
        if (name == "glossy ball") scene.balls.push_back({{0, 0, 0}, 0.8f, {1, 1, 1}, 0});
        if (name == "matt ball") scene.balls.push_back({{0, 0, 0}, 0.8f, {1, 1, 1}, 1});
        if (name == "soft ball") {
            scene.substances.push_back(opaque_substance(Look::cream, 0.3));
            scene.balls.push_back({{0, 0, 0}, 0.8f, {1, 1, 1}, 2});
        }
        if (name == "two balls that touch") {
            scene.balls.push_back({{-0.5f, 0, 0}, 0.5f, {1, 1, 1}, 0});
            scene.balls.push_back({{0.5f, 0, 0}, 0.5f, {1, 1, 1}, 0});
        }
        if (name.ends_with("glass")) {
            Substance glass;
            glass.clear = true;
            glass.scattering = name == "milk glass" ? 1.0f : 0.0f;
            scene.substances.push_back(glass);
            scene.meshes.push_back(globe(0.8f, 2));
        }
        const Film film = expose_film(scene, parallel);
        for (const Film::Pixel& pixel : film.pixels) {
            for (int c = 0; c < 3; ++c) ASSERT_NEAR(pixel.light[c], 1, 0.03) << what;
        }
    }
}

TEST(PathTracer, a_gray_ball_sends_back_its_share_of_the_sky) {
    RenderScene scene = white_all_around();
    scene.balls.push_back({{0, 0, 0}, 5, {0.5f, 0.2f, 0.9f}, 1});  // fills the picture
    const Color light = mean_light(expose_film(scene, Parallel(1)));
    EXPECT_NEAR(light.x, 0.5, 1e-4);
    EXPECT_NEAR(light.y, 0.2, 1e-4);
    EXPECT_NEAR(light.z, 0.9, 1e-4);
}

TEST(PathTracer, the_sun_lights_by_the_cosine) {
    for (const float angle : {0.0f, 0.5f, 1.1f}) {
        RenderScene scene = white_room();
        scene.sky.strength = 0;
        scene.light.direction = {std::sin(angle), 0, std::cos(angle)};
        scene.light.strength = {2, 1, 0.5f};
        scene.light.softness = 0.05f;
        scene.grounds.push_back({{0, 0, 0}, {0, 0, 1}, {0.6f, 0.6f, 0.6f}});
        const Color light = mean_light(expose_film(scene, Parallel(1)));
        EXPECT_NEAR(light.x, 0.6 * 2 * std::cos(angle), 0.004) << angle;
        EXPECT_NEAR(light.z, 0.6 * 0.5 * std::cos(angle), 0.002) << angle;
    }
}

TEST(PathTracer, absorption_follows_beer_and_lambert) {
    // A slab of thickness d, seen straight from the front, in a white room. At each face the share R goes back:
    // R + (1 - R)² e / (1 - R e) with e = exp(-a d).
    for (const float refraction : {1.0001f, 1.5f}) {
        RenderScene scene = white_all_around();
        scene.samples = 256;
        scene.camera.half_height = 0.002;
        Substance amber;
        amber.clear = true;
        amber.refraction = refraction;
        amber.absorption = {0.4f, 2, 8};
        scene.substances.push_back(amber);
        scene.meshes.push_back(box({-50, -50, -0.25f}, {50, 50, 0.25f}, 2));
        const Color light = mean_light(expose_film(scene, Parallel(2)));
        const double n = refraction, back = (n - 1) * (n - 1) / ((n + 1) * (n + 1));
        for (int c = 0; c < 3; ++c) {
            const double e = std::exp(-0.5 * amber.absorption[c]);
            EXPECT_NEAR(light[c], back + (1 - back) * (1 - back) * e / (1 - back * e), 0.004) << refraction << " " << c;
        }
    }
}

TEST(PathTracer, sunlight_is_colored_by_what_it_passes) {
    RenderScene scene = white_room();
    scene.sky.strength = 0;
    scene.camera = oriented_camera({0, 90}, {0, 0, 1});
    scene.camera.eye = {0, 0, 1};  // between the slab above and the ground
    scene.camera.half_height = 0.1;
    scene.light.direction = {0, 0, 1};
    scene.light.softness = 0.01f;
    scene.light.strength = {1, 1, 1};
    Substance amber;
    amber.clear = true;
    amber.refraction = 1.5f;
    amber.absorption = {0.4f, 2, 8};
    scene.substances.push_back(amber);
    scene.meshes.push_back(box({-50, -50, 2}, {50, 50, 2.5f}, 2));
    scene.grounds.push_back({{0, 0, 0}, {0, 0, 1}, {1, 1, 1}});
    scene.bounces = 0;
    const Color light = mean_light(expose_film(scene, Parallel(1)));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(light[c], 0.96 * 0.96 * std::exp(-0.5 * amber.absorption[c]), 0.003) << c;
}

TEST(PathTracer, a_ball_of_glass_swaps_left_and_right) {
    RenderScene scene = white_all_around();
    scene.width = 40;
    scene.height = 8;
    scene.camera.half_height = 0.02;
    scene.balls.push_back({{-4, 0, -8}, 3.5f, {1, 0, 0}, 1});
    scene.balls.push_back({{4, 0, -8}, 3.5f, {0, 0, 1}, 1});
    const auto redder = [&](int x) {
        const Film film = expose_film(scene, Parallel(1));
        const Color& light = film.pixels[4 * 40 + static_cast<std::size_t>(x)].light;
        return light.x - light.z;
    };
    EXPECT_GT(redder(8), 0.1) << "the red ball is on the left";
    EXPECT_LT(redder(31), -0.1);
    Substance glass;
    glass.clear = true;
    scene.substances.push_back(glass);
    scene.meshes.push_back(globe(1.5f, 2));
    EXPECT_LT(redder(12), -0.1) << "seen through glass it is on the right";
    EXPECT_GT(redder(27), 0.1);
}

TEST(PathTracer, clear_things_that_touch_the_ground_have_no_mirror_under_them) {
    // A pool on a black floor with a gap of air that is an artifact: from the side total reflection would show the sky.
    RenderScene scene = white_all_around();
    Substance water;
    water.clear = true;
    water.refraction = 1.33f;
    scene.substances.push_back(water);
    scene.camera = oriented_camera({0, 12}, {0, 1, 0});
    scene.camera.eye = {0, 2.1, 10};
    scene.camera.half_height = 0.01;
    scene.meshes.push_back(box({-9, 0.001f, -9}, {9, 1, 8}, 2));
    scene.grounds.push_back({{0, 0, 0}, {0, 1, 0}, {0, 0, 0}});
    const auto side = [&] { return mean_light(expose_film(scene, Parallel(1))).y; };
    const float upper_face = fresnel(std::sin(12 * 3.14159265f / 180), 1 / 1.33f);  // the only light over a black floor
    EXPECT_GT(side(), upper_face + 0.1f);
    scene.contact_gap = 0.01f;
    EXPECT_NEAR(side(), upper_face, 0.01);
}

TEST(PathTracer, motion_smears_a_ball_along_its_way) {
    RenderScene scene = white_all_around();
    scene.width = scene.height = 40;
    scene.camera.half_height = 0.2;
    scene.balls.push_back({{0, 0, 0}, 0.5f, {0, 0, 0}, 1});
    const auto darkness = [&](std::size_t x, std::size_t y) {
        return 1 - expose_film(scene, Parallel(1)).pixels[40 * y + x].light.y;
    };
    EXPECT_NEAR(darkness(10, 20), 0, 1e-6);  // 1 m to the left
    scene.balls.front().motion = {2, 0, 0};
    const float left = darkness(10, 20), middle = darkness(20, 20), above = darkness(20, 30);
    EXPECT_GT(left, 0.1);
    EXPECT_LT(left, 0.5);
    EXPECT_NEAR(middle, 0.5, 0.1);  // it is 1 m wide and goes 2 m
    EXPECT_NEAR(above, 0, 1e-6);
}

TEST(PathTracer, clear_and_moving_things_are_the_same_for_any_number_of_threads) {
    RenderScene scene = white_room();
    scene.light.strength = {1, 1, 1};
    scene.samples = 8;
    scene.denoise = true;
    Substance slime = clear_substance(Look::slime, {0.2f, 0.8f, 0.1f}, 0.3);
    scene.substances.push_back(slime);
    scene.meshes.push_back(globe(0.6f, 2));
    scene.meshes.back().motion.assign(scene.meshes.back().vertices.size(), Vec3f{0.2f, 0, 0});
    scene.grounds.push_back({{0, -0.6f, 0}, {0, 1, 0}, {0.8f, 0.8f, 0.8f}, 0.3f, 20});
    const Picture one = render(scene, Parallel(1));
    EXPECT_EQ(one.rgb, render(scene, Parallel(2)).rgb);
    EXPECT_EQ(one.rgb, render(scene, Parallel(5)).rgb);
}

TEST(Optics, snell_and_fresnel) {
    const Vec3f normal{0, 0, 1};
    for (const float angle : {0.0f, 0.4f, 1.0f, 1.4f}) {
        const Vec3f in{std::sin(angle), 0, -std::cos(angle)};
        const auto out = refracted(in, normal, 1 / 1.5f);
        ASSERT_TRUE(out);
        EXPECT_NEAR(out->x, std::sin(angle) / 1.5f, 1e-6);
        EXPECT_LT(out->z, 0);
        const auto back = refracted(-*out, {0, 0, -1}, 1.5f);  // and the way back
        ASSERT_TRUE(back);
        EXPECT_NEAR(back->x, -in.x, 1e-5);
        EXPECT_NEAR(fresnel(std::cos(angle), 1 / 1.5f), fresnel(-out->z, 1.5f), 1e-5) << "the same from both sides";
    }
    EXPECT_FALSE(refracted({std::sin(0.8f), 0, -std::cos(0.8f)}, normal, 1.5f)) << "beyond 41.8 degrees";
    EXPECT_EQ(fresnel(std::cos(0.8f), 1.5f), 1);
    EXPECT_NEAR(fresnel(1, 1 / 1.5f), 0.04, 1e-6);
    const float brewster = std::atan(1.5f);  // one polarization is not reflected, of the other 14.8 %
    EXPECT_NEAR(fresnel(std::cos(brewster), 1 / 1.5f), 0.0740, 1e-4);
}

TEST(Optics, a_rough_mirror_loses_nothing_and_tells_its_density) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(0, 0.9999999f);
    for (const float roughness : {0.3f, 0.6f, 1.0f}) {
        const Vec3f toward = unit(Vec3f{0.4f, 0.1f, 0.9f});
        const RoughMirror mirror({0, 0, 1}, toward, roughness);
        constexpr int count = 400000;
        // Over evenly distributed directions of the hemisphere the density integrates to 1, and has the mean of the
        // samples.
        double sum = 0, sum_x = 0, sampled_x = 0;
        for (int n = 0; n < count; ++n) {
            Vec3f even = sphere_direction({number(random), number(random)});
            even.z = std::abs(even.z);
            sum += mirror.density(even) * 6.2831853 / count;
            sum_x += even.x * mirror.density(even) * 6.2831853 / count;
            const Vec3f out = mirror.sample({number(random), number(random)});
            ASSERT_NEAR(length(out), 1, 1e-4);
            ASSERT_GE(out.z, 0);
            sampled_x += out.x / count;
        }
        EXPECT_NEAR(sum, 1, 0.02) << roughness;
        EXPECT_NEAR(sum_x, sampled_x, 0.01) << roughness;
    }
}

TEST(Sampling, shuffled_is_a_permutation_and_pairs_are_even) {
    for (const std::uint32_t count : {1u, 5u, 32u, 100u}) {
        std::vector<bool> seen(count);
        for (std::uint32_t n = 0; n < count; ++n) seen[shuffled(n, count, 77)] = true;
        EXPECT_EQ(std::count(seen.begin(), seen.end(), true), count);
    }
    // Every use of every pixel: 64 points in 16 fields, so 4 per field if even; independent numbers would leave fields
    // empty.
    for (const int pixel : {0, 3, 17}) {
        std::array<std::array<int, 16>, 12> fields{};
        for (int n = 0; n < 64; ++n) {
            Dice dice(pixel, 2 * pixel, n, 64);
            for (auto& field : fields) {
                const Pair p = dice.pair();
                ASSERT_LT(p.x, 1);
                ++field[static_cast<std::size_t>(4 * static_cast<int>(4 * p.x) + static_cast<int>(4 * p.y))];
            }
        }
        for (const auto& field : fields) {
            EXPECT_GE(*std::min_element(field.begin(), field.end()), 2);
            EXPECT_LE(*std::max_element(field.begin(), field.end()), 6);
        }
    }
}

}  // namespace
}  // namespace treacle
