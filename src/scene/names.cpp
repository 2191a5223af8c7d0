#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <numbers>
#include <set>

#include "core/file_name.h"
#include "geometry/nurbs/models.h"
#include "scene/description.h"

namespace pliant {
namespace {

/// Letters of any language: bytes above 127 belong to them.
bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_good_letter(char c) {
  return is_letter_or_digit(c) || c == ' ' || c == '_' || c == '-' || c == '.';
}

struct Names {
  std::set<std::string> used;
  std::map<std::string, int> number;  // the next one to try, per wish

  /// The wish, or the wish with the first number that makes it new.
  std::string unused(const std::string& wish) {
    std::string name = wish;
    int& next = number.try_emplace(wish, 2).first->second;
    while (!used.insert(name).second) name = fmt::format("{}_{}", wish, next++);
    return name;
  }
};

std::string good_name_from(const std::string& text, const std::string& otherwise) {
  std::string name = file_name_of(text.substr(0, 48));
  return is_good_name(name) ? name : otherwise;
}

template <class Named, class Wish>
void name_all(std::vector<Named>& named, Names& names, const Wish& wish) {
  for (Named& one : named)
    if (!one.name) one.name = names.unused(wish(one));
}

template <class Named>
void add_names(const std::vector<Named>& named, Names& names) {
  for (const Named& one : named)
    if (one.name) names.used.insert(*one.name);
}

}  // namespace

bool is_good_name(const std::string& name) {
  if (name.empty() || name.size() > 64) return false;
  if (!is_letter_or_digit(name.front())) return false;
  for (const char c : name)
    if (!is_good_letter(c)) return false;
  return !has_misleading_characters(name);
}

const char* shape_name(const ShapeDescription& shape) {
  if (shape.box) return "box";
  if (shape.sphere) return "sphere";
  if (shape.cylinder) return "cylinder";
  if (shape.capsule) return "capsule";
  if (shape.torus) return "torus";
  if (shape.fish) return "fish";
  if (shape.model) return made_models()[std::size_t(shape.model->name)].name;
  return "file";
}

const char* shape_name(const ColliderDescription& collider) {
  if (collider.plane) return "plane";
  if (collider.sphere) return "sphere";
  if (collider.box) return "box";
  if (collider.capsule) return "capsule";
  if (collider.heightfield) return "heightfield";
  return "mesh";
}

void complete_names(SceneDescription& scene) {
  Names bodies, colliders, probes;
  add_names(scene.bodies, bodies);
  name_all(scene.bodies, bodies, [](const BodyDescription& body) {
    if (!body.file) return std::string(shape_name(body));
    return good_name_from(std::filesystem::path(*body.file).stem().string(), "body");
  });
  for (const BodyDescription& body : scene.bodies) add_names(body.probes, probes);
  for (BodyDescription& body : scene.bodies)
    name_all(body.probes, probes, [](const ProbeDescription&) { return std::string("probe"); });
  if (!scene.colliders) return;
  add_names(*scene.colliders, colliders);
  name_all(*scene.colliders, colliders,
           [](const ColliderDescription& c) { return std::string(shape_name(c)); });
}

Vec3 upright(const Vec3& point, int up) {
  const double x = point.x(), y = point.y(), z = point.z();
  if (up == 1) return {x, z, -y};
  return up == 2 ? Vec3(-y, x, z) : point;
}

Quat rotation(const Vec3& degrees) {
  const Vec3 angle = degrees * (std::numbers::pi / 180);
  return Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY()) *
         Eigen::AngleAxisd(angle.x(), Vec3::UnitX());
}

}  // namespace pliant
