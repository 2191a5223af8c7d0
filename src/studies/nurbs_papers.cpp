#include "studies/nurbs_papers.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "methods/shared/galerkin/galerkin_method.h"
#include "studies/cad_bodies.h"
#include "studies/cad_drop.h"
#include "studies/cell_compliance.h"
#include "studies/free_compliance.h"

// Bodies of control points, the default kinematics: as stiff as finite elements say, exact where
// motion is affine, closed at their seams.

namespace pliant {
namespace {

struct Stiffness {
  double mean = 1, least = 1, most = 1;  // compliance against that of finite elements
  std::string text() const { return fmt::format("{:.2f} [{:.2f} {:.2f}]", mean, least, most); }
  bool within(double of_mean, double of_each) const {
    return std::abs(std::log(mean)) < std::log1p(of_mean) && least > 1 - of_each &&
           most < 1 + of_each;
  }
};

constexpr double poisson = 0.3;

enum class Judge { bricks, cells };

/// A body's compliance under the six free loads against that of finite elements: of so many bricks,
/// or of cells cut out of eight times as many voxels.
Stiffness compare(const Solid& solid, int bricks, Judge judge) {
  const Occupancy voxels(solid.surface, bricks);
  const std::vector<double> volume(voxels.centre.size(), std::pow(voxels.edge, 3));
  const FreeLoads loads(voxels.centre, volume);
  const Compliances reference = judge == Judge::bricks
                                    ? brick_compliance(voxels, loads, poisson)
                                    : cell_compliance(solid.surface, 8 * bricks, loads, poisson);
  Body body = nurbs::Settings().create(solid);
  const Compliances ours = body_compliance(body, loads);
  Stiffness result{.mean = 0, .least = 1e300, .most = 0};
  for (int l = 0; l < FreeLoads::count; ++l) {
    const double ratio = ours[l] / reference[l];
    result.mean += std::log(ratio) / FreeLoads::count;
    result.least = std::min(result.least, ratio);
    result.most = std::max(result.most, ratio);
  }
  result.mean = std::exp(result.mean);
  return result;
}

/// One row over several models; those that are not there are left out and named.
PaperRow compare_all(std::span<const char* const> models, int bricks, double of_mean,
                     double of_each, Judge judge = Judge::bricks) {
  PaperRow row{.expected = fmt::format("1 within {:.0f} %, {:.0f} %", 100 * of_mean, 100 * of_each),
               .met = true};
  std::string absent;
  for (const char* name : models) {
    const std::optional<Solid> solid = cad_solid(name, elastic_material(1, poisson));
    if (!solid) {
      absent += (absent.empty() ? "; not here: " : ", ") + std::string(name);
      continue;
    }
    const Stiffness found = compare(*solid, bricks, judge);
    row.ours += (row.ours.empty() ? "" : ", ") + found.text();
    row.remark += fmt::format("{}{} {}", row.remark.empty() ? "" : ", ", name, found.text());
    row.met = row.met && found.within(of_mean, of_each);
  }
  row.remark = fmt::format(
      "compliance of a free body over that of {}, mean and range of six loads: {}{}",
      judge == Judge::bricks ? fmt::format("{} bricks with incompatible modes", bricks)
                             : fmt::format("quadratic cells cut out of {} voxels", 8 * bricks),
      row.remark, absent);
  return row;
}

PaperRow beams(bool quick) {
  static constexpr const char* names[] = {"beam",           "scaling/b1.igs", "scaling/b3.igs",
                                          "scaling/b5.igs", "scaling/b7.igs", "beam_cmp4.iges"};
  return compare_all(names, quick ? 4000 : 24000, 0.1, 0.25);
}
PaperRow solids(bool quick) {
  static constexpr const char* names[] = {"rounded_cube.iges", "chicken_simple_closed.iges",
                                          "tire.iges", "lamppost.iges"};
  return compare_all(names, quick ? 8000 : 30000, 0.1, 0.25);
}
PaperRow thin_walls(bool quick) {
  static constexpr const char* names[] = {"mug_solid.igs", "rocket.iges"};
  return compare_all(names, quick ? 8000 : 40000, 0.2, 0.4, Judge::cells);
}

galerkin::GalerkinMethod& method_of(Body& body) {
  return dynamic_cast<galerkin::GalerkinMethod&>(*body.method);
}

// Models that are judged wherever they are there.
constexpr const char* all_models[] = {
    "beam",           "beam_cmp1.iges",     "beam_cmp2.iges",
    "beam_cmp3.iges", "beam_cmp4.iges",     "cube.iges",
    "tire.iges",      "rounded_cube.iges",  "chicken_simple_closed.iges",
    "lamppost.iges",  "castle_simple.iges", "rocket.iges",
    "mug_solid.igs",  "mug_trimmed.iges",   "mug_intersect_2.igs"};

/// Energy of an affine and of a rigid motion, and moments of the masses, against what they are.
PaperRow affine(bool quick) {
  double affine = 0, rigid = 0, masses = 0;
  int models = 0;
  for (const char* name : all_models) {
    if (quick && models == 6) break;
    const std::optional<Solid> solid = cad_solid(name, elastic_material(1e5, poisson));
    if (!solid) continue;
    ++models;
    Body body = nurbs::Settings().create(*solid);
    galerkin::Elastic& elastic = method_of(body).elastic();
    const std::vector<Vec3> rest = body.nodes.position;
    const auto energy_of = [&](const Mat3& F) {
      std::vector<Vec3> x = rest;
      for (Vec3& p : x) p = F * p;
      elastic.update(x);
      return elastic.energy();
    };
    Mat3 stretched;
    stretched << 1.1, 0.2, -0.1, 0.05, 0.9, 0.1, -0.2, 0.1, 1.2;
    double expected = 0;
    const galerkin::Points& points = elastic.points();
    Vec3 first = Vec3::Zero(), first_of_masses = Vec3::Zero();
    for (int p = 0; p < points.size(); ++p) {
      expected += points.volume[p] * elastic.law(p).energy(stretched, Mat3::Identity());
      first += 1000 * points.volume[p] * points.rest[p];
    }
    affine = std::max(affine, std::abs(energy_of(stretched) / expected - 1));
    const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    rigid = std::max(rigid, std::abs(energy_of(turn)) / (1e5 * elastic.volume()));
    for (int n = 0; n < body.nodes.size(); ++n) first_of_masses += body.nodes.mass[n] * rest[n];
    masses = std::max(masses, (first_of_masses - first).norm() / total_mass(body.nodes));
  }
  return {.expected = "below 1e-10",
          .ours = fmt::format("{:.1e} {:.1e} {:.1e}", affine, rigid, masses),
          .met = std::max({affine, rigid, masses}) < 1e-10,
          .remark = fmt::format("{} models: energy of an affine motion, of a turn by 1 rad (over E "
                                "V), and place of the centre of mass [sizes]",
                                models)};
}

/// Motions that cost nothing must be the six rigid ones.
PaperRow modes(bool quick) {
  PaperRow row{.expected = "6 each", .met = true};
  static constexpr const char* names[] = {"beam", "scaling/b1.igs", "beam_cmp1.iges",
                                          "scaling/b3.igs", "rocket.iges"};
  double next = 1e300;
  for (const char* name : std::span(names).first(quick ? 2 : 5)) {
    const std::optional<Solid> solid = cad_solid(name, elastic_material(1e5, poisson));
    if (!solid) continue;
    Body body = nurbs::Settings().create(*solid);
    galerkin::Elastic& elastic = method_of(body).elastic();
    elastic.update(body.nodes.position);
    elastic.keep_tangents();
    const int size = 3 * body.nodes.size();
    Eigen::MatrixXd stiffness(size, size);
    std::vector<Vec3> unit(body.nodes.position.size(), Vec3::Zero()), answer = unit;
    for (int k = 0; k < size; ++k) {
      unit[k / 3][k % 3] = 1;
      elastic.multiply(unit, answer);
      for (int i = 0; i < size; ++i) stiffness(i, k) = answer[i / 3][i % 3];
      unit[k / 3][k % 3] = 0;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(stiffness, Eigen::EigenvaluesOnly);
    const Eigen::VectorXd& value = solver.eigenvalues();
    const auto zeros = (value.array() < 1e-11 * value[size - 1]).count();
    next = std::min(next, value[6] / value[size - 1]);
    row.met = row.met && zeros == 6;
    row.ours += fmt::format("{}{}", row.ours.empty() ? "" : " ", zeros);
  }
  row.remark = fmt::format(
      "eigenvalues of the stiffness below 1e-11 of the largest; the next one "
      "is at least {:.0e} of it",
      next);
  return row;
}

/// Skin vertices at chosen places are held where `place` puts them.
template <class Chosen, class Place>
void hold(Body& body, const Chosen& chosen, const Place& place) {
  std::vector<int> vertices;
  std::vector<Vec3> targets;
  for (int v = 0; v < int(body.drawn_skin().rest.size()); ++v) {
    if (!chosen(body.drawn_skin().rest[v])) continue;
    vertices.push_back(v);
    targets.push_back(place(body.drawn_skin().rest[v]));
  }
  body.method->hold_skin(body.drawn_skin(), vertices, targets);
}

/// Farthest that points of different faces come apart which are one at rest [m].
double largest_gap(const Body& body) {
  const ControlNet& net = *body.control_net;
  const std::vector<NurbsPatch> moved = net.moved(body.nodes.position);
  Box box;
  for (const NurbsPatch& patch : net.patches)
    for (const Vec3& pole : patch.pole) box.add(pole);
  const double size = box.extent().norm();
  const Tessellation surface = tessellate(net.patches, 0.01 * size, 1e-3 * size);
  const Neighbours near(surface.mesh.points, 0.01 * size);
  std::vector<int> found;
  double gap = 0;
  const auto place = [&](int v) {
    const Tessellation::Vertex& at = surface.vertices[v];
    return moved[at.patch].point(at.uv[0], at.uv[1]);
  };
  for (int v = 0; v < int(surface.vertices.size()); ++v) {
    near.within(surface.mesh.points[v], 1e-6 * size, found);
    for (const int other : found)
      if (surface.vertices[other].patch != surface.vertices[v].patch)
        gap = std::max(gap, (place(v) - place(other)).norm());
  }
  return gap;
}

/// A beam drawn to twice its length, its ends held.
PaperRow seams(bool) {
  PaperRow row{.expected = "at most 0.2 %", .met = true};
  for (const char* name : {"beam", "beam_cmp1.iges", "scaling/b3.igs"}) {
    const std::optional<Solid> solid = cad_solid(name, elastic_material(1e5, poisson));
    if (!solid) continue;
    Body body = nurbs::Settings().create(*solid);
    const StaticReport report = [&] {
      hold(
          body, [](const Vec3& p) { return std::abs(p.x()) > 0.5 - 1e-6; },
          [](const Vec3& p) { return Vec3(2 * p.x(), p.y(), p.z()); });
      return body.method->solve_static(body.nodes);
    }();
    const double gap = largest_gap(body) / 2;
    row.met = row.met && gap <= 2e-3 && report.converged;
    row.ours += fmt::format("{}{:.3f} %", row.ours.empty() ? "" : " ", 100 * gap);
  }
  row.remark = "opening of seams, of the length; beams drawn to twice their length";
  return row;
}

/// Beams of 6 to 30 faces under their weight (galerkin.md A10), against 20 x 4 x 4 quadratic
/// bricks.
PaperRow cantilever(bool quick) {
  constexpr double reference = -3.8685;  // [m] the lowest point of the static minimum
  PaperRow row{.expected = fmt::format("{:.3f} within 5 %", reference), .met = true};
  int models = 0;
  double worst = 0;
  for (int k = 1; k <= (quick ? 3 : 7); ++k) {
    const std::optional<Solid> solid =
        cad_solid(fmt::format("scaling/b{}.igs", k), elastic_material(1e6, 0.45), 5);
    if (!solid) continue;
    ++models;
    Body body = nurbs::Settings().create(*solid);
    hold(
        body, [](const Vec3& p) { return p.x() < -2.5 + 1e-6; }, [](const Vec3& p) { return p; });
    for (int n = 0; n < body.nodes.size(); ++n)
      body.nodes.force[n] = body.nodes.mass[n] * Vec3(0, 0, -10);
    const StaticReport report = body.method->solve_static(body.nodes);
    double lowest = 0, bottom = 0;
    for (int v = 0; v < int(body.drawn_skin().rest.size()); ++v) {
      bottom = std::min(bottom, body.drawn_skin().rest[v].z());
      double height = 0;
      body.drawn_skin().weights.for_each(
          v, [&](int n, double w) { height += w * body.nodes.position[n].z(); });
      lowest = std::min(lowest, height);
    }
    const double z = lowest - bottom;
    worst = std::max(worst, std::abs(z / reference - 1));
    row.met = row.met && report.converged;
    row.ours += fmt::format("{}{:.2f}", row.ours.empty() ? "" : " ", z);
  }
  row.met = row.met && models > 0 && worst < 0.05;
  row.remark = fmt::format("lowest point [m] of b1, b2, ... held at one end; worst error {:.1f} %",
                           100 * worst);
  return row;
}

constexpr Experiment list[] = {
    {"S-affine", "affine and rigid motions are exact", affine},
    {"S-modes", "only rigid motions cost nothing", modes},
    {"S-seams", "faces stay together", seams},
    {"S-cantilever", "a beam under its weight, whatever number of faces it has", cantilever},
    {"S-beams", "beams of 4 to 42 faces as stiff as finite elements", beams},
    {"S-solids", "curved and trimmed models as stiff as finite elements", solids},
    {"S-thin", "thin walls as stiff as finite elements", thin_walls},
    {"S-drops", "models fall, stiff and as soft as dough", cad_drops},
};

}  // namespace

std::span<const Experiment> nurbs_experiments() { return list; }

}  // namespace pliant
