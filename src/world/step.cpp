#include <cmath>

#include "core/assert.h"
#include "core/errors.h"
#include "core/parallel.h"
#include "world/world.h"

// The main loop. Each substep: the scene moves its own things, every body moves freely, what then
// overlaps is pushed apart, and velocities follow from where everything ended.

namespace pliant {
namespace {

/// One body per chunk: bodies are few and large.
template <class Work>
void for_each_body(std::vector<Body>& bodies, const Work& work) {
  parallel_for(int(bodies.size()), 1, [&](int i, int) { work(bodies[i]); });
}

void check_finite(const std::vector<Body>& bodies, double time) {
  for (const Body& body : bodies)
    if (!is_finite(body.nodes))
      throw NumericalError("body \"" + body.name + "\" is no longer finite at " +
                           std::to_string(time) +
                           " s; more substeps, a softer material or slower motion may help");
}

}  // namespace

StepReport World::settle(double dt) {
  StepReport report;
  time += dt;
  for (Body& body : bodies) {
    // Pressure follows the skin: where it acts, forces change with the answer.
    bool follows = false;
    for (const Load& load : body.loads)
      follows = follows || (load.kind == Load::Kind::pressure && load.acts_at(time));
    for (int round = 0; round < (follows ? 8 : 1); ++round) {
      {
        Timed timed(report.times, Phase::drive);
        body.skin.position.resize(body.skin.weights.rows());
        body.refresh_skins();
        drive(body, gravity, time);
      }
      Timed timed(report.times, Phase::advance);
      const StaticReport found = body.method->solve_static(body.nodes);
      report.newton_iterations += found.iterations;
      report.static_residual = std::max(report.static_residual, found.residual);
      if (!found.converged) ++report.unbalanced;
      if (!found.converged || (round > 0 && found.iterations <= 1)) break;
    }
    body.refresh_skins();
    body.skin.previous = body.skin.position;
  }
  check_finite(bodies, time);
  return report;
}

void World::adapt(double dt) {
  std::vector<Changes> changes(bodies.size());
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    Body& body = bodies[b];
    body.nodes.only_gravity = false;  // known while nobody else is at work
    changes[b] = body.method->adapt(body.nodes, body.skin, dt);
    take_over(body, changes[b]);
    if (!changes[b].any()) body.refresh_skins();
  });
  for (int b = 0; b < int(bodies.size()); ++b)
    if (changes[b].triangles) contact.renumber(bodies[b], b, changes[b]);
}

StepReport World::step(double dt) {
  ASSERT(dt >= 0 && std::isfinite(dt), "a step goes forwards in time");
  ASSERT(substeps >= 1, "a step has at least one substep");
  if (dt == 0) return {};  // a game that is paused
  update_ids();
  if (statics) return settle(dt);
  make_due_cuts();
  StepReport report;
  report.substeps = substeps;
  const double h = dt / substeps;
  {
    Timed timed(report.times, Phase::find_contacts);
    contact.find_candidates(bodies, colliders, time, dt);
  }
  for (int s = 0; s < substeps; ++s) {
    const Substep substep{h, time, s + 1 == substeps};
    {
      Timed timed(report.times, Phase::drive);
      for_each_body(bodies, [&](Body& body) {
        if (s == 0 || !body.loads.empty()) apply_loads(body, gravity, time + h);
        body.nodes.only_gravity = body.loads.empty();
        body.nodes.gravity = gravity;
        if (s == 0 || !are_handles_at_rest(body, time, time + h)) move_handles(body, time + h);
      });
    }
    {
      Timed timed(report.times, Phase::advance);
      for_each_body(bodies, [&](Body& body) { body.method->advance(body.nodes, substep); });
    }
    {
      Timed timed(report.times, Phase::find_contacts);
      contact.find_contacts(bodies, colliders, substep);
    }
    {
      Timed timed(report.times, Phase::solve_contacts);
      const ContactReport solved = contact.solve(bodies, substep);
      report.contacts = solved.contacts;
      report.contact_iterations += solved.iterations;
      report.unconverged_substeps += solved.converged ? 0 : 1;
      report.max_penetration = std::max(report.max_penetration, solved.max_penetration);
    }
    {
      Timed timed(report.times, Phase::finish);
      for_each_body(bodies, [&](Body& body) { body.method->finish(body.nodes, substep); });
    }
    time += h;
  }
  {
    Timed timed(report.times, Phase::adapt);
    check_finite(bodies, time);
    adapt(dt);
    blades_.follow(bodies, colliders, time - dt, time,
                   [&](BodyId id, const Cut& by_blade) { return cut(id, by_blade); });
  }
  return report;
}

}  // namespace pliant
