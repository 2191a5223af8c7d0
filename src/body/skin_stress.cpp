#include "body/skin_stress.h"

#include <cmath>
#include <limits>

#include "body/body.h"
#include "body/contact_pressure.h"

namespace pliant {
namespace {

constexpr double flat = 0.9;  // cosine between normals of triangles that make one smooth surface
constexpr double hanging = 1e-3;  // weight of a held node that counts

/// What acts on the surface at a vertex: nothing, a known pressure, or something else that may
/// pull.
struct Burden {
  double pressure = 0;  // [Pa]
  bool is_known = true;
};

/// Adds a pressure to the vertices all of whose triangles it acts on; those at its border bear an
/// unknown share, and so do all where it comes and goes.
void add_pressure(const Skin& skin, const Load& load, std::vector<Burden>& burden) {
  std::vector<int> count(burden.size(), 0);
  const auto count_all = [&](const Triangle& t, int by) {
    for (const int v : t) count[v] += by;
  };
  for (const int t : load.triangles) count_all(skin.triangles[t], 1);
  std::vector<char> is_pressed(burden.size(), 0);
  for (std::size_t v = 0; v < count.size(); ++v) is_pressed[v] = count[v] > 0;
  for (const Triangle& t : skin.triangles) count_all(t, -1);
  const bool lasts = load.start <= 0 && load.end == std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < burden.size(); ++v) {
    if (!is_pressed[v]) continue;
    burden[v].pressure += load.pressure;
    if (count[v] < 0 || !lasts) burden[v].is_known = false;
  }
}

std::vector<Burden> burdens(const Body& body) {
  const Skin& skin = body.drawn_skin();
  std::vector<Burden> burden(skin.rest.size());
  for (const Load& load : body.loads) {
    for (const int v : load.vertices) burden[v].is_known = false;
    if (load.kind == Load::Kind::pressure) add_pressure(skin, load, burden);
  }
  std::vector<char> held(body.nodes.position.size(), 0);
  for (const Handle& handle : body.handles) {
    for (const int node : handle.nodes) held[node] = 1;
    for (const int v : handle.vertices) burden[v].is_known = false;
  }
  const std::vector<Vec3> touch = contact_forces(body);
  for (int v = 0; v < int(burden.size()); ++v) {
    if (touch[v] != Vec3::Zero()) burden[v].is_known = false;
    skin.weights.for_each(v, [&](int node, double weight) {
      if (held[node] && std::abs(weight) > hanging) burden[v].is_known = false;
    });
  }
  return burden;
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

/// The stress with the pull at the surface that a pressure there gives, and no other.
Mat3 balanced(const Mat3& stress, const Vec3& normal, double pressure, double sideways) {
  const Vec3 pull = stress * normal;
  const double along = pull.dot(normal);
  const Vec3 shear = pull - along * normal;
  const Mat3 square = normal * normal.transpose();
  return stress - normal * shear.transpose() - shear * normal.transpose() -
         (along + pressure) * (square + sideways * (Mat3::Identity() - square));
}

}  // namespace

double von_mises(const Mat3& cauchy) {
  const Mat3 shape = cauchy - cauchy.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * shape.norm();
}

bool skin_stress(const Body& body, SkinStress& stress) {
  const Skin& skin = body.drawn_skin();
  if (!body.method->skin_stress(body.nodes, skin, stress)) return false;
  const std::vector<Burden> burden = burdens(body);
  const std::vector<Vec3> normal = smooth_normals(skin);
  for (int v = 0; v < skin.size(); ++v)
    if (burden[v].is_known && normal[v] != Vec3::Zero())
      stress.cauchy[v] =
          balanced(stress.cauchy[v], normal[v], burden[v].pressure, stress.sideways[v]);
  return true;
}

}  // namespace pliant
