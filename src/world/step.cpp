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

StepReport World::step(double dt) {
  StepReport report;
  report.substeps = substeps;
  const double h = dt / substeps;
  {
    Timed timed(report.times, Phase::find_contacts);
    contact.find_candidates(bodies, colliders, time, dt);
  }
  for (int s = 0; s < substeps; ++s) {
    const Substep substep{h, time};
    {
      Timed timed(report.times, Phase::drive);
      for_each_body(bodies, [&](Body& body) {
        if (s == 0 || !body.loads.empty()) apply_loads(body, gravity, time + h);
        move_handles(body, time + h);
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
    for_each_body(bodies, [&](Body& body) {
      if (body.method->adapt(body.nodes, body.skin)) ++body.skin.revision;
      body.skin.refresh(body.nodes.position);
    });
  }
  return report;
}

}  // namespace pliant
