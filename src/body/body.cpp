#include "body/body.h"

#include "body/built_place.h"
#include "body/contact_pressure.h"
#include "body/skin_stress.h"

namespace pliant {
namespace {

/// 0 to 2 for the beginning followed by x, y or z; else -1.
int axis_of(const std::string& name, std::string_view beginning) {
  if (name.size() != beginning.size() + 1 || !name.starts_with(beginning)) return -1;
  const int axis = name.back() - 'x';
  return axis >= 0 && axis < 3 ? axis : -1;
}

void archive_provenance(Archive& archive, Provenance& provenance) {
  std::vector<int> triangle;
  std::vector<double> second, third;
  for (const Origin& origin : provenance.origin) {
    triangle.push_back(origin.triangle);
    second.push_back(origin.second);
    third.push_back(origin.third);
  }
  archive.array("origin triangles", triangle);
  archive.array("origin second", second);
  archive.array("origin third", third);
  if (second.size() != triangle.size() || third.size() != triangle.size())
    throw ArchiveError("origins do not belong together");
  provenance.origin.resize(triangle.size());
  for (std::size_t v = 0; v < triangle.size(); ++v)
    provenance.origin[v] = {triangle[v], second[v], third[v]};
  archive.array("sources", provenance.source);
  archive.array("pieces of vertices", provenance.piece);
  archive.array("parts of vertices", provenance.apart);
}

}  // namespace

void Body::archive(Archive& archive) {
  nodes.archive(archive);
  archive.array("skin position", skin.position);  // pressure of the next substep follows it
  archive.value("skin revision", skin.revision);
  if (method->changes_body()) archive_numbers(archive);
  method->archive(archive);
  if (archive.is_loading() && drawn) drawn->skin.refresh(nodes.position);
}

void Body::refresh_skins() {
  skin.refresh(nodes.position);
  if (drawn) drawn->skin.refresh(nodes.position);
}

void Body::archive_numbers(Archive& archive) {
  archive.array("masses", nodes.mass);
  if (archive.is_loading()) nodes.fit_to_positions();
  archive.array("triangles", skin.triangles);
  archive.array("weight rows", skin.weights.start);
  archive.array("weight nodes", skin.weights.node);
  archive.array("weights", skin.weights.weight);
  if (archive.is_loading()) skin.weights.pack();
  archive.array("skin rest", skin.rest);
  archive.value("weights revision", skin.weights_revision);
  archive_provenance(archive, skin.provenance);
  for (TriangleMesh::Group& group : skin.groups) archive.array("group", group.triangles);
  for (Handle& handle : handles) {
    archive.array("handle nodes", handle.nodes);
    archive.array("handle rest", handle.rest);
  }
  for (Load& load : loads) {
    archive.array("load vertices", load.vertices);
    archive.array("load shares", load.share);
    archive.array("load triangles", load.triangles);
    archive.array("load nodes", load.nodes);
  }
  for (Mark& mark : marks) archive.value("mark", mark.vertex);
}

double kinetic_energy(const Nodes& nodes) {
  double sum = 0;
  for (int i = 0; i < nodes.size(); ++i)
    sum += 0.5 * nodes.mass[i] * nodes.velocity[i].squaredNorm();
  return sum;
}

double potential_energy(const Nodes& nodes, const Vec3& gravity) {
  double sum = 0;
  for (int i = 0; i < nodes.size(); ++i) sum -= nodes.mass[i] * gravity.dot(nodes.position[i]);
  return sum;
}

double total_mass(const Nodes& nodes) {
  double sum = 0;
  for (const double mass : nodes.mass) sum += mass;
  return sum;
}

Vec3 momentum(const Nodes& nodes) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < nodes.size(); ++i) sum += nodes.mass[i] * nodes.velocity[i];
  return sum;
}

Vec3 angular_momentum(const Nodes& nodes) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < nodes.size(); ++i)
    sum += nodes.mass[i] * nodes.position[i].cross(nodes.velocity[i]);
  return sum;
}

Vec3 centre_of_mass(const Nodes& nodes) {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < nodes.size(); ++i) sum += nodes.mass[i] * nodes.position[i];
  return sum / total_mass(nodes);
}

bool is_finite(const Nodes& nodes) {
  // A sum is finite only if every term is; infinities of both signs give NaN. Several sums, so that
  // one addition need not wait for the last.
  constexpr int width = 4;
  Vec3 sum[width] = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  int i = 0;
  for (; i + width <= nodes.size(); i += width)
    for (int k = 0; k < width; ++k) sum[k] += nodes.position[i + k];
  for (; i < nodes.size(); ++i) sum[0] += nodes.position[i];
  return (sum[0] + sum[1] + sum[2] + sum[3]).allFinite();
}

std::vector<std::string> field_names(const Body& body) {
  std::vector<std::string> names = {"displacement",    "height",          "speed",
                                    "velocity_x",      "velocity_y",      "velocity_z",
                                    "contact_force",   "contact_force_x", "contact_force_y",
                                    "contact_force_z", "contact_pressure"};
  for (std::string& name : body.method->fields()) names.push_back(std::move(name));
  return names;
}

bool field(const Body& body, const std::string& name, std::vector<double>& values) {
  const Skin& skin = body.drawn_skin();
  values.assign(skin.position.size(), 0);
  if (name == "displacement") {
    for (int v = 0; v < skin.size(); ++v)
      values[v] = (skin.position[v] - built_place(skin, v)).norm();
    return true;
  }
  if (name == "height") {
    for (int v = 0; v < skin.size(); ++v) values[v] = skin.position[v].y();
    return true;
  }
  if (name == "speed") {
    for (int v = 0; v < skin.size(); ++v)
      values[v] = skin.weights.gather(v, body.nodes.velocity).norm();
    return true;
  }
  if (const int axis = axis_of(name, "velocity_"); axis >= 0) {
    for (int v = 0; v < skin.size(); ++v)
      values[v] = skin.weights.gather(v, body.nodes.velocity)[axis];
    return true;
  }
  if (name == "contact_force") {
    const std::vector<Vec3> force = contact_forces(body);
    for (int v = 0; v < skin.size(); ++v) values[v] = force[v].norm();
    return true;
  }
  if (const int axis = axis_of(name, "contact_force_"); axis >= 0) {
    const std::vector<Vec3> force = contact_forces(body);
    for (int v = 0; v < skin.size(); ++v) values[v] = force[v][axis];
    return true;
  }
  if (name == "contact_pressure") {
    contact_pressure(body, values);
    return true;
  }
  if (SkinStress stress; name == "von_mises" && skin_stress(body, stress)) {
    for (int v = 0; v < skin.size(); ++v) values[v] = von_mises(stress.cauchy[v]);
    return true;
  }
  std::vector<double> at_nodes;
  if (!body.method->field(name, body.nodes, at_nodes)) return false;
  for (int v = 0; v < skin.size(); ++v)
    skin.weights.for_each(v,
                          [&](int node, double weight) { values[v] += weight * at_nodes[node]; });
  return true;
}

}  // namespace pliant
