#include "body/skin_stress.h"

#include <cmath>

#include "body/body.h"
#include "body/contact_pressure.h"

namespace pliant {
namespace {

constexpr double flat = 0.9;  // cosine between normals of triangles that make one smooth surface
constexpr double hanging = 1e-3;  // weight of a held node that counts

/// Vertices that something may press, pull or hold.
std::vector<char> burdened(const Body& body) {
  const Skin& skin = body.drawn_skin();
  std::vector<char> is(skin.rest.size(), 0);
  for (const Load& load : body.loads) {
    for (const int v : load.vertices) is[v] = 1;
    for (const int t : load.triangles)
      for (const int v : skin.triangles[t]) is[v] = 1;
  }
  std::vector<char> held(body.nodes.position.size(), 0);
  for (const Handle& handle : body.handles) {
    for (const int node : handle.nodes) held[node] = 1;
    for (const int v : handle.vertices) is[v] = 1;
  }
  const std::vector<Vec3> touch = contact_forces(body);
  for (int v = 0; v < int(is.size()); ++v) {
    if (touch[v] != Vec3::Zero()) is[v] = 1;
    skin.weights.for_each(v, [&](int node, double weight) {
      if (held[node] && std::abs(weight) > hanging) is[v] = 1;
    });
  }
  return is;
}

/// Unit normals of the skin as it is now, zero at edges and corners.
std::vector<Vec3> smooth_normals(const Skin& skin) {
  std::vector<Vec3> normal(skin.position.size(), Vec3::Zero());
  const auto area_of = [&](const Triangle& t) -> Vec3 {
    return (skin.position[t[1]] - skin.position[t[0]])
        .cross(skin.position[t[2]] - skin.position[t[0]]);
  };
  for (const Triangle& t : skin.triangles)
    for (const int v : t) normal[v] += area_of(t);
  for (Vec3& n : normal)
    if (n != Vec3::Zero()) n.normalize();
  std::vector<char> is_edge(normal.size(), 0);
  for (const Triangle& t : skin.triangles) {
    const Vec3 area = area_of(t);
    for (const int v : t)
      if (area.dot(normal[v]) < flat * area.norm()) is_edge[v] = 1;
  }
  for (std::size_t v = 0; v < normal.size(); ++v)
    if (is_edge[v]) normal[v].setZero();
  return normal;
}

/// The stress without its pull at a free surface.
Mat3 relieved(const Mat3& stress, const Vec3& normal, double sideways) {
  const Vec3 pull = stress * normal;
  const double along = pull.dot(normal);
  const Vec3 shear = pull - along * normal;
  const Mat3 square = normal * normal.transpose();
  return stress - normal * shear.transpose() - shear * normal.transpose() -
         along * (square + sideways * (Mat3::Identity() - square));
}

}  // namespace

double von_mises(const Mat3& cauchy) {
  const Mat3 shape = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * shape.norm();
}

bool skin_stress(const Body& body, SkinStress& stress) {
  const Skin& skin = body.drawn_skin();
  if (!body.method->skin_stress(body.nodes, skin, stress)) return false;
  const std::vector<char> has_burden = burdened(body);
  const std::vector<Vec3> normal = smooth_normals(skin);
  for (int v = 0; v < skin.size(); ++v)
    if (!has_burden[v] && normal[v] != Vec3::Zero())
      stress.cauchy[v] = relieved(stress.cauchy[v], normal[v], stress.sideways[v]);
  return true;
}

}  // namespace pliant
