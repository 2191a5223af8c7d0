#include "picture/ray_scene.h"

#include <algorithm>
#include <embree3/rtcore.h>
#include <string>

#include "core/assert.h"
#include "core/errors.h"

namespace pliant {
namespace {

constexpr int packet = 8;

struct alignas(32) Valid {
  int lane[packet];
};

// Unused lanes are switched off but still hold sane numbers.
Valid fill(RTCRay8& packed, std::span<const Ray> rays) {
  Valid valid;
  for (int i = 0; i < packet; ++i) {
    const bool used = i < int(rays.size());
    const Ray& ray = rays[used ? i : 0];
    valid.lane[i] = used ? -1 : 0;
    packed.org_x[i] = ray.origin.x();
    packed.org_y[i] = ray.origin.y();
    packed.org_z[i] = ray.origin.z();
    packed.dir_x[i] = ray.direction.x();
    packed.dir_y[i] = ray.direction.y();
    packed.dir_z[i] = ray.direction.z();
    packed.tnear[i] = ray.nearest;
    packed.tfar[i] = std::numeric_limits<float>::infinity();
    packed.time[i] = 0;
    packed.mask[i] = ~0u;
    packed.id[i] = unsigned(i);
    packed.flags[i] = 0;
  }
  return valid;
}

}  // namespace

struct RayScene::Embree {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
};

RayScene::RayScene() : embree_(std::make_unique<Embree>()) {
  // One thread: parallel_for is the only one here to decide how many cores are used.
  embree_->device = rtcNewDevice("threads=1,set_affinity=0");
  if (!embree_->device)
    throw IoError("cannot start Embree, error " + std::to_string(int(rtcGetDeviceError(nullptr))));
  clear();
}

RayScene::~RayScene() {
  rtcReleaseScene(embree_->scene);
  rtcReleaseDevice(embree_->device);
}

void RayScene::clear() {
  if (embree_->scene) rtcReleaseScene(embree_->scene);
  embree_->scene = rtcNewScene(embree_->device);
  rtcSetSceneFlags(embree_->scene, RTC_SCENE_FLAG_ROBUST);  // no light through shared edges
}

void RayScene::add(std::span<const Eigen::Vector3f> points, std::span<const Triangle> triangles) {
  RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  if (!points.empty() && !triangles.empty()) {
    auto* vertices = static_cast<Eigen::Vector3f*>(
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                sizeof(Eigen::Vector3f), points.size()));
    auto* indices = static_cast<Triangle*>(rtcSetNewGeometryBuffer(
        geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, sizeof(Triangle), triangles.size()));
    ASSERT(vertices && indices, "Embree has room for the mesh");
    std::copy(points.begin(), points.end(), vertices);
    std::copy(triangles.begin(), triangles.end(), indices);
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(embree_->scene, geometry);  // ids count up from 0
  rtcReleaseGeometry(geometry);
}

void RayScene::build() { rtcCommitScene(embree_->scene); }

void RayScene::find_hits(std::span<const Ray> rays, std::span<RayHit> hits, bool similar) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  if (similar) context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (std::size_t begin = 0; begin < rays.size(); begin += packet) {
    const std::span<const Ray> eight =
        rays.subspan(begin, std::min(rays.size() - begin, std::size_t(packet)));
    RTCRayHit8 packed;
    const Valid valid = fill(packed.ray, eight);
    for (int i = 0; i < packet; ++i) {
      packed.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
      packed.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect8(valid.lane, embree_->scene, &context, &packed);
    for (std::size_t i = 0; i < eight.size(); ++i) {
      RayHit& hit = hits[begin + i];
      hit = {};
      if (packed.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID) continue;
      hit.mesh = int(packed.hit.geomID[i]);
      hit.triangle = int(packed.hit.primID[i]);
      hit.u = packed.hit.u[i];
      hit.v = packed.hit.v[i];
      hit.distance = packed.ray.tfar[i];
      hit.normal = {packed.hit.Ng_x[i], packed.hit.Ng_y[i], packed.hit.Ng_z[i]};
    }
  }
}

void RayScene::find_blocked(std::span<const Ray> rays, std::span<std::uint8_t> blocked) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
  for (std::size_t begin = 0; begin < rays.size(); begin += packet) {
    const std::span<const Ray> eight =
        rays.subspan(begin, std::min(rays.size() - begin, std::size_t(packet)));
    RTCRay8 packed;
    const Valid valid = fill(packed, eight);
    rtcOccluded8(valid.lane, embree_->scene, &context, &packed);
    for (std::size_t i = 0; i < eight.size(); ++i) blocked[begin + i] = packed.tfar[i] < 0;
  }
}

}  // namespace pliant
