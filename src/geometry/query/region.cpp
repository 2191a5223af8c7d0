#include "geometry/query/region.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"

namespace pliant {

namespace {

struct SideName {
  const char* name;
  int axis, sign;
};
constexpr SideName sides[] = {{"top", 1, 1},   {"bottom", 1, -1}, {"right", 0, 1},
                              {"left", 0, -1}, {"front", 2, 1},   {"back", 2, -1}};

const SideName* find_side(const std::string& name) {
  for (const SideName& side : sides)
    if (name == side.name) return &side;
  return nullptr;
}

/// In the units of the cylinder.
double distance_to(const Region::InCylinder& cylinder, const Vec3& p) {
  const Vec3 axis = cylinder.to - cylinder.from;
  const double length = axis.norm();
  const double along = length > 0 ? (p - cylinder.from).dot(axis) / length : 0;
  const Vec3 foot = cylinder.from + (length > 0 ? Vec3(axis * (along / length)) : Vec3::Zero());
  const double beside = std::max(0.0, (p - foot).norm() - cylinder.radius);
  const double beyond = std::max({0.0, -along, along - length});
  return std::hypot(beside, beyond);
}

double distance_to(const Region::HalfSpace& half, const Vec3& p) {
  return std::max(0.0, -(p - half.point).dot(half.normal.normalized()));
}

}  // namespace

const std::vector<std::string>& region_sides() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SideName& side : sides) list.push_back(side.name);
    return list;
  }();
  return names;
}

void Region::settle(const Box& body, const Frame& file) {
  frame_ = in == 1 ? file : Frame();
  beyond_.reset();
  if (!side) return;
  const SideName* const found = find_side(*side);
  ASSERT(found, "a known side: its description was checked");
  const Vec3 outwards = found->sign * Vec3::Unit(found->axis);
  const double reach = depth.value_or(default_depth) * body.extent()[found->axis];
  const Vec3 corner = found->sign > 0 ? body.high : body.low;
  beyond_ = HalfSpace{corner - reach * outwards, outwards};
}

bool Region::contains(const Vec3& place) const {
  if (side) {
    ASSERT(beyond_, "settle() comes first");
    return (place - beyond_->point).dot(beyond_->normal) >= 0;
  }
  const Vec3 p = in == 0 ? place : frame_.from_world(place);
  if (box) return Box{box->low, box->high}.contains(p);
  if (sphere) return (p - sphere->centre).squaredNorm() <= sphere->radius * sphere->radius;
  if (half_space) return (p - half_space->point).dot(half_space->normal) >= 0;
  if (cylinder) return distance_to(*cylinder, p) <= 0;
  return is_everything();
}

double Region::distance(const Vec3& place) const {
  if (side) return beyond_ ? distance_to(*beyond_, place) : 0;
  const Vec3 p = in == 0 ? place : frame_.from_world(place);
  double own = 0;  // in the unit of the frame
  if (box) own = (p - p.cwiseMax(box->low).cwiseMin(box->high)).norm();
  if (sphere) own = std::max(0.0, (p - sphere->centre).norm() - sphere->radius);
  if (half_space) own = distance_to(*half_space, p);
  if (cylinder) own = distance_to(*cylinder, p);
  return own * frame_.length;
}

void describe(Fields& fields, Region::InBox& box) {
  fields.vector("low", box.low, {.unit = "m", .help = "lowest corner, in the world"});
  fields.vector("high", box.high, {.unit = "m", .help = "highest corner"});
  fields.check((box.low.array() <= box.high.array()).all(), "high",
               "must not be lower than \"low\" in any direction");
}

void describe(Fields& fields, Region::InSphere& sphere) {
  fields.vector("centre", sphere.centre, {.unit = "m", .help = "in the world"});
  fields.number("radius", sphere.radius, {.unit = "m", .above = 0});
}

void describe(Fields& fields, Region::HalfSpace& half) {
  fields.vector("point", half.point, {.unit = "m", .help = "any point of the plane"});
  fields.vector("normal", half.normal, {.help = "points to the chosen side; any length but zero"});
  fields.check(half.normal.squaredNorm() > 0, "normal", "must point somewhere");
}

void describe(Fields& fields, Region::InCylinder& cylinder) {
  fields.vector("from", cylinder.from, {.unit = "m", .help = "the middle of one end"});
  fields.vector("to", cylinder.to, {.unit = "m", .help = "the middle of the other"});
  fields.number("radius", cylinder.radius,
                {.unit = "m", .above = 0, .help = "a little more than that of a hole"});
  fields.check((cylinder.to - cylinder.from).squaredNorm() > 0, "to", "is where \"from\" is");
}

void describe(Fields& fields, Region::Face& face) {
  Range near = {.unit = "m", .help = "any place on it or close to it"};
  near.required = true;
  fields.vector("near", face.near, near);
  fields.number("crease", face.crease,
                {.unit = "degrees",
                 .at_least = 0,
                 .at_most = 180,
                 .help = "it ends where the surface turns by more than this"});
}

void describe(Fields& fields, Region::Facing& facing) {
  fields.vector("direction", facing.direction, {.help = "away from the body; any length but zero"});
  fields.number("within", facing.within,
                {.unit = "degrees", .at_least = 0, .at_most = 180, .help = "of that direction"});
  fields.check(facing.direction.squaredNorm() > 0, "direction", "must point somewhere");
}

void describe(Fields& fields, Region::Nearest& nearest) {
  fields.vector("point", nearest.point, {.unit = "m", .help = "in the world"});
  fields.integer("count", nearest.count, {.at_least = 1, .help = "how many points"});
}

void describe(Fields& fields, Region& region) {
  fields.shorthand("side");
  fields.text("side", region.side,
              {.help = "top, bottom (y), right, left (x), front or back (z): what of the body lies "
                       "at that side of its box"});
  fields.check(!region.side || find_side(*region.side), "side",
               "is \"" + region.side.value_or("") +
                   "\", which is no side; there are top, bottom, left, right, front and back");
  fields.number("depth", region.depth,
                {.above = 0,
                 .at_most = 1,
                 .help = "of a side: how far it reaches into the box, as a share of its extent",
                 .computed = "a fiftieth"});
  fields.check(!region.depth || region.side, "depth", "is given without a side");
  fields.object("box", region.box, {.help = "what lies in an upright box"});
  fields.object("sphere", region.sphere, {.help = "what lies in a sphere"});
  fields.object("half_space", region.half_space, {.help = "what lies on one side of a plane"});
  fields.object("cylinder", region.cylinder, {.help = "what lies in a cylinder, as a bolt's hole"});
  fields.object("nearest", region.nearest, {.help = "the points closest to a place"});
  fields.object("face", region.face,
                {.help = "of the surface: the flat or smooth face at a place, up to its creases"});
  fields.object("normal", region.normal,
                {.help = "of the surface: what faces one direction, all of it"});
  fields.text("group", region.group,
              {.help = "the points of a named group of the model file; CAD models have \"face_1\", "
                       "\"face_2\", ... and the names of their faces"});
  constexpr const char* members[] = {"side",    "box",  "sphere", "half_space", "cylinder",
                                     "nearest", "face", "normal", "group"};
  fields.at_most_one(members);
  fields.choice("in", region.in, region_frames,
                {.help = "whose coordinates and lengths are given: the world's in metres, or those "
                         "of the model file in its unit, before it is scaled, turned and placed"});
  const bool by_name = region.side || region.group;
  fields.check(region.in == 0 || !by_name, "in", "is given for a part that has no coordinates");
}

namespace {

std::vector<int> nearest_points(const Region::Nearest& nearest, const std::vector<Vec3>& points) {
  std::vector<int> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> distance2(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    distance2[i] = (points[i] - nearest.point).squaredNorm();
  const int count = std::clamp(nearest.count, 0, int(points.size()));
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](int a, int b) {
    return distance2[a] != distance2[b] ? distance2[a] < distance2[b] : a < b;
  });
  order.resize(count);
  std::sort(order.begin(), order.end());
  return order;
}

/// Points that these triangles have.
std::vector<int> corners_of(const std::vector<int>& chosen_triangles,
                            const std::vector<Triangle>& triangles, int points) {
  std::vector<char> chosen(points, 0);
  for (const int t : chosen_triangles)
    for (const int p : triangles[t]) chosen[p] = 1;
  std::vector<int> indices;
  for (int p = 0; p < points; ++p)
    if (chosen[p]) indices.push_back(p);
  return indices;
}

}  // namespace

std::vector<int> select(const Region& region, const std::vector<Vec3>& points,
                        const std::vector<Triangle>& triangles,
                        const std::vector<TriangleMesh::Group>& groups) {
  if (region.nearest)
    return nearest_points({region.frame().to_world(region.nearest->point), region.nearest->count},
                          points);
  if (region.is_of_surface())
    return corners_of(triangles_of(region, points, triangles, groups), triangles,
                      int(points.size()));
  std::vector<int> indices;
  for (int p = 0; p < int(points.size()); ++p)
    if (region.contains(points[p])) indices.push_back(p);
  return indices;
}

}  // namespace pliant
