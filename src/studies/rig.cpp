#include "studies/rig.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

namespace pliant {

meshless::Settings paper_settings() {
  meshless::Settings settings;
  settings.law = galerkin::Law::Kind::corotated;
  return settings;
}

Rig::Rig(const TriangleMesh& surface, const Material& material, double between,
         meshless::Settings settings, const std::vector<Solid::Part>& parts)
    : spacing(between), support(settings.support) {
  Solid solid;
  solid.name = "specimen";
  solid.surface = surface;
  solid.material = material;
  solid.parts = parts;
  settings.spacing = between;
  body = settings.create(solid);
  rest = body.nodes.position;
}

void Rig::hold(const Chosen& chosen) {
  for (int n = 0; n < body.nodes.size(); ++n)
    if (chosen(rest[n])) {
      body.nodes.held[n] = 1;
      body.nodes.target[n] = rest[n];
    }
}

void Rig::push(const Triangle& t, const Vec3& per_area) {
  const Vec3 &a = body.drawn_skin().rest[t[0]], &b = body.drawn_skin().rest[t[1]],
             &c = body.drawn_skin().rest[t[2]];
  const double area = 0.5 * (b - a).cross(c - a).norm();
  const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
  const int n = std::max(1, int(std::ceil(longest / (0.4 * spacing))));
  const Neighbours particles(rest, spacing);
  // Middles of the n^2 small triangles.
  for (int i = 0; i < n; ++i)
    for (int j = 0; j + i < n; ++j)
      for (const double third : {1.0 / 3, 2.0 / 3}) {
        if (third > 0.5 && i + j + 2 > n) continue;
        const double u = (i + third) / n, v = (j + third) / n;
        const meshless::Shape shape =
            meshless::shape_at(particles, a + u * (b - a) + v * (c - a), support);
        for (std::size_t k = 0; k < shape.node.size(); ++k)
          body.nodes.force[shape.node[k]] += shape.value[k] * area / (n * n) * per_area;
      }
}

void Rig::load(const Chosen& chosen, const Vec3& force) {
  const Skin& skin = body.drawn_skin();
  double area = 0;
  std::vector<Triangle> loaded;
  for (const Triangle& t : skin.triangles) {
    if (!chosen(skin.rest[t[0]]) || !chosen(skin.rest[t[1]]) || !chosen(skin.rest[t[2]])) continue;
    loaded.push_back(t);
    area +=
        0.5 * (skin.rest[t[1]] - skin.rest[t[0]]).cross(skin.rest[t[2]] - skin.rest[t[0]]).norm();
  }
  for (const Triangle& t : loaded) push(t, force / area);
}

void Rig::press(const Chosen& chosen, double pressure) {
  const Skin& skin = body.drawn_skin();
  for (const Triangle& t : skin.triangles) {
    if (!chosen(skin.rest[t[0]]) || !chosen(skin.rest[t[1]]) || !chosen(skin.rest[t[2]])) continue;
    const Vec3 normal =
        (skin.rest[t[1]] - skin.rest[t[0]]).cross(skin.rest[t[2]] - skin.rest[t[0]]).normalized();
    push(t, -pressure * normal);
  }
}

void Rig::weigh(const Vec3& gravity) {
  for (int n = 0; n < body.nodes.size(); ++n) body.nodes.force[n] += body.nodes.mass[n] * gravity;
}

void Rig::unload() {
  for (Vec3& f : body.nodes.force) f.setZero();
  body.nodes.position = rest;
}

std::vector<Vec3> Rig::linear(double stay) {
  galerkin::GalerkinMethod& method = meshless::method_of(body);
  method.elastic().update(rest);
  std::vector<double> mass = body.nodes.mass;
  for (double& m : mass) m *= stay;
  method.system().prepare(method.elastic(), mass, 1, body.nodes.held);
  std::vector<Vec3> moved(rest.size(), Vec3::Zero());
  method.system().solve(body.nodes.force, moved, 0, 1e-6);
  return moved;
}

Vec3 Rig::movement(const Vec3& rest_point) const {
  std::vector<Vec3> moved = body.nodes.position;
  for (std::size_t n = 0; n < moved.size(); ++n) moved[n] -= rest[n];
  return movement(rest_point, moved);
}

Vec3 Rig::movement(const Vec3& rest_point, const std::vector<Vec3>& particles_moved) const {
  const meshless::Shape shape = meshless::shape_at(Neighbours(rest, spacing), rest_point, support);
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < shape.node.size(); ++k)
    sum += shape.value[k] * particles_moved[shape.node[k]];
  return sum;
}

double Rig::lowest_frequency() {
  double squared = 0;
  std::vector<Vec3> mode(rest.size());
  for (std::size_t n = 0; n < rest.size(); ++n)
    mode[n] = body.nodes.held[n] ? Vec3(Vec3::Zero()) : Vec3(0, 1, 0.3);
  for (int i = 0; i < 12; ++i) {
    double kinetic = 0, work = 0;
    for (std::size_t n = 0; n < rest.size(); ++n)
      body.nodes.force[n] = body.nodes.mass[n] * mode[n];
    const std::vector<Vec3> next = linear();
    for (std::size_t n = 0; n < rest.size(); ++n) {
      kinetic += body.nodes.mass[n] * next[n].squaredNorm();
      work += body.nodes.force[n].dot(next[n]);
    }
    const double before = squared;
    squared = work / kinetic;  // Rayleigh's quotient of the new mode
    mode = next;
    for (Vec3& m : mode) m /= std::sqrt(kinetic);
    if (std::abs(squared - before) < 1e-6 * squared) break;
  }
  unload();
  return std::sqrt(squared) / (2 * std::numbers::pi);
}

galerkin::Points tet_points(const TetMesh& mesh) {
  galerkin::Points points;
  for (const Tet& tet : mesh.tets) {
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = mesh.points[tet[k + 1]] - mesh.points[tet[0]];
    Vec3 middle = Vec3::Zero();
    for (const int corner : tet) middle += 0.25 * mesh.points[corner];
    points.add_tet(tet, edges.inverse(), middle, std::abs(edges.determinant()) / 6, 0);
  }
  points.end_bundle();
  return points;
}

TetMesh kuhn_block(const Eigen::Vector3i& cells, const Vec3& size) {
  TetMesh mesh;
  mesh.points = galerkin::hex_block(cells, size).nodes;
  const Eigen::Vector3i n = cells + Eigen::Vector3i::Ones();
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
  for (int c = 0; c < cells.prod(); ++c) {
    const Eigen::Vector3i at(c % cells.x(), c / cells.x() % cells.y(), c / cells.x() / cells.y());
    for (const auto& order : orders) {  // along the edges, from one corner to the opposite one
      Eigen::Vector3i corner = at;
      Tet tet;
      for (int k = 0; k < 4; ++k) {
        tet[k] = corner.x() + n.x() * (corner.y() + n.y() * corner.z());
        if (k < 3) ++corner[order[k]];
      }
      mesh.tets.push_back(tet);
    }
  }
  return mesh;
}

Vec3 linear_tip(const galerkin::Points& points, const std::vector<Vec3>& nodes, const Vec3& size,
                double young, double poisson, const Vec3& force) {
  galerkin::Elastic elastic(points,
                            {galerkin::Law::from(galerkin::Law::Kind::corotated, young, poisson)},
                            int(nodes.size()));
  galerkin::System system(elastic, galerkin::Solver::iterative);
  std::vector<char> held(nodes.size(), 0);
  std::vector<Vec3> load(nodes.size(), Vec3::Zero()), moved(load);
  std::vector<double> share(nodes.size(), 0);
  double total = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    held[n] = nodes[n].z() < 1e-9 * size.z();
    if (nodes[n].z() < (1 - 1e-9) * size.z()) continue;
    share[n] = 1;  // corners carry a quarter, edges a half
    for (const int axis : {0, 1})
      if (nodes[n][axis] < 1e-9 * size[axis] || nodes[n][axis] > (1 - 1e-9) * size[axis])
        share[n] *= 0.5;
    total += share[n];
  }
  Vec3 tip = Vec3::Zero();
  int middle = 0;
  const Vec3 end(0.5 * size.x(), 0.5 * size.y(), size.z());
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    load[n] = share[n] / total * force;
    if ((nodes[n] - end).norm() < (nodes[middle] - end).norm()) middle = int(n);
  }
  elastic.update(nodes);
  system.prepare(elastic, std::vector<double>(nodes.size(), 0), 1, held);
  system.solve(load, moved, 0, 1e-6);
  tip = moved[middle];
  return tip;
}

}  // namespace pliant
