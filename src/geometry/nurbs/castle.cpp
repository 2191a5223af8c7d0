#include "geometry/nurbs/primitives.h"
#include "geometry/nurbs/sweep.h"

namespace pliant {
namespace {

constexpr double corner = 0.38;   // [m] of the axes of the towers from the middle, along x and z
constexpr double ground = -0.25;  // top of the rock they stand on
constexpr double sunk = 0.03;     // how far walls reach into it

std::vector<NurbsPatch> tower() {
  const double r = 0.11, eaves = 0.14, from = ground - sunk, to = 0.12, tip = 0.32;
  std::vector<NurbsPatch> patches =
      revolved({straight("tower", {r, from}, {r, to}), straight("roof", {r, to}, {eaves, to}),
                quarter("roof", {eaves, to}, {0.05, 0.18}, {0, tip})});
  patches.push_back(disc("tower", r, from, false));
  return patches;
}

/// From tower to tower along x, ending within them. The gate's are two, with a bridge over them.
std::vector<NurbsPatch> wall(bool gate) {
  const double end = corner - 0.05, half = 0.055, top = 0, from = ground - sunk;
  if (!gate) return block("wall", {-end, from, -half}, {end, top, half});
  const double way = 0.1, arch = -0.11;
  std::vector<NurbsPatch> patches = block("gate", {-end, from, -half}, {-way, top, half});
  append(patches, block("gate", {way, from, -half}, {end, top, half}));
  append(patches,
         block("gate", {-way - 0.03, arch, -half + 0.01}, {way + 0.03, top - 0.01, half - 0.01}));
  return patches;
}

std::vector<NurbsPatch> keep() {
  const double half = 0.14, top = 0.17, tooth = 0.08;
  std::vector<NurbsPatch> patches = block("keep", {-half, ground - sunk, -half}, {half, top, half});
  for (const double x : {-half, half - tooth})
    for (const double z : {-half, half - tooth})
      append(patches, block("keep", {x, top - sunk, z}, {x + tooth, top + tooth, z + tooth}));
  return patches;
}

Mat3 quarter_turns(int count) {
  Mat3 turn = Mat3::Identity(), quarter;
  quarter << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // x to -z, z to x
  for (int k = 0; k < count; ++k) turn = quarter * turn;
  return turn;
}

}  // namespace

std::vector<NurbsPatch> nurbs_castle() {
  std::vector<NurbsPatch> patches = block("rock", {-0.5, ground - 0.1, -0.5}, {0.5, ground, 0.5});
  append(patches, keep());
  for (int k = 0; k < 4; ++k) {
    const Mat3 turn = quarter_turns(k);
    append(patches, placed(tower(), turn, turn * Vec3(corner, 0, corner)));
    append(patches, placed(wall(k == 0), turn, turn * Vec3(0, 0, corner)));
  }
  return patches;
}

}  // namespace pliant
