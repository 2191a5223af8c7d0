#include "play/verdict.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

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

TEST_CASE("volume lost and elements inverted for longer than a moment are warned of") {
  const auto warnings = [](const std::string& rows, const RunScale& scale) {
    return verdict_of("frame,inverted,volume_ratio\n0,0,1\n" + rows, scale).warnings;
  };
  std::string rows;
  for (int frame = 1; frame < 9; ++frame)
    rows += fmt::format("{},{},1\n", frame, frame < 8 ? 5 : 0);
  CHECK(warnings(rows, {10, 1, 50, 60}).at(0).find("for 0.12 s") != std::string::npos);
  CHECK(warnings(rows, {10, 1, 50, 240}).empty());
  const std::string squeezed = "1,0,0.7\n2,0,0.56\n3,0,1\n";
  CHECK(warnings(squeezed, {10, 1, 50}).at(0).find("56 % in frame 2") != std::string::npos);
  CHECK(warnings(squeezed, {.substeps = 10, .size = 1, .nodes = 50, .keeps_volume = false})
            .empty());  // foam
  CHECK(warnings("1,0,0.87\n2,0,0.9\n", {10, 1, 50}).empty());
}

TEST_CASE("energy out of nothing is warned of, unless something does work") {
  const auto warnings = [](const std::string& rows, double fall) {
    return verdict_of("frame,kinetic_J,elastic_J,potential_J\n0,1,0,10\n" + rows,
                      {.substeps = 10, .size = 1, .nodes = 50, .fall = fall})
        .warnings;
  };
  const std::string flies = "1,2,0,9\n2,30,0,20\n3,5,0,40\n";
  CHECK(warnings(flies, 3).at(0).find("39 J by frame 2, 9.8 times") != std::string::npos);
  CHECK(warnings(flies, -1).empty());
  CHECK(warnings("1,5,0,6\n2,0.2,1e6,10\n", 3).empty());  // it falls, and is squeezed
  CHECK(warnings("1,2,0,9\n2,0,0,0\n", 0).empty());
}

TEST_CASE("a static run without an equilibrium is warned of, with the frames that have none") {
  const std::string head = "frame,static_residual,unbalanced_bodies\n0,0,0\n";
  const StaticVerdict good = static_verdict_of(head + "1,1e-7,0\n");
  CHECK((good.unbalanced == 0 && good.warnings.empty()));
  const StaticVerdict bad = static_verdict_of(head + "1,1e-7,0\n2,0.25,1\n3,0.5,2\n");
  CHECK(bad.unbalanced == 2);
  CHECK(bad.warnings.at(0).find("2 of 3 frames; up to 0.5") != std::string::npos);
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
