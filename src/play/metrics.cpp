#include "play/metrics.h"

#include <fmt/format.h>

namespace pliant {
namespace {

struct Sums {
  double kinetic = 0, elastic = 0, potential = 0;
  Vec3 momentum = Vec3::Zero();
  double volume = 0, rest_volume = 0;
  double min_J = std::numeric_limits<double>::infinity();
  int inverted = 0;
  Vec3 reaction = Vec3::Zero();
  double contact_pressure = 0;  // largest
  Measures::Parts parts;        // of bodies that change their nodes,
  double mass_of_parts = 0;     // whose mass must not change
};

/// What holds a body in equilibrium is what acts on it, turned round.
Vec3 balance(const Nodes& nodes) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& force : nodes.force) sum -= force;
  return sum;
}

Sums sum_over_bodies(const World& world) {
  Sums sums;
  std::vector<double> pressure;
  for (const Body& body : world.bodies) {
    field(body, "contact_pressure", pressure);
    for (const double here : pressure)
      sums.contact_pressure = std::max(sums.contact_pressure, here);
    const Measures measures = body.method->measure(body.nodes);
    sums.kinetic += kinetic_energy(body.nodes);
    sums.elastic += measures.elastic_energy;
    sums.potential += potential_energy(body.nodes, world.gravity);
    sums.momentum += momentum(body.nodes);
    sums.volume += measures.volume;
    sums.rest_volume += measures.rest_volume;
    sums.min_J = std::min(sums.min_J, measures.min_J);
    sums.inverted += measures.inverted;
    if (measures.parts && body.method->changes_body()) {
      sums.parts.pieces += measures.parts->pieces;
      sums.parts.particles += measures.parts->particles;
      sums.parts.clusters += measures.parts->clusters;
      sums.mass_of_parts += total_mass(body.nodes);
    }
    if (world.statics)
      sums.reaction += measures.reaction ? *measures.reaction : balance(body.nodes);
  }
  return sums;
}

std::string numbers(const Vec3& v) {
  return fmt::format(",{:.9g},{:.9g},{:.9g}", v.x(), v.y(), v.z());
}

double ratio(double now, double rest) { return rest != 0 ? now / rest : 1; }

}  // namespace

Metrics::Metrics(const BuiltScene& scene) {
  for (const Body& body : scene.world.bodies) {
    has_parts_ = has_parts_ || body.method->changes_body();
  }
}

std::string Metrics::header(const BuiltScene& scene) const {
  std::string line =
      "frame,time_s,kinetic_J,elastic_J,potential_J,momentum_x_kgm_s,momentum_y_kgm_s,"
      "momentum_z_kgm_s,volume_ratio,skin_volume_ratio,min_J,inverted,contacts,max_penetration_m,"
      "contact_iterations,unconverged_substeps";
  if (scene.world.statics) {
    line +=
        ",newton_iterations,static_residual,unbalanced_bodies,reaction_x_N,reaction_y_N,reaction_z_"
        "N";
  } else {
    line += ",max_contact_pressure_Pa";
    for (const Collider& collider : scene.world.colliders)
      for (const char axis : {'x', 'y', 'z'})
        line += fmt::format(",{}_force_{}_N", collider.name, axis);
  }
  if (has_parts_) line += ",pieces,particles,clusters,mass_kg";
  for (const Probe& probe : scene.probes) {
    for (const char axis : {'x', 'y', 'z'}) line += fmt::format(",{}_{}_m", probe.name, axis);
    for (const std::string& name : probe.fields) line += fmt::format(",{}_{}", probe.name, name);
  }
  for (const char* phase : phase_names) line += fmt::format(",{}_ms", phase);
  return line + '\n';
}

std::string Metrics::row(int frame, const BuiltScene& scene, const StepReport& report) const {
  const World& world = scene.world;
  const Sums sums = sum_over_bodies(world);
  double skin = 0, rest_skin = 0;
  for (const Body& body : world.bodies) {
    skin += volume(body.drawn_skin());
    rest_skin += body.built_volume;
  }
  std::string line = fmt::format(
      "{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{},{},{:.9g},{},{}",
      frame, world.time, sums.kinetic, sums.elastic, sums.potential, sums.momentum.x(),
      sums.momentum.y(), sums.momentum.z(), ratio(sums.volume, sums.rest_volume),
      ratio(skin, rest_skin), sums.min_J, sums.inverted, report.contacts, report.max_penetration,
      report.contact_iterations, report.unconverged_substeps);
  if (world.statics) {
    line += fmt::format(",{},{:.3g},{},{:.9g},{:.9g},{:.9g}", report.newton_iterations,
                        report.static_residual, report.unbalanced, sums.reaction.x(),
                        sums.reaction.y(), sums.reaction.z());
  } else {
    line += fmt::format(",{:.9g}", sums.contact_pressure);
    for (int c = 0; c < int(world.colliders.size()); ++c)
      line += numbers(world.contact.force_on_collider(c));
  }
  if (has_parts_)
    line += fmt::format(",{},{},{},{:.17g}", sums.parts.pieces, sums.parts.particles,
                        sums.parts.clusters, sums.mass_of_parts);
  std::vector<double> values;
  for (const Probe& probe : scene.probes) {
    const int at = place_of(world.bodies, probe.body);
    if (at < 0) {  // the body is gone
      line += std::string(3 + probe.fields.size(), ',');
      continue;
    }
    const Body& body = world.bodies[std::size_t(at)];
    const int vertex = body.marks[std::size_t(probe.mark)].vertex;
    line += numbers(body.drawn_skin().position[vertex]);
    for (const std::string& name : probe.fields) {
      field(body, name, values);
      line += fmt::format(",{:.9g}", values[vertex]);
    }
  }
  for (const double seconds : report.times.seconds) line += fmt::format(",{:.3f}", 1000 * seconds);
  return line + '\n';
}

}  // namespace pliant
