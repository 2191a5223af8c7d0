#include "studies/group_blocks.h"

#include <map>
#include <set>

#include "body/make_skin.h"
#include "core/random.h"
#include "geometry/sample/tet_block.h"
#include "methods/groups/hex_groups.h"

namespace pliant {
namespace {

/// Only particles inside are moved: faces stay flat and can be held.
void jitter(TetMesh& mesh, const GroupBlock& setup) {
  const Vec3 cell = setup.size.cwiseQuotient(setup.cells.cast<double>());
  std::uint64_t drawn = 0;
  for (Vec3& p : mesh.points) {
    Vec3 away;
    for (int axis = 0; axis < 3; ++axis) away[axis] = 2 * random_unit(5, drawn++) - 1;
    const bool inside = (p.array() > 0.5 * cell.array()).all() &&
                        (p.array() < (setup.size - 0.5 * cell).array()).all();
    if (inside) p += setup.jitter * cell.cwiseProduct(away);
  }
}

/// Eight cells each as one group.
groups::Groups joined_cells(const groups::Groups& cells) {
  groups::Groups joined;
  joined.rest = cells.rest;
  joined.mass = cells.mass;
  std::map<std::array<int, 3>, std::vector<int>> blocks;
  for (int g = 0; g < cells.size(); ++g)
    blocks[{cells.cell[g].z() / 2, cells.cell[g].y() / 2, cells.cell[g].x() / 2}].push_back(g);
  for (const auto& [at, parts] : blocks) {
    std::set<int> members;
    double volume = 0;
    for (const int g : parts) {
      members.insert(cells.members(g).begin(), cells.members(g).end());
      volume += cells.volume[g];
    }
    joined.add(std::vector<int>(members.begin(), members.end()), volume, 0);
    joined.cell.push_back({at[2], at[1], at[0]});
  }
  return joined;
}

}  // namespace

World group_world(const GroupBlock& setup) {
  TetMesh mesh = tet_block(setup.cells, setup.size);
  if (setup.jitter > 0) jitter(mesh, setup);
  Solid solid;
  solid.material = elastic_material(setup.young, setup.poisson, 1000, setup.damping);
  std::vector<Eigen::Vector3i> cells;
  for (int c = 0; c < setup.cells.prod(); ++c)
    cells.push_back({c % setup.cells.x(), c / setup.cells.x() % setup.cells.y(),
                     c / setup.cells.x() / setup.cells.y()});
  const std::vector<Material> materials = {solid.material};
  World world;
  world.gravity = Vec3::Zero();
  world.substeps = setup.substeps;
  world.contact.settings.touch = Touches::bodies;  // what is studied is elasticity alone
  groups::Groups made = groups::hex_groups(mesh, {}, cells, solid);
  if (setup.blocks) made = joined_cells(made);
  world.bodies.push_back(groups::make_body(made, materials, boundary_skin(mesh), setup.settings));
  world.bodies.back().name = "block";
  return world;
}

groups::GroupsMethod& groups_of(World& world) {
  return static_cast<groups::GroupsMethod&>(*world.bodies[0].method);
}

}  // namespace pliant
