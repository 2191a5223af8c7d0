#pragma once

#include <memory>

#include "body/body.h"
#include "geometry/mesh/primitives.h"

// A body for tests of what every body does by itself.

namespace pliant::test {

/// Moves nothing. Shows the mass of its nodes and keeps one number.
class Still : public Method {
 public:
  int state = 0;

  void advance(Nodes&, const Substep&) override {}
  void finish(Nodes&, const Substep&) override {}
  void archive(Archive& archive) override { archive.value("state", state); }
  Measures measure(const Nodes&) const override { return {}; }
  StepAdvice advise(const Nodes&, double) const override { return {}; }
  std::vector<std::string> fields() const override { return {"mass"}; }
  bool field(std::string_view name, const Nodes& nodes,
             std::vector<double>& values) const override {
    if (name != "mass") return false;
    values = nodes.mass;
    return true;
  }
};

/// A box about the origin, its skin hung into a cage of eight nodes twice as large: no vertex lies
/// on a node. Masses are unequal. Node k lies at the corner whose signs are the bits of k.
inline Body caged_box(const Vec3& size, double edge) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  Body body;
  body.name = "box";
  body.nodes = Nodes::at(corners);
  for (int k = 0; k < 8; ++k) body.nodes.mass[k] = 1 + 0.1 * ((5 * k) % 8);
  const TriangleMesh mesh = box_mesh(size, edge);
  body.skin.triangles = mesh.triangles;
  for (const Vec3& p : mesh.points) {
    int node[8];
    double weight[8];
    for (int k = 0; k < 8; ++k) {
      node[k] = k;
      weight[k] = 1;
      for (int axis = 0; axis < 3; ++axis)
        weight[k] *= 0.5 * (1 + p[axis] * corners[k][axis] / (size[axis] * size[axis]));
    }
    body.skin.weights.add_row(node, weight);
  }
  body.skin.position = body.skin.rest = body.skin.previous = mesh.points;
  body.method = std::make_unique<Still>();
  return body;
}

inline std::vector<int> all_nodes(const Body& body) {
  std::vector<int> nodes;
  for (int i = 0; i < body.nodes.size(); ++i) nodes.push_back(i);
  return nodes;
}

inline Vec3 sum(const std::vector<Vec3>& values) {
  Vec3 total = Vec3::Zero();
  for (const Vec3& value : values) total += value;
  return total;
}

}  // namespace pliant::test
