#include "geometry/nurbs/sweep.h"

#include <iterator>
#include <numbers>

#include "core/assert.h"

namespace pliant {
namespace {

const KnotVector line{1, {0, 0, 1, 1}};
const KnotVector arc{2, {0, 0, 0, 1, 1, 1}};
// The weight of the middle pole of a quarter circle.
const double half_root = std::numbers::sqrt2 / 2;

}  // namespace

Profile straight(const std::string& name, const Vec2& from, const Vec2& to) {
  return {name, line, {from, to}, {1, 1}};
}

Profile quarter(const std::string& name, const Vec2& from, const Vec2& corner, const Vec2& to) {
  return {name, arc, {from, corner, to}, {1, half_root, 1}};
}

std::vector<NurbsPatch> revolved(const std::vector<Profile>& profile, int quarters) {
  std::vector<NurbsPatch> patches;
  const Vec3 direction[] = {Vec3::UnitX(), -Vec3::UnitZ(), -Vec3::UnitX(), Vec3::UnitZ()};
  for (const Profile& piece : profile) {
    for (int q = 0; q < quarters; ++q) {
      const Vec3 from = direction[q], to = direction[(q + 1) % 4];
      NurbsPatch patch;
      patch.name = piece.name;
      patch.u = piece.knots;
      patch.v = arc;
      for (std::size_t i = 0; i < piece.pole.size(); ++i) {
        const double r = piece.pole[i][0];
        const Vec3 up = piece.pole[i][1] * Vec3::UnitY();
        patch.pole.insert(patch.pole.end(), {r * from + up, r * (from + to) + up, r * to + up});
        const double w = piece.weight[i];
        patch.weight.insert(patch.weight.end(), {w, w * half_root, w});
      }
      cover_rectangle(patch, true);  // u upwards, v to the left seen from outside
      patches.push_back(std::move(patch));
    }
  }
  return patches;
}

NurbsPatch disc(const std::string& name, double radius, double height, bool is_up) {
  NurbsPatch patch;
  patch.name = name;
  patch.u = patch.v = arc;
  for (const int a : {1, 0, -1})
    for (const int b : {1, 0, -1}) {  // corners on the axes; between them where tangents meet
      const double r = a == 0 || b == 0 ? radius : 0.5 * radius;
      patch.pole.emplace_back(r * (a + b), height, r * (a - b));
    }
  patch.weight = {1, half_root, 1, half_root, 1, half_root, 1, half_root, 1};
  cover_rectangle(patch, !is_up);
  return patch;
}

NurbsPatch quad(const std::string& name, const Vec3& a, const Vec3& b, const Vec3& c,
                const Vec3& d) {
  NurbsPatch patch;
  patch.name = name;
  patch.u = line;
  patch.v = line;
  patch.pole = {a, d, b, c};
  patch.weight.assign(4, 1);
  cover_rectangle(patch);
  return patch;
}

std::vector<NurbsPatch> block(const std::string& name, const std::array<Vec2, 4>& corner,
                              double from, double to) {
  const auto at = [&](int k, double z) {
    const Vec2& c = corner[std::size_t(k % 4)];
    return Vec3(c.x(), c.y(), z);
  };
  std::vector<NurbsPatch> patches;
  for (int k = 0; k < 4; ++k)
    patches.push_back(quad(name, at(k, from), at(k + 1, from), at(k + 1, to), at(k, to)));
  patches.push_back(quad(name, at(0, to), at(1, to), at(2, to), at(3, to)));
  patches.push_back(quad(name, at(3, from), at(2, from), at(1, from), at(0, from)));
  return patches;
}

std::vector<NurbsPatch> block(const std::string& name, const Vec3& low, const Vec3& high) {
  return block(name,
               {Vec2(low.x(), low.y()), Vec2(high.x(), low.y()), Vec2(high.x(), high.y()),
                Vec2(low.x(), high.y())},
               low.z(), high.z());
}

std::vector<NurbsPatch> placed(std::vector<NurbsPatch> patches, const Mat3& linear,
                               const Vec3& shift) {
  ASSERT(linear.determinant() > 0, "a mirrored solid faces inwards");
  for (NurbsPatch& patch : patches)
    for (Vec3& pole : patch.pole) pole = linear * pole + shift;
  return patches;
}

void append(std::vector<NurbsPatch>& patches, std::vector<NurbsPatch> more) {
  patches.insert(patches.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

}  // namespace pliant
