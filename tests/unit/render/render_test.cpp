#include "render/render.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

// Embree picks its code by CPU, so no test expects exact pixels of a shaded picture.

namespace treacle {
namespace {

RenderScene one_ball() {
    RenderScene scene;
    scene.width = 60;
    scene.height = 40;
    scene.samples = 8;
    scene.camera.eye = {0, 0, 10};
    scene.camera.half_height = 0.2;  // 2 m at the ball
    scene.light.direction = {0, 0.6f, 0.8f};
    scene.balls.push_back({{0, 0, 0}, 1, {0.8f, 0.02f, 0.02f}});
    return scene;
}

int luminance(const std::uint8_t* pixel) { return pixel[0] + pixel[1] + pixel[2]; }

TEST(Render, a_ball_is_lit_and_the_sky_is_around_it) {
    const Parallel parallel(1);
    const Picture picture = render(one_ball(), parallel);
    ASSERT_EQ(picture.rgb.size(), 60u * 40u * 3u);
    const std::uint8_t* center = picture.pixel(30, 20);
    EXPECT_GT(center[0], 180);
    EXPECT_LT(center[1], 0.6 * center[0]);
    RenderScene empty = one_ball();
    empty.balls.clear();
    const Picture sky = render(empty, parallel);
    for (const auto& [x, y] : {std::pair{2, 2}, {57, 2}, {2, 37}, {57, 37}, {16, 20}, {44, 20}}) {
        for (int c = 0; c < 3; ++c) EXPECT_EQ(picture.pixel(x, y)[c], sky.pixel(x, y)[c]) << x << " " << y;
    }
    EXPECT_GT(sky.pixel(2, 2)[2], sky.pixel(2, 2)[0]) << "the sky is blue";
}

TEST(Render, the_side_away_from_the_light_is_darker) {
    RenderScene scene = one_ball();
    scene.light.direction = {-0.8f, 0, 0.6f};
    const Picture picture = render(scene, Parallel(1));
    EXPECT_GT(picture.pixel(24, 20)[0], picture.pixel(36, 20)[0] + 40);
}

TEST(Render, balls_cast_shadows_and_glass_does_not) {
    RenderScene scene = one_ball();
    scene.camera = oriented_camera({0, 90}, {0, 1, 0});  // from above
    scene.camera.eye = {0, 10, 0};
    scene.camera.half_height = 0.4;
    scene.light.direction = {0.70710678f, 0.70710678f, 0};
    scene.grounds.push_back({{0, -1, 0}, {0, 1, 0}, {0.8f, 0.8f, 0.8f}});
    const auto at = [&](const RenderScene& s, double x) {  // a point of the ground, in m
        const Picture picture = render(s, Parallel(1));
        const double pixels = 20 / (scene.camera.half_height * 11);
        return luminance(picture.pixel(static_cast<int>(30 + pixels * x), 20));
    };
    const int shadow = at(scene, -1.7), light = at(scene, 4.5);
    EXPECT_LT(shadow, light - 60);

    RenderScene glass = scene;
    glass.balls.clear();
    RenderMesh pane;
    pane.vertices = {{-9, 1, -9}, {9, 1, -9}, {9, 1, 9}, {-9, 1, 9}};
    pane.triangles = {{0, 1, 2}, {0, 2, 3}};
    pane.glass = true;
    glass.meshes.push_back(pane);
    EXPECT_NEAR(at(glass, -1.7), light, 40);
    glass.meshes.back().glass = false;
    glass.meshes.back().color = {0.01f, 0.01f, 0.01f};
    EXPECT_LT(at(glass, -1.7), light / 2) << "an opaque pane is seen itself";
}

TEST(Render, the_picture_is_the_same_for_any_number_of_threads) {
    RenderScene scene = one_ball();
    scene.balls.clear();
    std::mt19937 random(7);
    std::uniform_real_distribution<float> place(-1.5f, 1.5f), share(0, 1);
    for (int n = 0; n < 8000; ++n) {
        const Vec3f center{place(random), place(random), place(random)};
        scene.balls.push_back({center, 0.05f, {share(random), share(random), share(random)}});
        if (n % 10 == 0) scene.balls.push_back({center, 0.05f, {1, 0, 0}});  // at exactly the same place
    }
    scene.wires.push_back({{-2, -2, 2}, {2, 2, 2}, 0.05f, {0.1f, 0.1f, 0.1f}});
    scene.grounds.push_back({{0, -1.6f, 0}, {0, 1, 0}, {0.8f, 0.8f, 0.8f}, 0.5f, 20});
    const Picture one = render(scene, Parallel(1));
    EXPECT_EQ(one.rgb, render(scene, Parallel(2)).rgb);
    EXPECT_EQ(one.rgb, render(scene, Parallel(5)).rgb);
    EXPECT_GT(*std::max_element(one.rgb.begin(), one.rgb.end()),
              *std::min_element(one.rgb.begin(), one.rgb.end()) + 50);
}

TEST(Render, discs_of_flat_pictures_have_their_color_and_a_rim) {
    RenderScene scene;
    scene.width = scene.height = 100;
    scene.style = Style::flat;
    scene.camera.orthographic = true;
    scene.camera.eye = {0, 0, 10};
    scene.camera.half_height = 1;
    const Color color = color_from_text("#e0a020", {});
    scene.balls.push_back({{0, 0, 0}, 0.5f, color});
    scene.wires.push_back({{-1, 0.8f, -1}, {1, 0.8f, -1}, 0.05f, {0, 0, 0}});
    const Picture picture = render(scene, Parallel(1));
    const auto expect_color = [&](int x, int y, Color expected) {
        const std::uint8_t* pixel = picture.pixel(x, y);
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(pixel[c], byte_from_linear(expected[c]), 1) << x << " " << y;
    };
    expect_color(50, 50, color);
    expect_color(62, 50, color);
    expect_color(50, 38, color);
    expect_color(80, 50, {1, 1, 1});
    expect_color(70, 70, {1, 1, 1});
    expect_color(20, 10, {0, 0, 0});
    EXPECT_LT(luminance(picture.pixel(72, 50)), luminance(picture.pixel(50, 50)) - 60) << "the rim is darker";
}

TEST(Render, edges_of_a_box_are_its_twelve_sharp_ones) {
    RenderMesh box;
    for (int n = 0; n < 8; ++n) {
        box.vertices.push_back({n & 1 ? 1.0f : 0.0f, n & 2 ? 1.0f : 0.0f, n & 4 ? 1.0f : 0.0f});
    }
    const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
        box.triangles.push_back({a, b, c});
        box.triangles.push_back({a, c, d});
    };
    quad(0, 4, 6, 2), quad(1, 3, 7, 5), quad(0, 1, 5, 4), quad(2, 6, 7, 3), quad(0, 2, 3, 1), quad(4, 5, 7, 6);
    const auto wires = edge_wires(box, 0.1f, {});
    EXPECT_EQ(wires.size(), 12u);
    for (const Wire& wire : wires) EXPECT_FLOAT_EQ(length(wire.to - wire.from), 1);
}

}  // namespace
}  // namespace treacle
