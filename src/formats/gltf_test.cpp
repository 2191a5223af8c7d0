#include "formats/gltf.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "formats/bytes.h"
#include "formats/testing.h"

using namespace pliant;
using namespace pliant::testing;
using Json = nlohmann::json;
using Vec3f = Eigen::Vector3f;

namespace {

// Reads a .glb back by the letter of the standard, checking everything on the way.
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::filesystem::path& path) {
    const std::string bytes = read_text_file(path);
    const auto word = [&](std::size_t at) {
      return get<std::uint32_t>(std::string_view(bytes).substr(at), std::endian::little);
    };
    REQUIRE(bytes.size() >= 20);
    CHECK(bytes.substr(0, 4) == "glTF");
    CHECK(word(4) == 2);
    CHECK(word(8) == bytes.size());
    const std::size_t json_bytes = word(12);
    CHECK(bytes.substr(16, 4) == "JSON");
    CHECK(json_bytes % 4 == 0);
    json = Json::parse(bytes.substr(20, json_bytes));
    if (20 + json_bytes < bytes.size()) {
      CHECK(word(20 + json_bytes) % 4 == 0);
      CHECK(bytes.substr(24 + json_bytes, 4) == std::string("BIN\0", 4));
      binary = bytes.substr(28 + json_bytes);
      CHECK(binary.size() == word(20 + json_bytes));
      CHECK(json["buffers"][0]["byteLength"] == binary.size());
    }
    check_views();
  }

  void check_views() const {
    std::size_t end = 0;
    for (const Json& view : json.value("bufferViews", Json::array())) {
      CHECK(view["byteOffset"] == end);  // nothing between, nothing twice
      CHECK(end % 4 == 0);
      CHECK(view["byteLength"] > 0);
      end += view["byteLength"].get<std::size_t>();
    }
    CHECK(end == binary.size());
    const int accessors = json.contains("accessors") ? int(json["accessors"].size()) : 0;
    for (int a = 0; a < accessors; ++a) floats(a);
  }

  /// What a node's track says at some time; empty: there is none.
  std::vector<double> track(int node, const std::string& path, double time) const {
    for (const Json& channel : json["animations"][0]["channels"]) {
      if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
      const Json& sampler = json["animations"][0]["samplers"][channel["sampler"].get<int>()];
      const std::vector<double> keys = floats(sampler["input"]), values = floats(sampler["output"]);
      REQUIRE(values.size() % keys.size() == 0);
      const std::size_t width = values.size() / keys.size();
      std::size_t k = 0;
      while (k + 1 < keys.size() && keys[k + 1] <= time) ++k;
      const bool between =
          sampler["interpolation"] == "LINEAR" && k + 1 < keys.size() && time > keys[k];
      const double share = between ? (time - keys[k]) / (keys[k + 1] - keys[k]) : 0;
      std::vector<double> now;
      for (std::size_t i = 0; i < width; ++i)
        now.push_back((1 - share) * values[k * width + i] +
                      (share > 0 ? share * values[(k + 1) * width + i] : 0));
      return now;
    }
    return {};
  }

  /// The points of all deforming meshes that a player shows at some time, one list each.
  std::vector<std::vector<double>> shown(double time) const {
    std::vector<std::vector<double>> lists;
    for (int node = 0; node < int(json["nodes"].size()); ++node) {
      if (!json["nodes"][node].contains("mesh")) continue;
      const std::vector<double> weights = track(node, "weights", time);
      const std::vector<double> scale = track(node, "scale", time);
      if (weights.empty() || scale == std::vector<double>{0, 0, 0}) continue;
      if (!scale.empty()) CHECK(scale == std::vector<double>{1, 1, 1});
      const Json& shape = json["meshes"][json["nodes"][node]["mesh"].get<int>()]["primitives"][0];
      std::vector<double>& points = lists.emplace_back(floats(shape["attributes"]["POSITION"]));
      REQUIRE(shape["targets"].size() == weights.size());
      for (std::size_t t = 0; t < weights.size(); ++t) {
        if (weights[t] == 0) continue;
        const std::vector<double> move = floats(shape["targets"][t]["POSITION"]);
        for (std::size_t i = 0; i < points.size(); ++i) points[i] += weights[t] * move[i];
      }
    }
    return lists;
  }

  // All numbers of an accessor, whatever its type; checks bounds where they are given.
  std::vector<double> floats(int accessor) const {
    const Json& a = json["accessors"][accessor];
    const Json& view = json["bufferViews"][a["bufferView"].get<int>()];
    const std::string type = a["type"];
    const std::size_t width = type == "SCALAR" ? 1 : std::size_t(type[3] - '0');
    const std::size_t count = a["count"], offset = a.value("byteOffset", 0);
    CHECK(count > 0);
    if (view.contains("byteStride")) CHECK(view["byteStride"] == 4 * width);
    CHECK(offset + 4 * width * count <= view["byteLength"]);
    std::vector<double> values;
    for (std::size_t i = 0; i < count * width; ++i) {
      const std::size_t at = view["byteOffset"].get<std::size_t>() + offset + 4 * i;
      const std::string_view from = std::string_view(binary).substr(at);
      values.push_back(a["componentType"] == 5126
                           ? double(get<float>(from, std::endian::little))
                           : double(get<std::uint32_t>(from, std::endian::little)));
    }
    for (std::size_t k = 0; a.contains("min") && k < width; ++k) {
      double low = values[k], high = values[k];
      for (std::size_t i = k; i < values.size(); i += width) {
        low = std::min(low, values[i]);
        high = std::max(high, values[i]);
      }
      CHECK(a["min"][k] == low);
      CHECK(a["max"][k] == high);
    }
    return values;
  }
};

// A tent whose tip swings; vertex 4 belongs to no triangle.
GlbMesh tent() {
  GlbMesh mesh;
  mesh.name = "tent";
  mesh.color = Vec3(0.1, 0.5, 2);
  mesh.triangles = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  mesh.vertices = 5;
  return mesh;
}
std::vector<Vec3f> tent_points(int frame) {
  const float a = 0.1f * float(frame);
  return {{-1, 0, -1}, {0, 0.3f * a, 1}, {1, 0, -1}, {std::sin(a), 1 + a, a * a}, {1e-20f, 7, -3}};
}

GlbMesh crate(int frames) {
  GlbMesh mesh = tent();
  mesh.name = "crate";
  for (int f = 0; f < frames; ++f)
    mesh.poses.push_back(
        {Quat(Eigen::AngleAxisd(0.9 * f, Vec3(1, 2, 3).normalized())), Vec3(f, -f, 0.1)});
  return mesh;
}

struct Written {
  TemporaryFolder folder;
  std::vector<std::pair<int, int>> asked;
  std::vector<Vec3f> points;

  Glb write(const std::vector<GlbMesh>& meshes, int frames, double fps = 24,
            const GlbOptions& options = {}) {
    const auto positions = [&](int mesh, int frame) {
      asked.emplace_back(mesh, frame);
      points = tent_points(frame + 10 * mesh);
      return std::span<const Vec3f>(points);
    };
    write_glb(folder / "a.glb", meshes, frames, fps, positions, options);
    CHECK(!std::filesystem::exists(folder / "a.glb.part"));
    return Glb(folder / "a.glb");
  }
};

}  // namespace

TEST_CASE("every frame of a deforming mesh comes back from frame 0 and its morph target") {
  const int frames = 7;
  const Glb glb = Written().write({tent()}, frames);
  const Json& mesh = glb.json["meshes"][0];
  const Json& primitive = mesh["primitives"][0];
  CHECK(primitive["targets"].size() == frames - 1);
  CHECK(mesh["weights"] == Json(std::vector<int>(frames - 1, 0)));
  const std::vector<double> base = glb.floats(primitive["attributes"]["POSITION"]);
  const std::vector<double> base_normal = glb.floats(primitive["attributes"]["NORMAL"]);
  for (int frame = 0; frame < frames; ++frame) {
    std::vector<double> points = base, normals = base_normal;
    if (frame > 0) {
      const Json& target = primitive["targets"][frame - 1];
      CHECK(glb.json["accessors"][target["POSITION"].get<int>()].contains("min"));
      const std::vector<double> move = glb.floats(target["POSITION"]),
                                turn = glb.floats(target["NORMAL"]);
      for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] += move[i];
        normals[i] += turn[i];
      }
    }
    const std::vector<Vec3f> expected = tent_points(frame);
    for (std::size_t i = 0; i < points.size(); ++i)
      CHECK(points[i] == doctest::Approx(expected[i / 3][i % 3]).epsilon(1e-6));
    for (int v = 0; v < 5; ++v)
      CHECK(Vec3(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]).norm() ==
            doctest::Approx(1).epsilon(1e-6));
    const Vec3f left = (expected[1] - expected[0]).cross(expected[3] - expected[0]);
    const Vec3f right = (expected[0] - expected[2]).cross(expected[3] - expected[2]);
    const Vec3f normal = (left + right).normalized();  // of vertex 0
    for (int k = 0; k < 3; ++k) CHECK(normals[k] == doctest::Approx(normal[k]).epsilon(1e-5));
  }
}

TEST_CASE("weights are one-hot at the keys, keys lie 1/fps apart") {
  const int frames = 5;
  const Glb glb = Written().write({tent()}, frames, 25);
  const Json& animation = glb.json["animations"][0];
  REQUIRE(animation["channels"].size() == 1);
  CHECK(animation["channels"][0]["target"]["path"] == "weights");
  const Json& sampler = animation["samplers"][0];
  CHECK(sampler["interpolation"] == "LINEAR");
  const std::vector<double> times = glb.floats(sampler["input"]),
                            weights = glb.floats(sampler["output"]);
  CHECK(glb.json["accessors"][sampler["input"].get<int>()].contains("max"));
  REQUIRE(times.size() == frames);
  REQUIRE(weights.size() == frames * (frames - 1));
  for (int frame = 0; frame < frames; ++frame) {
    CHECK(times[frame] == doctest::Approx(frame / 25.0));
    for (int target = 1; target < frames; ++target)
      CHECK(weights[frame * (frames - 1) + target - 1] == (target == frame ? 1 : 0));
  }
}

TEST_CASE("a film in pieces shows the same at every time, one piece of each mesh") {
  const int frames = 14;
  const double fps = 25;
  const Glb whole = Written().write({tent(), crate(frames), tent()}, frames, fps);
  for (const int most : {1, 2, 5, 6, 12}) {
    CAPTURE(most);
    const Glb cut = Written().write({tent(), crate(frames), tent()}, frames, fps,
                                    {.most_targets = most, .job = {}});
    for (const Json& mesh : cut.json["meshes"])
      if (mesh["primitives"][0].contains("targets"))
        CHECK(int(mesh["primitives"][0]["targets"].size()) <= most);
    for (int quarter = 0; quarter <= 4 * (frames - 1); ++quarter) {
      const double time = double(float(quarter / 4 / fps)) + quarter % 4 * 0.25 / fps;
      const std::vector<std::vector<double>> now = cut.shown(time), expected = whole.shown(time);
      REQUIRE(now.size() == 2);
      for (std::size_t m = 0; m < 2; ++m)
        for (std::size_t i = 0; i < now[m].size(); ++i)
          CHECK(now[m][i] == doctest::Approx(expected[m][i]).epsilon(1e-5));
    }
    // Without playing, the first piece is seen and no other.
    for (const Json& node : cut.json["nodes"]) {
      const std::string name = node["name"];
      if (node.contains("mesh") && !name.ends_with("_1") && name != "crate")
        CHECK(node["scale"] == Json({0, 0, 0}));
    }
    CHECK(cut.json["scenes"][0]["nodes"].size() == 3);
  }
}

TEST_CASE("an object that changes its triangles shows those of the frame, and only those") {
  const int frames = 10;
  const double fps = 25;
  std::vector<GlbMesh> parts(3, tent());
  parts[0].last = 3;
  parts[1].first = parts[1].last = 4;  // a single frame
  parts[1].triangles.push_back({0, 3, 1});
  parts[2].first = 5;
  parts[2].triangles.pop_back();
  const GlbMesh whole = tent();
  for (const int most : {240, 2}) {
    CAPTURE(most);
    Written written;
    const Glb glb = written.write({parts[0], parts[1], parts[2], whole}, frames, fps,
                                  {.most_targets = most, .job = {}});
    for (const auto& [mesh, frame] : written.asked) {
      if (mesh == 0) CHECK(frame <= 3);
      if (mesh == 1) CHECK(frame == 4);
      if (mesh == 2) CHECK(frame >= 5);
    }
    CHECK(glb.json["scenes"][0]["nodes"].size() == 2);  // pieces of one object have one parent
    for (int frame = 0; frame < frames; ++frame) {
      const double time = double(float(frame / fps));
      std::vector<std::size_t> triangles;
      for (int node = 0; node < int(glb.json["nodes"].size()); ++node) {
        if (!glb.json["nodes"][node].contains("mesh")) continue;
        if (glb.track(node, "scale", time) == std::vector<double>{0, 0, 0}) continue;
        const Json& shape =
            glb.json["meshes"][glb.json["nodes"][node]["mesh"].get<int>()]["primitives"][0];
        triangles.push_back(glb.floats(shape["indices"]).size() / 3);
        if (triangles.size() > 1 || frame == 4) continue;
        std::vector<double> points = glb.shown(time).at(0);
        const std::vector<Vec3f> expected = tent_points(frame + (frame < 4 ? 0 : 20));
        for (std::size_t i = 0; i < points.size(); ++i)
          CHECK(points[i] == doctest::Approx(expected[i / 3][i % 3]).epsilon(1e-5));
      }
      const std::size_t now = frame < 4 ? 3 : frame == 4 ? 4 : 2;
      CHECK(triangles == std::vector<std::size_t>{now, 3});
    }
  }
}

TEST_CASE("twice the frames are twice the bytes, and what there is to say of a frame is short") {
  const auto size = [](int frames) {
    Written written;
    written.write({tent()}, frames);
    return double(std::filesystem::file_size(written.folder / "a.glb"));
  };
  const double once = size(481), twice = size(961);  // two and four pieces of equal length
  CHECK(twice < 2 * once);
  CHECK((twice - once) / 480 < 5 * 24 + 500);
}

TEST_CASE("a rigid mesh has its points once and follows its poses the short way round") {
  const int frames = 9;
  Written written;
  const Glb glb = written.write({tent(), crate(frames)}, frames);
  CHECK(std::count_if(written.asked.begin(), written.asked.end(),
                      [](auto a) { return a.first == 1; }) == 1);
  CHECK(std::is_sorted(written.asked.begin(), written.asked.end(),
                       [](auto a, auto b) { return a.second < b.second; }));
  CHECK(!glb.json["meshes"][1]["primitives"][0].contains("targets"));
  const GlbMesh mesh = crate(frames);
  for (const Json& channel : glb.json["animations"][0]["channels"]) {
    if (channel["target"]["node"] != 1) continue;
    const auto values =
        glb.floats(glb.json["animations"][0]["samplers"][channel["sampler"].get<int>()]["output"]);
    for (int f = 0; f < frames; ++f) {
      if (channel["target"]["path"] == "translation") {
        CHECK((Vec3(values[3 * f], values[3 * f + 1], values[3 * f + 2]) - mesh.poses[f].position)
                  .norm() < 1e-6);
      } else {
        CHECK(channel["target"]["path"] == "rotation");
        const Quat q(values[4 * f + 3], values[4 * f], values[4 * f + 1], values[4 * f + 2]);
        CHECK(q.norm() == doctest::Approx(1).epsilon(1e-6));
        CHECK(q.angularDistance(mesh.poses[f].rotation) < 1e-5);
        if (f > 0) {
          const Quat p(values[4 * f - 1], values[4 * f - 4], values[4 * f - 3], values[4 * f - 2]);
          CHECK(p.dot(q) >= 0);
        }
      }
    }
  }
}

TEST_CASE("meshes share one weights track; names and colors arrive") {
  const Glb glb = Written().write({tent(), tent(), crate(4)}, 4);
  const Json& samplers = glb.json["animations"][0]["samplers"];
  CHECK(samplers[0]["output"] == samplers[1]["output"]);
  CHECK(glb.json["nodes"][2]["name"] == "crate");
  CHECK(glb.json["scenes"][0]["nodes"] == Json({0, 1, 2}));
  const Json& surface = glb.json["materials"][0]["pbrMetallicRoughness"];
  CHECK(surface["baseColorFactor"] == Json({0.1, 0.5, 1.0, 1.0}));
  CHECK(surface["roughnessFactor"] == 0.6);
  CHECK(glb.floats(glb.json["meshes"][0]["primitives"][0]["indices"]) ==
        std::vector<double>{0, 1, 3, 1, 2, 3, 2, 0, 3});
}

TEST_CASE("one frame makes a still file, no mesh an empty scene") {
  const Glb still = Written().write({tent(), crate(1)}, 1);
  CHECK(!still.json.contains("animations"));
  CHECK(!still.json["meshes"][0].contains("weights"));
  CHECK(still.json["nodes"][1]["translation"][2] == doctest::Approx(0.1));
  GlbMesh bare;
  for (const std::vector<GlbMesh>& meshes : {std::vector<GlbMesh>{}, std::vector<GlbMesh>{bare}}) {
    const Glb empty = Written().write(meshes, 3);
    CHECK(!empty.json.contains("animations"));
    CHECK(!empty.json.contains("buffers"));
    CHECK(!empty.json["scenes"][0].contains("nodes"));
  }
}

TEST_CASE("a name that is not UTF-8 does not break the file") {
  GlbMesh mesh = tent();
  mesh.name = "caf\xE9 \"quoted\"";
  CHECK(has(Written().write({mesh}, 2).json["nodes"][0]["name"].get<std::string>(), "\"quoted\""));
}

TEST_CASE("trouble on the way leaves the old file and nothing aside") {
  const TemporaryFolder folder;
  write_file(folder / "a.glb", "old");
  const std::vector<GlbMesh> meshes = {tent()};
  std::vector<Vec3f> points;
  const auto bad = [&](int, int frame) {
    points = tent_points(frame);
    if (frame == 2) points[1].x() = std::nanf("");
    return std::span<const Vec3f>(points);
  };
  CHECK_THROWS_WITH_AS(write_glb(folder / "a.glb", meshes, 4, 24, bad),
                       "tent is not finite in frame 2", NumericalError);
  CHECK(read_text_file(folder / "a.glb") == "old");
  CHECK(!std::filesystem::exists(folder / "a.glb.part"));
  CHECK_THROWS_AS(write_glb(folder / "missing" / "a.glb", meshes, 4, 24, bad), IoError);
}

TEST_CASE("a film above 4 GiB is refused before anything is written") {
  const TemporaryFolder folder;
  GlbMesh mesh = tent();
  mesh.vertices = 2'000'000;
  const auto never = [](int, int) -> std::span<const Vec3f> { throw std::logic_error("asked"); };
  CHECK(
      has(refusal([&] { write_glb(folder / "a.glb", std::vector{mesh}, 100, 24, never); }), "GB"));
  CHECK(!std::filesystem::exists(folder / "a.glb.part"));
}
