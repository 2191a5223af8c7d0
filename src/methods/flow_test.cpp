#include <doctest/doctest.h>

#include "body/body.h"
#include "core/archive.h"
#include "geometry/mesh/primitives.h"
#include "methods/registry.h"

using namespace pliant;

namespace {

constexpr double frame = 1.0 / 60;

Body bar(const char* method, bool flows) {
  Solid solid;
  solid.name = method;
  solid.surface = box_mesh(Vec3(0.6, 0.2, 0.2), 0.05);
  solid.material = elastic_material(2e5, 0.4, 1000, 20);
  if (flows) {
    solid.material.plastic.emplace();
    solid.material.plastic->yield_strain = 0.02;
    solid.material.plastic->flow = 60;
  }
  return find_method(method)->settings()->create(solid);
}

/// Holds both ends and draws them apart by this way [m] within the given time [s].
void grip(Body& body, double way, double seconds) {
  for (const double side : {-1.0, 1.0}) {
    Handle handle;
    for (int n = 0; n < body.nodes.size(); ++n)
      if (side * body.nodes.position[n].x() > 0.24) {
        handle.nodes.push_back(n);
        handle.rest.push_back(body.nodes.position[n]);
      }
    handle.motion.keys = {{0, Vec3::Zero()}, {seconds, Vec3(side * way / 2, 0, 0)}};
    body.handles.push_back(handle);
  }
}

void go_on(Body& body, int frames, double& time) {
  for (int f = 0; f < frames; ++f) {
    for (int s = 0; s < 20; ++s) {
      const Substep substep{frame / 20, time, s == 19};
      drive(body, Vec3::Zero(), time + substep.h);
      body.method->advance(body.nodes, substep);
      body.nodes.load.assign(body.nodes.load.size(), Vec3::Zero());
      body.method->finish(body.nodes, substep);
      time += substep.h;
    }
    const Changes changes = body.method->adapt(body.nodes, body.skin, frame);
    if (changes.any()) follow(body, changes);
    body.skin.refresh(body.nodes.position);
  }
}

double length(const Body& body) { return bounds(body.skin.position).extent().x(); }

std::uint64_t hash_of(Body& body) {
  Archive archive = Archive::hashing();
  body.archive(archive);
  return archive.hash();
}

}  // namespace

TEST_CASE("a bar that flows stays as long as it was drawn, an elastic one comes back") {
  for (const char* method : {"tets", "groups", "clusters"})
    for (const bool flows : {true, false}) {
      INFO(method << (flows ? " plastic" : " elastic"));
      Body body = bar(method, flows);
      double time = 0;
      grip(body, 0.24, 0.5);
      go_on(body, 45, time);
      const double drawn = length(body);
      CHECK(drawn == doctest::Approx(0.84).epsilon(0.02));
      body.handles.clear();
      go_on(body, 60, time);
      if (flows) CHECK(length(body) > 0.94 * drawn);
      else CHECK(length(body) == doctest::Approx(0.6).epsilon(0.01));
    }
}

TEST_CASE("a body that flows goes on from a saved state as if nothing had happened") {
  for (const char* method : {"tets", "groups", "clusters"}) {
    INFO(method);
    Body body = bar(method, true);
    double time = 0;
    grip(body, 0.24, 0.5);
    go_on(body, 15, time);
    Archive saving = Archive::saving();
    body.archive(saving);
    Body again = bar(method, true);
    grip(again, 0.24, 0.5);
    Archive loading = Archive::loading(saving.bytes());
    again.archive(loading);
    double time_again = time;
    go_on(body, 10, time);
    go_on(again, 10, time_again);
    CHECK(hash_of(again) == hash_of(body));
  }
}
