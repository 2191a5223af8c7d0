#include <doctest/doctest.h>

#include "formats/cad.h"
#include "geometry/nurbs/primitives.h"
#include "scene/build.h"
#include "scene/read.h"
#include "scene/test_folder.h"

using namespace pliant;

namespace {

struct Fixture {
  TestFolder folder;

  BuiltScene build(const std::string& body, const std::string& rest = "") const {
    return build_scene(
        read_scene_text(R"({"bodies": [{)" + body + "}]" + rest + "}", folder.source()),
        folder.source());
  }
  std::string refusal(const std::string& body) const {
    try {
      build(body);
      return "";
    } catch (const InputError& error) {
      return to_string(error.problems().front());
    }
  }
};

bool has(const std::vector<std::string>& lines, const std::string& words) {
  for (const std::string& line : lines)
    if (line.find(words) != std::string::npos) return true;
  return false;
}

// The beam lies along x from -0.5 to 0.5; faces 1 and 2, "left" and "right", are its ends.
const std::string beam = R"("model": "beam", "method": {"nurbs": {"voxels": 1000}}, )";
const std::string low_end = R"({"region": {"group": "left"}})";

bool is_missing() {
  if (has_cad()) return false;
  MESSAGE("built without CAD files");
  return true;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "pins, handles and loads take faces of a CAD model by number or name") {
  const BuiltScene built = build(beam + R"("pins": [)" + low_end + R"(],
    "handles": [{"region": {"group": "face_2"}, "keyframes": [{"time": 1, "move": [0, 0.1, 0]}]}],
    "loads": [{"pressure": 10, "region": {"group": "face_4"}}])");
  const Body& body = built.world.bodies[0];
  REQUIRE(body.handles.size() == 2);
  for (int h = 0; h < 2; ++h) {
    CHECK(body.handles[h].vertices.size() > 4);
    const double end = body.handles[h].vertex_rest[0].x();
    CHECK(std::abs(end) == doctest::Approx(0.5));
    for (const Vec3& x : body.handles[h].vertex_rest) CHECK(x.x() == doctest::Approx(end));
  }
  CHECK(body.handles[0].vertex_rest[0].x() == -body.handles[1].vertex_rest[0].x());
  REQUIRE(body.loads.size() == 1);
  CHECK(body.loads[0].triangles.size() > 1);
  CHECK(refusal(beam + R"("pins": [{"region": {"group": "face_19"}}])")
            .find("/bodies/0/pins/0/region/group names the group \"face_19\"") !=
        std::string::npos);
}

TEST_CASE_FIXTURE(Fixture,
                  "a region named by faces has what is nearest to them of another material") {
  const auto with = [&](const std::string& regions) {
    const Nodes nodes =
        build(beam + R"("material": {"density": 1000}, "regions": [)" + regions + "]")
            .world.bodies[0]
            .nodes;
    double mass = 0;
    for (const double m : nodes.mass) mass += m;
    return std::pair{mass, centre_of_mass(nodes).x()};
  };
  const std::string left = R"({"region": {"group": "left"}, "material": {"density": 3000}})";
  const std::string right = R"({"region": {"group": "face_2"}, "material": {"density": 3000}})";
  const auto [plain, middle] = with("");
  const auto [one, aside] = with(right);
  const auto [two, between] = with(left + ", " + right);
  CHECK(plain == doctest::Approx(40));
  CHECK(one > 42);
  CHECK(one < 50);
  // Points as near to the end as to a side go with either of them, by rounding.
  CHECK(two - plain == doctest::Approx(2 * (one - plain)).epsilon(0.1));
  CHECK(std::abs(middle) < 1e-9);
  CHECK(aside == doctest::Approx(0.45 * (one - plain) / one).epsilon(0.1));
  CHECK(std::abs(between) < 0.1 * aside);
  CHECK(refusal(beam + R"("regions": [{"region": {"group": "hub"}, "material": {"density": 1}}])")
            .find("/bodies/0/regions/0/region/group names the group \"hub\"") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a CAD model held by its end face sags as a beam does") {
  BuiltScene built = build(beam + R"("material": {"young": 1e7}, "pins": [)" + low_end + "]",
                           R"(, "static": true)");
  CHECK(built.world.statics);
  Body& body = built.world.bodies[0];
  const std::vector<Vec3> before = body.nodes.position;
  built.world.step(1.0 / 60);
  double most = 0;
  for (int n = 0; n < body.nodes.size(); ++n)
    most = std::max(most, before[n].y() - body.nodes.position[n].y());
  CHECK(most == doctest::Approx(1000 * 9.81 * 0.04 / (8 * 1e7 * 0.0016 / 12)).epsilon(0.12));
}

TEST_CASE_FIXTURE(Fixture, "a CAD file is as large as it says in its unit, or as we are told") {
  if (is_missing()) return;
  write_cad(folder.path() / "part.step", nurbs_box({0.2, 0.1, 0.1}));
  const auto size = [&](const std::string& more) {
    return build(R"("file": "part.step", "method": "rigid")" + more).world.bodies[0].extent;
  };
  const double own = size("");
  CHECK(own == doctest::Approx(0.2).epsilon(0.3));
  CHECK(size(R"(, "unit": "mm")") == doctest::Approx(own));
  CHECK(size(R"(, "unit": "m")") == doctest::Approx(1000 * own));
  CHECK(size(R"(, "unit": "in")") == doctest::Approx(25.4 * own));
  CHECK(has(build(R"("file": "part.step", "method": "rigid", "scale": 6000)").warnings,
            "since its file is in mm"));
}

TEST_CASE_FIXTURE(Fixture, "every method takes CAD files and says how finely they were drawn") {
  if (is_missing()) return;
  write_cad(folder.path() / "part.iges", nurbs_cylinder(0.05, 0.1));
  for (const char* method :
       {R"({"tets": {"cells": 200}})", R"({"groups": {"cells": 50}})",
        R"({"meshless": {"particles": 60}})", R"("rigid")", R"({"nurbs": {"voxels": 1000}})"}) {
    CAPTURE(method);
    const BuiltScene built = build(R"("file": "part.iges", "method": )" + std::string(method));
    CHECK(has(built.notes, "part: 6 CAD faces in mm, 0.1 x 0.1 x 0.1 m; "));
    CHECK(has(built.notes, "triangles within 0.00017 m of them"));
    // Rigid bodies ask for a closed surface, and faces of an IGES file share no edges.
    CHECK((built.warnings.empty() || std::string(method) == "\"rigid\""));
    CHECK(volume({built.world.bodies[0].drawn_skin().rest,
                  built.world.bodies[0].drawn_skin().triangles,
                  {}}) == doctest::Approx(3.1416 * 0.0025 * 0.1).epsilon(0.02));
  }
}

TEST_CASE_FIXTURE(Fixture, "parts of a body are one solid, and groups of each have its name") {
  const std::string shapes =
      R"("cylinder": {"radius": 0.1, "height": 0.3}, "place": [0, 1, 0], "scale": 2,
    "parts": [{"capsule": {"radius": 0.05, "length": 0.3}, "rotate": [0, 0, 90], "name": "bar"},
              {"box": {"size": [0.1, 0.1, 0.1]}, "place": [0.2, 0, 0]}])";
  const BuiltScene built = build(shapes + R"(, "method": {"nurbs": {"voxels": 1500}},
        "pins": [{"region": {"group": "bar"}}, {"region": {"group": "part_2/face_1"}}])");
  const Body& body = built.world.bodies[0];
  CHECK(body.control_net->patches.size() == 6 + 6);
  CHECK(has(built.notes, "points of triangles"));
  Box box = bounds(body.drawn_skin().rest);
  CHECK(box.high.x() == doctest::Approx(2 * 0.25));
  CHECK(box.low.x() == doctest::Approx(-2 * 0.2));
  CHECK(box.centre().y() == doctest::Approx(1));
  const BuiltScene as_tets = build(shapes + R"(, "method": {"tets": {"cells": 500}})");
  CHECK(total_mass(as_tets.world.bodies[0].nodes) ==
        doctest::Approx(total_mass(body.nodes)).epsilon(0.1));
  CHECK(
      refusal(
          R"("box": {"size": [1, 1, 1]}, "parts": [{"box": {"size": [1, 1, 1]}, "sphere": {"radius": 1}}])")
          .find("/bodies/0/parts/0") != std::string::npos);
  CHECK(refusal(shapes + R"(, "method": {"nurbs": {"kinematics": "paper"}})")
            .find("triangle mesh among its parts") != std::string::npos);
}
