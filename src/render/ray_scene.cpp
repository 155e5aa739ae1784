#include "render/ray_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "render/mesh.h"
#include "render/sampling.h"

namespace treacle::tracing {

namespace {

// Geometry ids: balls, wires, then meshes by their number.
constexpr unsigned balls_id = 0, wires_id = 1, first_mesh_id = 2;

struct PointAndRadius {
    float x, y, z, radius;
};

template <class Element>
Element* new_buffer(RTCGeometry geometry, RTCBufferType type, unsigned slot, RTCFormat format, std::size_t count) {
    void* memory = rtcSetNewGeometryBuffer(geometry, type, slot, format, sizeof(Element), count);
    if (!memory) throw std::bad_alloc();
    return static_cast<Element*>(memory);
}

void attach(RTCScene target, RTCGeometry geometry, unsigned id) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(target, geometry, id);
    rtcReleaseGeometry(geometry);
}

RTCRayHit embree_ray(const Ray& ray, float start, float end) {
    RTCRayHit result{};
    result.ray.org_x = ray.origin.x;
    result.ray.org_y = ray.origin.y;
    result.ray.org_z = ray.origin.z;
    result.ray.dir_x = ray.direction.x;
    result.ray.dir_y = ray.direction.y;
    result.ray.dir_z = ray.direction.z;
    result.ray.time = ray.time;
    result.ray.tnear = start;
    result.ray.tfar = end;
    result.ray.mask = ~0u;
    result.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    result.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return result;
}

bool intersect(RTCScene scene, RTCRayHit& found) {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(scene, &context, &found);
    return found.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

/// Distance at which the ray hits the front of a plane, before `end`.
std::optional<float> distance_to(const Ground& plane, const Ray& ray, float start, float end) {
    const float approach = dot(ray.direction, plane.normal);
    if (approach >= 0) return std::nullopt;
    const float distance = dot(plane.center - ray.origin, plane.normal) / approach;
    if (distance > start && distance < end) return distance;
    return std::nullopt;
}

// Embree builds its trees with oneTBB, whose locks the thread sanitizer does not see (CMakeLists.txt).
#ifdef TREACLE_ONE_TREE_BUILDER
constexpr bool always_one_builder = true;
#else
constexpr bool always_one_builder = false;
#endif

constexpr float infinity = std::numeric_limits<float>::infinity();

}  // namespace

RayScene::RayScene(const RenderScene& scene, int threads)
    : scene_(scene), ground_(opaque_substance(Look::clay, 1)),
      device_(rtcNewDevice(threads == 1 || always_one_builder ? "threads=1" : nullptr)) {
    if (!device_) throw std::runtime_error("Embree does not start");
    opaque_.reset(rtcNewScene(device_.get()));
    clear_.reset(rtcNewScene(device_.get()));
    veil_.reset(rtcNewScene(device_.get()));
    check();
    if (!scene.balls.empty()) add_balls();
    if (!scene.wires.empty()) add_wires();
    any_veil_ = !scene.wires.empty();
    mesh_normals_.resize(scene.meshes.size());
    for (std::size_t n = 0; n < scene.meshes.size(); ++n) {
        const RenderMesh& mesh = scene.meshes[n];
        if (mesh.triangles.empty()) continue;
        const bool clear = !mesh.glass && scene.substances[mesh.substance].clear;
        any_clear_ = any_clear_ || clear;
        any_veil_ = any_veil_ || mesh.glass;
        mesh_normals_[n] = mesh.smooth ? vertex_normals(mesh) : corner_normals(mesh);
        add_mesh(mesh.glass ? veil_.get() : clear ? clear_.get() : opaque_.get(), n);
    }
    for (const RTCScene tree : {opaque_.get(), clear_.get(), veil_.get()}) rtcCommitScene(tree);
    check();
}

void RayScene::check() const {
    const RTCError error = rtcGetDeviceError(device_.get());
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE) throw std::runtime_error("Embree reports error " + std::to_string(error));
}

void RayScene::add_balls() {
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    const bool moving =
        std::any_of(scene_.balls.begin(), scene_.balls.end(), [](const Ball& ball) { return ball.motion != Vec3f{}; });
    const unsigned times = moving ? 2 : 1;
    rtcSetGeometryTimeStepCount(geometry, times);
    for (unsigned time = 0; time < times; ++time) {
        auto* rows =
            new_buffer<PointAndRadius>(geometry, RTC_BUFFER_TYPE_VERTEX, time, RTC_FORMAT_FLOAT4, scene_.balls.size());
        const float share = moving ? static_cast<float>(time) - 0.5f : 0;
        for (std::size_t n = 0; n < scene_.balls.size(); ++n) {
            const Ball& ball = scene_.balls[n];
            // Balls at exactly the same place would be hit in the order of the tree, which depends on the threads that
            // built it. An invisible difference in size decides which of them is in front.
            const float radius = ball.radius * (1 + 1e-3f * unit_float(hash(static_cast<std::uint32_t>(n))));
            const Vec3f center = ball.center + share * ball.motion;
            rows[n] = {center.x, center.y, center.z, radius};
        }
    }
    attach(opaque_.get(), geometry, balls_id);
}

void RayScene::add_wires() {
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    const std::size_t count = scene_.wires.size();
    auto* ends = new_buffer<PointAndRadius>(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 2 * count);
    auto* starts = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, count);
    for (std::size_t n = 0; n < count; ++n) {
        const Wire& wire = scene_.wires[n];
        ends[2 * n] = {wire.from.x, wire.from.y, wire.from.z, wire.radius};
        ends[2 * n + 1] = {wire.to.x, wire.to.y, wire.to.z, wire.radius};
        starts[n] = static_cast<unsigned>(2 * n);
    }
    attach(veil_.get(), geometry, wires_id);
}

void RayScene::add_mesh(RTCScene target, std::size_t number) {
    const RenderMesh& mesh = scene_.meshes[number];
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    const unsigned times = mesh.motion.empty() ? 1 : 2;
    rtcSetGeometryTimeStepCount(geometry, times);
    for (unsigned time = 0; time < times; ++time) {
        auto* vertices =
            new_buffer<Vec3f>(geometry, RTC_BUFFER_TYPE_VERTEX, time, RTC_FORMAT_FLOAT3, mesh.vertices.size());
        std::copy(mesh.vertices.begin(), mesh.vertices.end(), vertices);
        const float share = static_cast<float>(time) - 0.5f;
        for (std::size_t n = 0; n < mesh.motion.size(); ++n) vertices[n] += share * mesh.motion[n];
    }
    auto* triangles = new_buffer<std::array<std::uint32_t, 3>>(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                                               mesh.triangles.size());
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
    attach(target, geometry, first_mesh_id + static_cast<unsigned>(number));
}

Hit RayScene::surface_hit(const RTCRayHit& found, Vec3f direction) const {
    const RTCHit& hit = found.hit;
    const Vec3f geometric = unit(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z});
    Hit result{found.ray.tfar, geometric, {}, Hit::Surface::mesh};
    result.from_outside = dot(geometric, direction) < 0;
    if (hit.geomID == balls_id) {
        const Ball& ball = scene_.balls[hit.primID];
        result.surface = Hit::Surface::ball;
        result.color = ball.color;
        result.substance = &scene_.substances[ball.substance];
        const float facing = dot(geometric, direction);
        result.off_center = std::sqrt(std::max(0.0f, 1 - facing * facing));
        return result;
    }
    const std::size_t number = hit.geomID - first_mesh_id;
    const RenderMesh& mesh = scene_.meshes[number];
    const auto& corners = mesh.triangles[hit.primID];
    const auto blend = [&](const auto& a, const auto& b, const auto& c) {
        return (1 - hit.u - hit.v) * a + hit.u * b + hit.v * c;
    };
    const std::vector<Vec3f>& normals = mesh_normals_[number];
    const Vec3f* own = normals.data() + 3 * static_cast<std::size_t>(hit.primID);
    result.normal = mesh.smooth ? blend(normals[corners[0]], normals[corners[1]], normals[corners[2]])
                                : blend(own[0], own[1], own[2]);
    result.normal = length(result.normal) > 0 ? unit(result.normal) : geometric;
    // A smooth normal may face away from the ray where the triangle does not; then the triangle's normal is used.
    if (dot(result.normal, direction) * dot(geometric, direction) <= 0) result.normal = geometric;
    if (dot(result.normal, direction) > 0) result.normal = -result.normal;
    result.color = mesh.colors.empty()
                       ? mesh.color
                       : blend(mesh.colors[corners[0]], mesh.colors[corners[1]], mesh.colors[corners[2]]);
    result.substance = &scene_.substances[mesh.substance];
    return result;
}

std::optional<Hit> RayScene::nearest(const Ray& ray, float start) const {
    RTCRayHit found = embree_ray(ray, start, infinity);
    bool any = intersect(opaque_.get(), found);
    const Ground* ground = nullptr;
    for (const Ground& plane : scene_.grounds) {
        if (const auto distance = distance_to(plane, ray, start, found.ray.tfar)) {
            found.ray.tfar = *distance;
            ground = &plane;
        }
    }
    if (any_clear_) {
        RTCRayHit clear = embree_ray(ray, start, found.ray.tfar);
        if (intersect(clear_.get(), clear)) {
            found = clear;
            any = true;
            ground = nullptr;
        }
    }
    if (ground)
        return Hit{found.ray.tfar, ground->normal, ground->color, Hit::Surface::ground, &ground_, true, 0, ground};
    if (!any) return std::nullopt;
    return surface_hit(found, ray.direction);
}

std::optional<Hit> RayScene::nearest_clear(const Ray& ray, float start) const {
    RTCRayHit found = embree_ray(ray, start, infinity);
    if (!any_clear_ || !intersect(clear_.get(), found)) return std::nullopt;
    return surface_hit(found, ray.direction);
}

bool RayScene::blocked(const Ray& ray, float start, float end, bool by_ground) const {
    for (const Ground& plane : scene_.grounds) {
        if (by_ground && distance_to(plane, ray, start, end)) return true;
    }
    RTCRay probe = embree_ray(ray, start, end).ray;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(opaque_.get(), &context, &probe);
    return probe.tfar < 0;  // Embree's sign for "something is there"
}

RayScene::Veil RayScene::veil(const Ray& ray, float end) const {
    constexpr int most_panes = 8;
    float passed = 1, start = 0;
    for (int pane = 0; any_veil_ && pane < most_panes; ++pane) {
        RTCRayHit found = embree_ray(ray, start, end);
        if (!intersect(veil_.get(), found)) break;
        const RTCHit& hit = found.hit;
        const Vec3f normal = unit(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z});
        if (hit.geomID == wires_id) {
            return {1 - passed, Hit{found.ray.tfar, normal, scene_.wires[hit.primID].color, Hit::Surface::wire}};
        }
        const float grazing = 1 - std::abs(dot(normal, ray.direction));
        passed *= 1 - (0.02f + 0.3f * grazing * grazing * grazing);
        start = found.ray.tfar * (1 + 1e-5f);
    }
    return {1 - passed, std::nullopt};
}

}  // namespace treacle::tracing
