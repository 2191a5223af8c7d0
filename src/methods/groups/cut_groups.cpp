#include "methods/groups/cut_groups.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "body/make_skin.h"
#include "body/solid_materials.h"
#include "core/formatted.h"
#include "geometry/mesh/clean.h"
#include "geometry/mesh/refine.h"
#include "geometry/mesh/topology.h"
#include "math/principal_axes.h"
#include "methods/groups/budget.h"
#include "methods/groups/skin_patches.h"
#include "methods/shared/element_reports.h"

namespace pliant::groups {
namespace {

constexpr double least_part = 0.2;  // of an equal part of a cell's mass

// Parts of one that sum to one, whose mean is `centre` if possible: equal parts plus a slope.
std::vector<double> balanced_parts(const std::vector<Vec3>& points, std::span<const int> members,
                                   const Vec3& centre) {
  const double n = double(members.size());
  Vec3 mean = Vec3::Zero();
  for (const int p : members) mean += points[p] / n;
  Mat3 spread = Mat3::Zero();
  for (const int p : members) spread += (points[p] - mean) * (points[p] - mean).transpose();
  const Vec3 slope = shortest_solution(spread, centre - mean);
  double steepest = 0;  // most that is taken from anyone
  for (const int p : members) steepest = std::max(steepest, -slope.dot(points[p] - mean));
  const double most = (1 - least_part) / n;
  const double damped = steepest > most ? most / steepest : 1;
  std::vector<double> parts;
  for (const int p : members) parts.push_back(1 / n + damped * slope.dot(points[p] - mean));
  return parts;
}

// A surface that can be cut, and which of its points the given surface's are.
struct Cuttable {
  CutResult cut;
  std::vector<int> point;
};

// As it is; if that is not closed, with points welded that lie on one another (seams of textures).
Cuttable cut_surface(const TriangleMesh& surface, std::optional<double> cell, int count) {
  const auto cut = [&](TriangleMesh mesh) {
    face_outwards(mesh);
    return cell ? cut_into_cells(mesh, *cell) : cut_into_about(mesh, count);
  };
  Cuttable whole;
  whole.cut = cut(surface);
  whole.point.resize(surface.points.size());
  std::iota(whole.point.begin(), whole.point.end(), 0);
  if (whole.cut.fine()) return whole;
  Cleaned welded = clean(surface);
  if (!welded.changed()) return whole;
  return {cut(std::move(welded.mesh)), std::move(welded.kept)};
}

std::string count_of_parts(const CutCells& cells, const Groups& groups) {
  std::size_t least = groups.member.size(), most = 0;
  for (int g = 0; g < groups.size(); ++g) {
    least = std::min(least, groups.members(g).size());
    most = std::max(most, groups.members(g).size());
  }
  return std::to_string(groups.size()) + " cut cells of " + formatted("%.3g m", cells.grid.cell) +
         " with " + std::to_string(least) + " to " + std::to_string(most) + " of " +
         std::to_string(groups.particles()) + " particles (" +
         std::to_string(cells.surface_points) + " of the surface); " +
         std::to_string(cells.merged) + " slivers joined a neighbour";
}

}  // namespace

Groups cut_groups(const CutCells& cells, const Solid& solid, std::vector<int>& particle) {
  Groups groups;
  particle.assign(cells.points.size(), -1);
  for (const int point : cells.particles.item) particle[point] = 0;
  for (std::size_t point = 0; point < particle.size(); ++point) {
    if (particle[point] < 0) continue;
    particle[point] = groups.particles();
    groups.rest.push_back(cells.points[point]);
  }
  const std::vector<Material> materials = materials_of(solid);
  groups.mass.assign(groups.rest.size(), 0);
  std::vector<int> members;
  for (int c = 0; c < int(cells.cells.size()); ++c) {
    const CutCells::Cell& cell = cells.cells[c];
    members.clear();
    for (const int point : cells.particles[c]) members.push_back(particle[point]);
    const int made_of = material_index(solid, cell.centre);
    groups.add(members, cell.volume, made_of);
    const std::vector<double> parts = balanced_parts(groups.rest, members, cell.centre);
    for (std::size_t i = 0; i < members.size(); ++i)
      groups.mass[members[i]] += *materials[made_of].density * cell.volume * parts[i];
  }
  // What cells pull each other by are the particles they share. Among many vertices of its own each
  // of those would count little, and the cells would hang on their filters: the tail of a fish of
  // 840 cells sags by 13.9 cm with equal weights, by 9.5 with these; fine meshes say 8.2. Squares
  // would give 9.0, but hardly hold a vertex that is not shared against what touches it.
  std::vector<int> uses(groups.rest.size(), 0);
  for (const int p : groups.member) ++uses[p];
  for (const int p : groups.member) groups.weight.push_back(uses[p]);
  return groups;
}

Body cut_body(const Solid& solid, const Settings& settings, std::string& reason) {
  const std::vector<Material> materials = materials_of(solid);
  const int count =
      settings.cells ? *settings.cells : cells_within(settings.budget, solid.surface, materials);
  Cuttable cuttable = cut_surface(solid.surface, settings.cell_size, count);
  TriangleMesh surface = solid.surface;
  if (cuttable.cut.fine()) {
    // Cells hold together by the vertices of triangles that lie in both: those should be near.
    const double cell = cuttable.cut.cells.grid.cell;
    surface = refine_long_edges(solid.surface, 0.5 * cell);
    if (surface.points.size() > solid.surface.points.size())
      cuttable = cut_surface(surface, cell, count);
  }
  if (!cuttable.cut.fine()) {
    reason = cuttable.cut.reason;
    return {};
  }
  const CutCells& cells = cuttable.cut.cells;
  std::vector<int> particle;
  Groups groups = cut_groups(cells, solid, particle);
  Weights weights;
  std::vector<int> nodes;
  for (const int point : cuttable.point) {
    // A point of no triangle hangs anywhere.
    const int node = point < 0 ? 0 : std::max(0, particle[point]);
    const double one = 1;
    weights.add_row({&node, 1}, {&one, 1});
    nodes.push_back(node);
  }
  std::string parts = count_of_parts(cells, groups);
  // Masses for weights are the papers' way, and theirs has no stiffness to add to.
  if (settings.filter == Filter::compliant && !settings.weighs_by_mass()) {
    std::vector<Triangle> triangles;
    for (const Triangle& t : surface.triangles)
      if (std::all_of(t.begin(), t.end(), [&](int point) { return cuttable.point[point] >= 0; }))
        triangles.push_back({nodes[t[0]], nodes[t[1]], nodes[t[2]]});
    add_skin_patches(triangles, materials, groups);
  }
  // Particles at vertices are nearer to each other than cells: with edges for whole cells a cut
  // ball digs 4 mm into a cut block of 60 cm.
  Body body = make_body(groups, materials, embedded_skin(surface, weights), settings,
                        {0.75 * cells.grid.cell, solid.contact_detail});
  body.name = solid.name;
  body.notes.push_back(std::move(parts));
  return body;
}

}  // namespace pliant::groups
