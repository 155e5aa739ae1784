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
Element* new_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::size_t count) {
    void* memory = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(Element), count);
    if (!memory) throw std::bad_alloc();
    return static_cast<Element*>(memory);
}

void attach(RTCScene target, RTCGeometry geometry, unsigned id) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(target, geometry, id);
    rtcReleaseGeometry(geometry);
}

RTCRayHit ray(Vec3f origin, Vec3f direction, float start, float end) {
    RTCRayHit result{};
    result.ray.org_x = origin.x;
    result.ray.org_y = origin.y;
    result.ray.org_z = origin.z;
    result.ray.dir_x = direction.x;
    result.ray.dir_y = direction.y;
    result.ray.dir_z = direction.z;
    result.ray.tnear = start;
    result.ray.tfar = end;
    result.ray.mask = ~0u;
    result.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    result.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return result;
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
    : scene_(scene), device_(rtcNewDevice(threads == 1 || always_one_builder ? "threads=1" : nullptr)) {
    if (!device_) throw std::runtime_error("Embree does not start");
    opaque_.reset(rtcNewScene(device_.get()));
    veil_.reset(rtcNewScene(device_.get()));
    check();
    if (!scene.balls.empty()) add_balls();
    if (!scene.wires.empty()) add_wires();
    mesh_normals_.resize(scene.meshes.size());
    for (std::size_t n = 0; n < scene.meshes.size(); ++n) {
        const RenderMesh& mesh = scene.meshes[n];
        if (mesh.triangles.empty()) continue;
        mesh_normals_[n] = corner_normals(mesh);
        add_mesh(mesh.glass ? veil_.get() : opaque_.get(), mesh);
    }
    rtcCommitScene(opaque_.get());
    rtcCommitScene(veil_.get());
    check();
}

void RayScene::check() const {
    const RTCError error = rtcGetDeviceError(device_.get());
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
    if (error != RTC_ERROR_NONE) throw std::runtime_error("Embree reports error " + std::to_string(error));
}

void RayScene::add_balls() {
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_SPHERE_POINT);
    auto* rows = new_buffer<PointAndRadius>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, scene_.balls.size());
    for (std::size_t n = 0; n < scene_.balls.size(); ++n) {
        const Ball& ball = scene_.balls[n];
        // Balls at the very same place would be met in the order of the tree, which depends on the threads that built
        // it. A trace of difference in size, too small to be seen, decides which of them is in front.
        const float radius = ball.radius * (1 + 1e-3f * unit_float(hash(static_cast<std::uint32_t>(n))));
        rows[n] = {ball.center.x, ball.center.y, ball.center.z, radius};
    }
    attach(opaque_.get(), geometry, balls_id);
}

void RayScene::add_wires() {
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    const std::size_t count = scene_.wires.size();
    auto* ends = new_buffer<PointAndRadius>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 2 * count);
    auto* starts = new_buffer<unsigned>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, count);
    for (std::size_t n = 0; n < count; ++n) {
        const Wire& wire = scene_.wires[n];
        ends[2 * n] = {wire.from.x, wire.from.y, wire.from.z, wire.radius};
        ends[2 * n + 1] = {wire.to.x, wire.to.y, wire.to.z, wire.radius};
        starts[n] = static_cast<unsigned>(2 * n);
    }
    attach(veil_.get(), geometry, wires_id);
}

void RayScene::add_mesh(RTCScene target, const RenderMesh& mesh) {
    const RTCGeometry geometry = rtcNewGeometry(device_.get(), RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* vertices = new_buffer<Vec3f>(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, mesh.vertices.size());
    auto* triangles = new_buffer<std::array<std::uint32_t, 3>>(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3,
                                                              mesh.triangles.size());
    std::copy(mesh.vertices.begin(), mesh.vertices.end(), vertices);
    std::copy(mesh.triangles.begin(), mesh.triangles.end(), triangles);
    attach(target, geometry, first_mesh_id + static_cast<unsigned>(&mesh - scene_.meshes.data()));
}

std::optional<Hit> RayScene::nearest(Vec3f origin, Vec3f direction, float start) const {
    RTCRayHit found = ray(origin, direction, start, infinity);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcIntersect1(opaque_.get(), &context, &found);

    const Ground* ground = nullptr;
    for (const Ground& plane : scene_.grounds) {
        const float approach = dot(direction, plane.normal);
        if (approach >= 0) continue;
        const float distance = dot(plane.center - origin, plane.normal) / approach;
        if (distance > start && distance < found.ray.tfar) {
            found.ray.tfar = distance;
            ground = &plane;
        }
    }
    if (ground) return Hit{found.ray.tfar, ground->normal, ground->color, Hit::Surface::ground, 0, ground};
    const RTCHit& hit = found.hit;
    if (hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;

    Hit result{found.ray.tfar, unit(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z}), {}, Hit::Surface::mesh};
    if (hit.geomID == balls_id) {
        result.surface = Hit::Surface::ball;
        result.color = scene_.balls[hit.primID].color;
        const float facing = dot(result.normal, direction);
        result.off_center = std::sqrt(std::max(0.0f, 1 - facing * facing));
    } else {
        const std::size_t mesh = hit.geomID - first_mesh_id;
        const Vec3f* corners = mesh_normals_[mesh].data() + 3 * static_cast<std::size_t>(hit.primID);
        result.color = scene_.meshes[mesh].color;
        result.normal = unit((1 - hit.u - hit.v) * corners[0] + hit.u * corners[1] + hit.v * corners[2]);
        if (dot(result.normal, direction) > 0) result.normal = -result.normal;
    }
    return result;
}

bool RayScene::blocked(Vec3f origin, Vec3f direction, float start) const {
    RTCRay probe = ray(origin, direction, start, infinity).ray;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded1(opaque_.get(), &context, &probe);
    return probe.tfar < 0;   // Embree's sign for "something is there"
}

RayScene::Veil RayScene::veil(Vec3f origin, Vec3f direction, float end) const {
    constexpr int most_panes = 8;
    float passed = 1, start = 0;
    for (int pane = 0; pane < most_panes; ++pane) {
        RTCRayHit found = ray(origin, direction, start, end);
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(veil_.get(), &context, &found);
        const RTCHit& hit = found.hit;
        if (hit.geomID == RTC_INVALID_GEOMETRY_ID) break;
        const Vec3f normal = unit(Vec3f{hit.Ng_x, hit.Ng_y, hit.Ng_z});
        if (hit.geomID == wires_id) {
            return {1 - passed, Hit{found.ray.tfar, normal, scene_.wires[hit.primID].color, Hit::Surface::wire}};
        }
        const float grazing = 1 - std::abs(dot(normal, direction));
        passed *= 1 - (0.02f + 0.3f * grazing * grazing * grazing);
        start = found.ray.tfar * (1 + 1e-5f);
    }
    return {1 - passed, std::nullopt};
}

}  // namespace treacle::tracing
