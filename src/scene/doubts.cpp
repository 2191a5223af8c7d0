#include "scene/doubts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "formats/formats.h"
#include "scene/json.h"

namespace pliant {
namespace {

constexpr double softest = 500;  // [Pa] a quarter of the softest preset's
constexpr double lightest = 25;  // [kg/m^3] a little below cushion foam

/// "pins/0" or "handles/1": in the order in which they are attached.
std::string name_of_handle(const BodyDescription& description, std::size_t index) {
  const std::size_t pins = description.pins.size();
  return index < pins ? fmt::format("pins/{}", index) : fmt::format("handles/{}", index - pins);
}

/// How many of two rising lists are in both.
int in_both(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return int(both.size());
}

}  // namespace

void doubt_material(const std::string& body, const Material& asked, BuildLog& log) {
  const auto doubt = [&](const char* what, double value, const char* unit, const char* other,
                         double factor) {
    log.warnings.push_back(
        fmt::format("{}: {} {} {} is less than anything solid has; if {} is meant, write {:g}",
                    body, what, shown(value), unit, other, factor * value));
  };
  if (asked.young && *asked.young < softest) doubt("E =", *asked.young, "Pa", "GPa", 1e9);
  if (asked.density && *asked.density < lightest)
    doubt("density", *asked.density, "kg/m^3", "g/cm^3", 1000);
}

void doubt_standing(const BodyDescription& body, const Box& box, BuildLog& log) {
  const std::string extension = std::filesystem::path(*body.file).extension().string();
  const bool has_own_up = extension == ".glb" || extension == ".gltf";  // y, by the standard
  if (body.up != 0 || has_own_up || !body.rotate.isZero(0)) return;
  const Vec3 extent = box.extent();
  const bool stands_on_z = std::abs(box.low.z()) <= 1e-3 * extent.z();
  const auto is_around_zero = [&](int axis) {
    return std::abs(box.centre()[axis]) <= 0.1 * extent[axis];
  };
  if (!(extent.minCoeff() > 0) || !stands_on_z || !is_around_zero(0) || !is_around_zero(1)) return;
  log.warnings.push_back(
      fmt::format("{} stands on z = 0 in its file, as if z were up; here y is, so it lies on its "
                  "side: {} turns it",
                  *body.name, log.source.is_model ? "--up z" : "\"up\": \"z\""));
}

void doubt_handles(const BodyDescription& description, const Body& body, BuildLog& log) {
  for (std::size_t i = 0; i < description.handles.size(); ++i)
    if (const MotionDescription& motion = description.handles[i].motion;
        motion.keyframes.empty() && !motion.spin)
      log.warnings.push_back(fmt::format(
          "{}: handles/{} has neither keyframes nor spin, so it holds still; \"pins\" say that",
          body.name, i));
  for (std::size_t b = 0; b < body.handles.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const int nodes = in_both(body.handles[a].nodes, body.handles[b].nodes);
      const int vertices = in_both(body.handles[a].vertices, body.handles[b].vertices);
      if (nodes + vertices > 0)
        log.warnings.push_back(fmt::format(
            "{}: {} and {} hold the same {} {}, which follow the later one; regions that do not "
            "overlap say what is meant",
            body.name, name_of_handle(description, a), name_of_handle(description, b),
            nodes + vertices, nodes > 0 ? "nodes" : "vertices"));
    }
}

void doubt_parts(const Solid& solid, const Body& body, BuildLog& log) {
  for (std::size_t p = 0; p < solid.parts.size(); ++p) {
    const Solid::Part& part = solid.parts[p];
    double nearest = std::numeric_limits<double>::infinity();
    bool is_used = part.near != nullptr;  // of the surface: then it has a neighbourhood
    const auto look = [&](const Vec3& point) {
      is_used = is_used || part.contains(point);
      nearest = std::min(nearest, part.region.distance(point));
    };
    for (const Vec3& point : body.nodes.position) look(point);
    for (const Vec3& point : body.skin.rest) look(point);
    if (!is_used)
      log.warnings.push_back(
          fmt::format("{}: regions/{} holds no node and no vertex of the body, so its material is "
                      "hardly used; the nearest is {:.3g} m away",
                      body.name, p, nearest));
  }
}

}  // namespace pliant
