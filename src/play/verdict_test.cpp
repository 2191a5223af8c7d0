#include "play/verdict.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

using namespace pliant;

namespace {

/// Three frames of ten substeps of a body of one metre and 50 nodes, after the start.
Verdict verdict_of_frames(const std::string& rows) {
  return verdict_of("frame,inverted,max_penetration_m,unconverged_substeps\n0,0,0,0\n" + rows,
                    {10, 1.0, 50});
}

}  // namespace

TEST_CASE("of a run that went well there is nothing to say") {
  const Verdict verdict = verdict_of_frames("1,0,0,0\n2,0,0.001,0\n3,0,0,0\n");
  CHECK(verdict.warnings.empty());
  CHECK(verdict.notes.empty());
  CHECK(verdict_of("", {10, 1, 50}).warnings.empty());
  CHECK(verdict_of("frame,inverted\n0,5\n", {10, 1, 50}).warnings.empty());  // as it was given
}

TEST_CASE("what went wrong in a run is said, with the frame in which it was worst") {
  const auto has = [](const std::vector<std::string>& lines, const char* words) {
    return lines.size() == 1 && lines[0].find(words) != std::string::npos;
  };
  CHECK(has(verdict_of_frames("1,0,0,1\n2,0,0,4\n3,0,0,0\n").warnings,
            "5 of 30 substeps, most in frame 2 (4)"));
  CHECK(has(verdict_of_frames("1,0,0,0\n2,0,0.047,0\n3,0,0,0\n").warnings, "47 mm in frame 2"));
  CHECK(has(verdict_of_frames("1,9,0,0\n2,7,0,0\n3,2,0,0\n").warnings,
            "inside out at the end: 2 elements; at most, in frame 1: 9"));
  const Verdict recovered = verdict_of_frames("1,0,0,0\n2,7,0,0\n3,0,0,0\n");
  CHECK(recovered.warnings.empty());
  CHECK(has(recovered.notes, "up to 7 elements"));
}

TEST_CASE("a body that passes through itself is told, unless it was built so") {
  const TriangleMesh bar = box_mesh({1, 0.1, 0.1}, 0.05);
  Body body;
  body.name = "bar";
  body.skin.triangles = bar.triangles;
  body.skin.rest = body.skin.position = bar.points;
  CHECK(self_overlap(body).empty());
  for (Vec3& p : body.skin.position)
    if (p.x() > 0) p.x() = 0.2 - p.x();  // its half is turned back into the other one,
  for (Vec3& p : body.skin.position) p.y() *= 1 + 0.1 * p.x();  // not in the same planes
  CHECK(self_overlap(body).find("bar passes through itself") == 0);
  body.skin.rest = body.skin.position;
  CHECK(self_overlap(body).empty());
}
