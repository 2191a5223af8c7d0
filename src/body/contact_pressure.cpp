#include "body/contact_pressure.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"

namespace pliant {
namespace {

/// Weights of a skin's vertices, positive and summing to one. Of a rigid body every vertex counts
/// as its own node.
class Spread {
 public:
  Spread(const Body& body, const Skin& skin) : weights_(skin.weights), rigid_(!body.deforms) {
    nodes_ = rigid_ ? skin.size() : body.nodes.size();
  }
  int nodes() const { return nodes_; }

  template <class Work>  // node, share
  void each(int vertex, const Work& work) const {
    if (rigid_) {
      work(vertex, 1.0);
      return;
    }
    double sum = 0;
    const int begin = weights_.start[vertex], end = weights_.start[vertex + 1];
    for (int k = begin; k < end; ++k) sum += std::abs(weights_.weight[k]);
    for (int k = begin; k < end; ++k) work(weights_.node[k], std::abs(weights_.weight[k]) / sum);
  }

 private:
  const Weights& weights_;
  bool rigid_;
  int nodes_;
};

/// Outward, of each vertex a third of its triangles [m^2].
std::vector<Vec3> vertex_areas(const Skin& skin) {
  std::vector<Vec3> area(skin.position.size(), Vec3::Zero());
  for (const Triangle& t : skin.triangles) {
    const Vec3 edge1 = skin.position[t[1]] - skin.position[t[0]];
    const Vec3 edge2 = skin.position[t[2]] - skin.position[t[0]];
    for (const int v : t) area[v] += edge1.cross(edge2) / 6;
  }
  return area;
}

/// Forces per vertex of the drawn skin, `of(vertex)` being that of one that is touched.
template <class Of>
std::vector<Vec3> drawn_forces(const Body& body, const Of& of) {
  std::vector<Vec3> forces;
  forces.reserve(body.skin.rest.size());
  for (int v = 0; v < body.skin.size(); ++v) forces.push_back(of(v));
  return body.drawn ? carried_to_drawn(*body.drawn, forces) : forces;
}

/// Square to what was met, at nodes; of rigid bodies at vertices of the drawn skin [N].
std::vector<Vec3> normal_forces(const Body& body) {
  const auto of_vertex = [&](int v) { return body.touched.normal_force(v); };
  if (!body.deforms) return drawn_forces(body, of_vertex);
  const Spread spread(body, body.skin);
  std::vector<Vec3> force(spread.nodes(), Vec3::Zero());
  for (int v = 0; v < body.skin.size(); ++v) {
    const Vec3 pressing = of_vertex(v);
    spread.each(v, [&](int n, double share) { force[n] += share * pressing; });
  }
  return force;
}

}  // namespace

std::vector<Vec3> contact_forces(const Body& body) {
  return drawn_forces(body, [&](int v) { return body.touched.force(v); });
}

void contact_pressure(const Body& body, std::vector<double>& pressure) {
  ASSERT(body.skin.weights.rows() == body.skin.size(), "each vertex is a sum of nodes");
  const Skin& skin = body.drawn_skin();
  pressure.assign(skin.position.size(), 0);
  const bool untouched = std::all_of(body.touched.pressing.begin(), body.touched.pressing.end(),
                                     [](const Vec3& pressing) { return pressing.isZero(0); });
  if (untouched) return;

  const Spread spread(body, skin);
  const std::vector<Vec3> area = vertex_areas(skin), force = normal_forces(body);
  // Walls that rise at the rim of a foot bear nothing, nor does the far side of a thin body.
  const auto facing = [&](int v, int n) {
    const double size = force[n].norm();
    return size > 0 ? std::max(0.0, -area[v].dot(force[n]) / size) : 0;
  };
  std::vector<double> faces(spread.nodes(), 0);
  for (int v = 0; v < skin.size(); ++v)
    spread.each(v, [&](int n, double share) { faces[n] += share * facing(v, n); });
  for (int v = 0; v < skin.size(); ++v)
    spread.each(v, [&](int n, double share) {
      if (facing(v, n) > 0) pressure[v] += share * force[n].norm() / faces[n];
    });
}

}  // namespace pliant
