// glTF 2.0 (Khronos). A .glb is a 12-byte head, a JSON chunk that describes, and a binary chunk
// that holds:
//
//   | head | JSON, padded with spaces | times | weights | poses | indices | uv | frame 0 | frame 1
//   | ...
//
// All sizes are known beforehand, but the JSON must name the bounds of every frame. So its place is
// kept free with room for the longest numbers, and filled in when the last frame has passed.
#include "formats/gltf.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/assert.h"
#include "core/errors.h"
#include "formats/bytes.h"
#include "formats/part_file.h"

namespace pliant {
namespace {

using Json = nlohmann::ordered_json;
using Vec3f = Eigen::Vector3f;

// Names of the standard's numbers.
constexpr int float_component = 5126, uint_component = 5125;
constexpr int vertex_target = 34962, index_target = 34963;
constexpr std::uint32_t magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

struct Bounds {
  Vec3f low = Vec3f::Constant(std::numeric_limits<float>::infinity());
  Vec3f high = Vec3f::Constant(-std::numeric_limits<float>::infinity());
};

// No float is longer in digits: 24 characters.
const Bounds widest = [] {
  Bounds b;
  b.low = b.high = Vec3f::Constant(-std::numeric_limits<float>::min());
  return b;
}();

class GlbWriter {
 public:
  using Positions = FunctionRef<std::span<const Vec3f>(int, int)>;

  GlbWriter(std::span<const GlbMesh> meshes, int frames, double fps, Positions positions)
      : frames_(frames), fps_(fps), positions_(positions) {
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const GlbMesh& mesh = meshes[m];
      ASSERT(mesh.uv.empty() || int(mesh.uv.size()) == mesh.vertices, "one pair per vertex");
      ASSERT(mesh.place.empty() || int(mesh.place.size()) == mesh.vertices, "one per vertex");
      ASSERT(mesh.poses.empty() || int(mesh.poses.size()) == frames, "one pose per frame");
      for (const Triangle& t : mesh.triangles)
        for (const int corner : t)
          ASSERT(corner >= 0 && corner < mesh.vertices, "corner names a vertex");
      if (mesh.triangles.empty()) continue;
      Part part{&mesh, int(m), mesh.poses.empty() ? frames : 1, {}, {}, {}};
      part.bounds.assign(std::size_t(part.frames), widest);
      parts_.push_back(std::move(part));
    }
  }

  void write(const std::filesystem::path& path);

 private:
  struct Part {
    const GlbMesh* mesh;
    int number;  // as `positions` knows it
    int frames;  // that have points of their own
    std::vector<Bounds> bounds;
    std::vector<Vec3f> base, base_normals;  // frame 0
    bool deforms() const { return frames > 1; }
    bool moves() const { return mesh->poses.size() > 1; }
  };

  // The description, and the sizes that follow from it.
  Json describe();
  int add_view(std::uint64_t bytes, int target = 0, int stride = 0);
  int add_accessor(int view, std::uint64_t offset, std::uint64_t count, int component,
                   const char* type);
  int add_bounded(int view, std::uint64_t offset, std::uint64_t count, const Bounds& bounds);
  void describe_tracks();
  void describe_geometry();
  void describe_nodes();
  void describe_animation();

  // The bytes, in the order of the views.
  void append_tracks(PartFile& file) const;
  void append_indices(PartFile& file) const;
  void append_frame(PartFile& file, Part& part, int frame);

  int frames_;
  double fps_;
  Positions positions_;
  std::vector<Part> parts_;
  std::vector<Vec3f> normals_, sums_;
  std::string bytes_;

  Json json_;
  std::uint64_t binary_bytes_ = 0;
  int times_ = -1, weights_ = -1;                        // accessors shared by all channels
  std::vector<int> translations_, rotations_, texture_;  // per part; -1 where there is none
};

int GlbWriter::add_view(std::uint64_t bytes, int target, int stride) {
  Json view = {{"buffer", 0}, {"byteOffset", binary_bytes_}, {"byteLength", bytes}};
  if (stride > 0) view["byteStride"] = stride;
  if (target > 0) view["target"] = target;
  binary_bytes_ += bytes;  // all numbers have four bytes, so everything stays aligned
  json_["bufferViews"].push_back(std::move(view));
  return int(json_["bufferViews"].size()) - 1;
}

int GlbWriter::add_accessor(int view, std::uint64_t offset, std::uint64_t count, int component,
                            const char* type) {
  Json accessor = {{"bufferView", view}};
  if (offset > 0) accessor["byteOffset"] = offset;
  accessor["componentType"] = component;
  accessor["count"] = count;
  accessor["type"] = type;
  json_["accessors"].push_back(std::move(accessor));
  return int(json_["accessors"].size()) - 1;
}

int GlbWriter::add_bounded(int view, std::uint64_t offset, std::uint64_t count,
                           const Bounds& bounds) {
  const int accessor = add_accessor(view, offset, count, float_component, "VEC3");
  const auto list = [](const Vec3f& v) { return Json::array({v.x(), v.y(), v.z()}); };
  json_["accessors"].back()["min"] = list(bounds.low);
  json_["accessors"].back()["max"] = list(bounds.high);
  return accessor;
}

float time_of(int frame, double fps) { return float(frame / fps); }

void GlbWriter::describe_tracks() {
  translations_.assign(parts_.size(), -1);
  rotations_.assign(parts_.size(), -1);
  times_ = weights_ = -1;
  bool deforming = false, moving = false;
  for (const Part& part : parts_) {
    deforming = deforming || part.deforms();
    moving = moving || part.moves();
  }
  if (!deforming && !moving) return;
  const std::uint64_t frames = std::uint64_t(frames_);
  times_ = add_accessor(add_view(4 * frames), 0, frames, float_component, "SCALAR");
  json_["accessors"].back()["min"] = Json::array({time_of(0, fps_)});
  json_["accessors"].back()["max"] = Json::array({time_of(frames_ - 1, fps_)});
  if (deforming) {
    const std::uint64_t numbers = frames * (frames - 1);
    weights_ = add_accessor(add_view(4 * numbers), 0, numbers, float_component, "SCALAR");
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p].moves()) continue;
    translations_[p] = add_accessor(add_view(12 * frames), 0, frames, float_component, "VEC3");
    rotations_[p] = add_accessor(add_view(16 * frames), 0, frames, float_component, "VEC4");
  }
}

void GlbWriter::describe_geometry() {
  texture_.clear();
  for (const Part& part : parts_) {
    const std::uint64_t count = 3 * part.mesh->triangles.size();
    const int indices =
        add_accessor(add_view(4 * count, index_target), 0, count, uint_component, "SCALAR");
    const Vec3 color = part.mesh->color.cwiseMax(0).cwiseMin(1);
    json_["materials"].push_back({{"name", part.mesh->name},
                                  {"pbrMetallicRoughness",
                                   {{"baseColorFactor", {color.x(), color.y(), color.z(), 1.0}},
                                    {"metallicFactor", 0.0},
                                    {"roughnessFactor", 0.6}}},
                                  {"doubleSided", true}});
    texture_.push_back(-1);
    Json primitive = {{"attributes", Json::object()},
                      {"indices", indices},
                      {"material", json_["materials"].size() - 1}};
    json_["meshes"].push_back(
        {{"name", part.mesh->name}, {"primitives", Json::array({primitive})}});
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::uint64_t count = parts_[p].mesh->uv.size();
    if (count > 0)
      texture_[p] =
          add_accessor(add_view(8 * count, vertex_target), 0, count, float_component, "VEC2");
  }
  for (int frame = 0; frame < frames_; ++frame) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Part& part = parts_[p];
      if (frame >= part.frames) continue;
      const std::uint64_t count = std::uint64_t(part.mesh->vertices);
      const int view = add_view(24 * count, vertex_target, 12);  // positions, then normals
      Json attributes;
      attributes["POSITION"] = add_bounded(view, 0, count, part.bounds[frame]);
      attributes["NORMAL"] = add_accessor(view, 12 * count, count, float_component, "VEC3");
      if (frame == 0 && texture_[p] >= 0) attributes["TEXCOORD_0"] = texture_[p];
      Json& mesh = json_["meshes"][p];
      if (frame == 0) mesh["primitives"][0]["attributes"] = std::move(attributes);
      else mesh["primitives"][0]["targets"].push_back(std::move(attributes));
      if (frame > 0) mesh["weights"].push_back(0);
    }
  }
}

// As floats, of unit length, and on the same side of the sphere as `before`.
Eigen::Vector4f rotation_of(const Pose& pose, const Eigen::Vector4f& before) {
  const Eigen::Vector4f q =
      pose.rotation.normalized().coeffs().cast<float>().normalized();  // x y z w
  return q.dot(before) < 0 ? Eigen::Vector4f(-q) : q;
}

void GlbWriter::describe_nodes() {
  Json children = Json::array();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const GlbMesh& mesh = *parts_[p].mesh;
    Json node = {{"name", mesh.name}, {"mesh", p}};
    if (!mesh.poses.empty()) {
      const Vec3f move = mesh.poses[0].position.cast<float>();
      const Eigen::Vector4f turn = rotation_of(mesh.poses[0], Eigen::Vector4f::Zero());
      node["translation"] = {move.x(), move.y(), move.z()};
      node["rotation"] = {turn[0], turn[1], turn[2], turn[3]};
    }
    json_["nodes"].push_back(std::move(node));
    children.push_back(p);
  }
  Json scene = {{"name", "pliant"}};
  if (!children.empty()) scene["nodes"] = std::move(children);  // empty lists are not allowed
  json_["scene"] = 0;
  json_["scenes"] = Json::array({scene});
}

void GlbWriter::describe_animation() {
  if (times_ < 0) return;
  Json channels = Json::array(), samplers = Json::array();
  const auto add = [&](std::size_t node, const char* track, int output) {
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", track}}}});
    samplers.push_back({{"input", times_}, {"output", output}, {"interpolation", "LINEAR"}});
  };
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (parts_[p].deforms()) add(p, "weights", weights_);
    if (translations_[p] >= 0) add(p, "translation", translations_[p]);
    if (rotations_[p] >= 0) add(p, "rotation", rotations_[p]);
  }
  json_["animations"] =
      Json::array({{{"name", "motion"}, {"channels", channels}, {"samplers", samplers}}});
}

Json GlbWriter::describe() {
  json_ = {{"asset", {{"version", "2.0"}, {"generator", "pliant"}}}};
  binary_bytes_ = 0;
  describe_tracks();
  describe_geometry();
  describe_nodes();
  describe_animation();
  if (binary_bytes_ > 0) json_["buffers"] = Json::array({{{"byteLength", binary_bytes_}}});
  return std::move(json_);
}

void GlbWriter::append_tracks(PartFile& file) const {
  std::string bytes;
  if (times_ >= 0)
    for (int frame = 0; frame < frames_; ++frame) put(bytes, time_of(frame, fps_));
  file.append(bytes);
  for (int frame = 0; weights_ >= 0 && frame < frames_; ++frame) {
    bytes.clear();
    for (int target = 1; target < frames_; ++target) put(bytes, target == frame ? 1.0f : 0.0f);
    file.append(bytes);
  }
  for (const Part& part : parts_) {
    if (!part.moves()) continue;
    bytes.clear();
    for (const Pose& pose : part.mesh->poses)
      for (int k = 0; k < 3; ++k) put(bytes, float(pose.position[k]));
    Eigen::Vector4f turn = Eigen::Vector4f::Zero();
    for (const Pose& pose : part.mesh->poses) {
      turn = rotation_of(pose, turn);
      for (int k = 0; k < 4; ++k) put(bytes, turn[k]);
    }
    file.append(bytes);
  }
}

void GlbWriter::append_indices(PartFile& file) const {
  std::string bytes;
  for (const Part& part : parts_) {
    bytes.clear();
    for (const Triangle& t : part.mesh->triangles)
      for (const int corner : t) put(bytes, std::uint32_t(corner));
    file.append(bytes);
  }
  for (const Part& part : parts_) {
    bytes.clear();
    for (const Eigen::Vector2f& uv : part.mesh->uv) {
      put(bytes, uv.x());
      put(bytes, 1 - uv.y());  // glTF counts from above
    }
    file.append(bytes);
  }
}

// Mean of the neighbouring triangles, weighted by area. Unit length even where there is none:
// viewers and validators insist.
void compute_normals(std::span<const Vec3f> points, std::span<const Triangle> triangles,
                     std::span<const int> place, std::vector<Vec3f>& sums,
                     std::vector<Vec3f>& normals) {
  normals.assign(points.size(), Vec3f::Zero());
  for (const Triangle& t : triangles) {
    const Vec3f area = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
    for (const int corner : t) normals[corner] += area;
  }
  if (!place.empty()) {
    sums.assign(std::size_t(*std::max_element(place.begin(), place.end())) + 1, Vec3f::Zero());
    for (std::size_t i = 0; i < points.size(); ++i) sums[place[i]] += normals[i];
    for (std::size_t i = 0; i < points.size(); ++i) normals[i] = sums[place[i]];
  }
  for (Vec3f& normal : normals) {
    const double length = normal.cast<double>().norm();  // squares of small floats would vanish
    normal = length > 0 && std::isfinite(length)
                 ? Vec3f((normal.cast<double>() / length).cast<float>())
                 : Vec3f(Vec3f::UnitY());
  }
}

void GlbWriter::append_frame(PartFile& file, Part& part, int frame) {
  const std::span<const Vec3f> points = positions_(part.number, frame);
  ASSERT(int(points.size()) == part.mesh->vertices, "as many points as the mesh has vertices");
  compute_normals(points, part.mesh->triangles, part.mesh->place, sums_, normals_);
  if (frame == 0) {
    part.base.assign(points.begin(), points.end());
    part.base_normals = normals_;
  }
  Bounds& bounds = part.bounds[frame] = Bounds();
  bytes_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3f value = frame == 0 ? points[i] : Vec3f(points[i] - part.base[i]);
    if (!value.allFinite())
      throw NumericalError(fmt::format("{} is not finite in frame {}", part.mesh->name, frame));
    bounds.low = bounds.low.cwiseMin(value);
    bounds.high = bounds.high.cwiseMax(value);
    for (int k = 0; k < 3; ++k) put(bytes_, value[k]);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3f value = frame == 0 ? normals_[i] : Vec3f(normals_[i] - part.base_normals[i]);
    for (int k = 0; k < 3; ++k) put(bytes_, value[k]);
  }
  file.append(bytes_);
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);  // names may be no UTF-8
}

void GlbWriter::write(const std::filesystem::path& path) {
  const std::uint64_t room = (dumped(describe()).size() + 3) / 4 * 4;
  const std::uint64_t binary_part = binary_bytes_ > 0 ? 8 + binary_bytes_ : 0;
  const std::uint64_t total = 12 + 8 + room + binary_part;
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw InputError(
        path.string(), "",
        fmt::format("would have {:.1f} GB; a .glb file ends at 4.3", double(total) * 1e-9),
        "write fewer frames or a coarser skin");

  PartFile file(path);
  std::string head;
  for (const std::uint32_t word :
       {magic, 2u, std::uint32_t(total), std::uint32_t(room), json_chunk})
    put(head, word);
  file.append(head);
  file.append(std::string(room, ' '));
  if (binary_bytes_ > 0) {
    head.clear();
    for (const std::uint32_t word : {std::uint32_t(binary_bytes_), binary_chunk}) put(head, word);
    file.append(head);
    append_tracks(file);
    append_indices(file);
    for (int frame = 0; frame < frames_; ++frame)
      for (Part& part : parts_)
        if (frame < part.frames) append_frame(file, part, frame);
  }
  ASSERT(file.length() == total, "the sizes promised are the sizes written");
  const std::string json = dumped(describe());
  ASSERT(json.size() <= room, "the description fits the room kept for it");
  file.overwrite(20, json);
  file.commit();
}

}  // namespace

void write_glb(const std::filesystem::path& path, std::span<const GlbMesh> meshes, int frames,
               double fps,
               FunctionRef<std::span<const Eigen::Vector3f>(int mesh, int frame)> positions) {
  ASSERT(frames >= 1 && fps > 0, "at least one frame, and time goes on");
  GlbWriter(meshes, frames, fps, positions).write(path);
}

}  // namespace pliant
