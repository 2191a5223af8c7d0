#include "body/body.h"

namespace pliant {

void Body::archive(Archive& archive) {
  nodes.archive(archive);
  archive.array("skin position", skin.position);  // pressure of the next substep follows it
  archive.value("skin revision", skin.revision);
  method->archive(archive);
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
  std::vector<std::string> names = {"displacement", "height",     "speed",
                                    "velocity_x",   "velocity_y", "velocity_z"};
  for (std::string& name : body.method->fields()) names.push_back(std::move(name));
  return names;
}

bool field(const Body& body, const std::string& name, std::vector<double>& values) {
  const Skin& skin = body.skin;
  values.assign(skin.position.size(), 0);
  if (name == "displacement") {
    for (int v = 0; v < skin.size(); ++v) values[v] = (skin.position[v] - skin.rest[v]).norm();
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
  if (name.starts_with("velocity_") && name.size() == 10 && name[9] >= 'x' && name[9] <= 'z') {
    for (int v = 0; v < skin.size(); ++v)
      values[v] = skin.weights.gather(v, body.nodes.velocity)[name[9] - 'x'];
    return true;
  }
  std::vector<double> at_nodes;
  if (!body.method->field(name, body.nodes, at_nodes)) return false;
  for (int v = 0; v < skin.size(); ++v)
    for (int k = skin.weights.start[v]; k < skin.weights.start[v + 1]; ++k)
      values[v] += skin.weights.weight[k] * at_nodes[skin.weights.node[k]];
  return true;
}

}  // namespace pliant
