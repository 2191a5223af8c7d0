#pragma once

#include <Eigen/Dense>
#include <memory>
#include <type_traits>
#include <vector>

#include "contact/contact_solver.h"
#include "contact/motion/displacement.h"
#include "contact/skin_contacts.h"
#include "geometry/mesh/triangle_mesh.h"
#include "math/test_random.h"

// Bodies and a world for tests of contact: the smallest methods that are still honest, one
// projective, one implicit.

namespace pliant::test {

/// How skins moved, when nothing moved them between their last find and the substep's start.
inline std::vector<SkinMotion> moved_in_substep(const std::vector<Body>& bodies) {
  std::vector<SkinMotion> moved;
  for (const Body& body : bodies) {
    const DisplacementBound way = displacement_of(body.skin.position, body.skin.previous);
    moved.push_back({way, way});
  }
  return moved;
}

/// One finder of contacts and what it is told, for tests of one alone.
template <class Finder>
struct FinderAlone {
  Finder finder;
  ContactSurfaces surfaces;
  double step = 0;  // [s]

  /// `motion`: since contacts were last found, where that is known.
  void start_step(std::span<const Body> bodies, std::span<const Collider> colliders,
                  const ContactSettings& settings, double time, double dt,
                  std::vector<SkinMotion> motion = {}) {
    step = dt;
    const DisplacementBound unknown = DisplacementBound::unbounded();
    if (motion.empty()) motion.assign(bodies.size(), {{}, unknown});
    if constexpr (!std::is_same_v<Finder, SkinContacts>)
      surfaces.prepare(bodies, Touches::colliders);
    const ContactMemory memory;
    finder.start_step({bodies, colliders, settings, memory, surfaces, motion, {0, time}, dt});
  }
  void find(std::span<const Body> bodies, std::span<const Collider> colliders,
            const ContactSettings& settings, const std::vector<SkinMotion>& motion,
            const Substep& substep, ContactList& contacts) {
    const ContactMemory memory;
    const ContactFrame frame{bodies, colliders, settings, memory, surfaces, motion, substep, step};
    finder.follow(frame);
    finder.refresh(frame);
    finder.find(frame, contacts);
  }
};
using SkinFinder = FinderAlone<SkinContacts>;

/// Contacts that outlive their finder.
inline std::vector<Contact> copies(const ContactList& contacts) {
  return {contacts.begin(), contacts.end()};
}
inline ContactList list_of(std::vector<Contact>& contacts) {
  ContactList list;
  list.add(contacts);
  return list;
}

struct Spring {
  int i, j;
  double rest;
};

/// Masses and springs. Without springs: loose points.
class SpringMethod : public Method {
 public:
  std::vector<Spring> springs;
  double stiffness = 0;  // [N/m] per spring
  double damping = 0;    // [1/s] of the springs' own motion

  void finish(Nodes& nodes, const Substep& substep) override {
    for (int i = 0; i < nodes.size(); ++i)
      nodes.velocity[i] = (nodes.position[i] - nodes.previous[i]) / substep.h;
    const double share = std::min(0.5, damping * substep.h);
    for (const Spring& s : springs) {  // equal masses
      const Vec3 along = (nodes.position[s.j] - nodes.position[s.i]).normalized();
      const Vec3 change =
          0.5 * share * along.dot(nodes.velocity[s.j] - nodes.velocity[s.i]) * along;
      nodes.velocity[s.i] += change;
      nodes.velocity[s.j] -= change;
    }
  }
  void archive(Archive&) override {}
  Measures measure(const Nodes&) const override { return {}; }
  StepAdvice advise(const Nodes&, double) const override { return {}; }
};

class Projective : public SpringMethod {
 public:
  void advance(Nodes& nodes, const Substep& substep) override {
    const double h = substep.h;
    nodes.previous = nodes.position;
    for (int i = 0; i < nodes.size(); ++i) {
      nodes.mobility[i] = nodes.held[i] ? 0 : 1 / nodes.mass[i];
      nodes.position[i] += h * nodes.velocity[i] + h * h * nodes.mobility[i] * nodes.force[i];
    }
    for (const Spring& s : springs) {
      const Vec3 along = nodes.position[s.j] - nodes.position[s.i];
      const double length = along.norm();
      const double w = nodes.mobility[s.i] + nodes.mobility[s.j] + 1 / (stiffness * h * h);
      const Vec3 push = (length - s.rest) / (w * length) * along;
      nodes.position[s.i] += nodes.mobility[s.i] * push;
      nodes.position[s.j] -= nodes.mobility[s.j] * push;
    }
  }
};

/// Backward Euler, linearised once; the springs' stiffness without its sideways part.
class Implicit : public SpringMethod {
 public:
  void advance(Nodes& nodes, const Substep& substep) override {
    const double h = substep.h;
    const int n = nodes.size();
    nodes.previous = nodes.position;
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    Eigen::VectorXd b(3 * n);
    for (int i = 0; i < n; ++i) {
      nodes.mobility[i] = 1 / nodes.mass[i];
      A.diagonal().segment<3>(3 * i).array() += nodes.mass[i];
      b.segment<3>(3 * i) = h * nodes.force[i];
    }
    for (const Spring& s : springs) {
      const Vec3 d = nodes.position[s.j] - nodes.position[s.i];
      const double length = d.norm();
      const Vec3 along = d / length;
      const double lag = 0.002;  // [s] Rayleigh damping
      const Mat3 K = stiffness * along * along.transpose();
      const Vec3 force = stiffness * (length - s.rest) * along;
      const Vec3 pull = h * force + h * (h + lag) * K * (nodes.velocity[s.j] - nodes.velocity[s.i]);
      b.segment<3>(3 * s.i) += pull;
      b.segment<3>(3 * s.j) -= pull;
      const Mat3 hhK = h * (h + lag) * K;
      A.block<3, 3>(3 * s.i, 3 * s.i) += hhK;
      A.block<3, 3>(3 * s.j, 3 * s.j) += hhK;
      A.block<3, 3>(3 * s.i, 3 * s.j) -= hhK;
      A.block<3, 3>(3 * s.j, 3 * s.i) -= hhK;
    }
    factor_.compute(A);
    const Eigen::VectorXd dv = factor_.solve(b);
    for (int i = 0; i < n; ++i) nodes.position[i] += h * (nodes.velocity[i] + dv.segment<3>(3 * i));
  }
  void respond(Nodes& nodes) const override {
    Eigen::VectorXd b(3 * nodes.size());
    for (int i = 0; i < nodes.size(); ++i) b.segment<3>(3 * i) = nodes.load[i];
    const Eigen::VectorXd dx = factor_.solve(b);
    for (int i = 0; i < nodes.size(); ++i) nodes.position[i] = nodes.free[i] + dx.segment<3>(3 * i);
  }
  bool moves_by_mobility() const override { return false; }

 private:
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

inline Quat random_turn(std::uint64_t seed, std::uint64_t i) {
  const Vec3 v = random_vector(seed, 2 * i);
  const double w = 2 * random_unit(seed + 1, i) - 1;
  return Quat(w, v.x(), v.y(), v.z()).normalized();
}

/// A lattice of n^3 nodes in a cube of `size` metres with its lowest corner at `at`; skin = the
/// nodes themselves, or with `embedded` points between them.
template <class M>
Body block(int n, double size, double mass, double stiffness, const Vec3& at,
           bool embedded = false) {
  std::vector<Vec3> points;
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < n; ++y)
      for (int z = 0; z < n; ++z) points.push_back(at + size / (n - 1) * Vec3(x, y, z));
  Body body;
  body.name = "block";
  body.nodes = Nodes::at(points);
  body.nodes.mass.assign(points.size(), mass / double(points.size()));
  body.contact_scale = size;
  auto method = std::make_unique<M>();
  method->stiffness = stiffness;
  method->damping = 20;
  const double cell = size / (n - 1);
  if (stiffness > 0)
    for (int i = 0; i < int(points.size()); ++i)
      for (int j = i + 1; j < int(points.size()); ++j)
        if ((points[i] - points[j]).norm() < 1.8 * cell)
          method->springs.push_back({i, j, (points[i] - points[j]).norm()});
  if (!embedded) {
    body.skin.weights = Weights::identity(int(points.size()));
  } else {
    // Cell centres moved off by chance, so that nothing lines up; and the nodes.
    const auto index = [&](int x, int y, int z) { return (x * n + y) * n + z; };
    for (int i = 0; i < int(points.size()); ++i) {
      const double one = 1;
      body.skin.weights.add_row({&i, 1}, {&one, 1});
    }
    for (int x = 0; x + 1 < n; ++x)
      for (int y = 0; y < n; y += n - 1)
        for (int z = 0; z + 1 < n; ++z) {
          const double s = random_unit(5, std::uint64_t(index(x, y, z)));
          const double t = random_unit(6, std::uint64_t(index(x, y, z)));
          const std::array<int, 4> node = {index(x, y, z), index(x + 1, y, z), index(x, y, z + 1),
                                           index(x + 1, y, z + 1)};
          const std::array<double, 4> weight = {(1 - s) * (1 - t), s * (1 - t), (1 - s) * t, s * t};
          body.skin.weights.add_row(node, weight);
        }
  }
  body.skin.position.resize(body.skin.weights.rows());
  body.skin.refresh(body.nodes.position);
  body.skin.rest = body.skin.position;
  body.method = std::move(method);
  return body;
}

/// A surface whose vertices are its nodes, at rest.
inline Body surface_body(const TriangleMesh& mesh) {
  Body body;
  body.name = "surface";
  body.nodes = Nodes::at(mesh.points);
  body.nodes.mass.assign(mesh.points.size(), 1);
  body.skin.triangles = mesh.triangles;
  body.skin.weights = Weights::identity(int(mesh.points.size()));
  body.skin.rest = body.skin.previous = body.skin.position = mesh.points;
  body.contact_scale = 1;
  body.thickness = 0.0025;
  return body;
}

/// What World::step does, without a world.
struct Scene {
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  ContactSolver contact;
  Vec3 gravity = {0, -9.81, 0};
  double time = 0;
  int iterations = 0;
  int unconverged = 0;
  double penetration = 0;
  ContactReport last;

  void step(double dt, int substeps) {
    const double h = dt / substeps;
    contact.find_candidates(bodies, colliders, time, dt);
    for (int s = 0; s < substeps; ++s) {
      const Substep substep{h, time};
      for (Body& body : bodies) {
        drive(body, gravity, time + h);
        body.method->advance(body.nodes, substep);
      }
      contact.find_contacts(bodies, colliders, substep);
      last = contact.solve(bodies, substep);
      iterations += last.iterations;
      unconverged += last.converged ? 0 : 1;
      penetration = std::max(penetration, last.max_penetration);
      for (Body& body : bodies) body.method->finish(body.nodes, substep);
      time += h;
    }
  }

  Vec3 contact_force(int body, double h) const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& load : bodies[body].nodes.load) sum += load;
    return sum / (h * h);
  }

  void archive(Archive& archive) {
    archive.value("time", time);
    for (Body& body : bodies) body.archive(archive);
    contact.archive(archive);
  }
};

inline Collider floor_at(double height = 0) {
  Collider floor;
  floor.shape = PlaneShape{};
  floor.placement.position.y() = height;
  return floor;
}

inline void set_velocity(Body& body, const Vec3& v) {
  std::fill(body.nodes.velocity.begin(), body.nodes.velocity.end(), v);
}

}  // namespace pliant::test
