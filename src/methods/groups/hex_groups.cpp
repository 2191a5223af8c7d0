#include "methods/groups/hex_groups.h"

#include <algorithm>

#include "body/solid_materials.h"
#include "core/assert.h"

namespace pliant::groups {

Groups hex_groups(const TetMesh& mesh, const std::vector<double>& fill,
                  const std::vector<Eigen::Vector3i>& cell, const Solid& solid) {
  ASSERT(mesh.tets.size() % 5 == 0, "cells of five tets");
  Groups groups;
  groups.rest = mesh.points;
  groups.cell = cell;
  for (int first = 0; first < int(mesh.tets.size()); first += 5) {
    std::vector<int> corners;
    double inside = 0;
    Vec3 middle = Vec3::Zero();
    for (int t = first; t < first + 5; ++t) {
      inside += volume(mesh, t) * (fill.empty() ? 1 : fill[t]);
      for (const int p : mesh.tets[t]) {
        if (std::find(corners.begin(), corners.end(), p) != corners.end()) continue;
        corners.push_back(p);
        middle += mesh.points[p] / 8;
      }
    }
    ASSERT(corners.size() == 8, "five tets of a cell have its eight corners");
    std::sort(corners.begin(), corners.end());
    groups.add(corners, inside, material_index(solid, middle));
  }
  share_masses(groups, materials_of(solid));
  return groups;
}

Groups tet_groups(const TetMesh& mesh, const Solid& solid) {
  Groups groups;
  groups.rest = mesh.points;
  for (int t = 0; t < int(mesh.tets.size()); ++t) {
    Vec3 middle = Vec3::Zero();
    for (const int p : mesh.tets[t]) middle += mesh.points[p] / 4;
    groups.add(mesh.tets[t], volume(mesh, t), material_index(solid, middle));
  }
  share_masses(groups, materials_of(solid));
  return groups;
}

}  // namespace pliant::groups
