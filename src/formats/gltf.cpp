// glTF 2.0 (Khronos). A .glb is a 12-byte head, a JSON chunk that describes, and a binary chunk
// that holds:
//
//   | head | JSON, padded with spaces | times, weights, switches | poses | images, indices |
//   uv, colors | piece 1 | piece 2 | ...
//
// A piece is a run of frames of a mesh: the first as it is, the others as changes from it (morph
// targets). Blocks of pieces lie by frames, as the points come.
// All sizes are known beforehand, but the JSON must name the bounds of every frame. So its place is
// kept free with room for the longest numbers, and filled in when the last frame has passed.
#include "formats/gltf.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

#include "core/assert.h"
#include "core/errors.h"
#include "formats/bytes.h"
#include "formats/frame_file.h"
#include "formats/gltf_description.h"

namespace pliant {
namespace {

using Json = GltfDescription::Json;
using Vec3f = Eigen::Vector3f;

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

/// Frames `first` to `last` of a film, both within: neighbours share a frame.
struct Piece {
  int first, last;
  int targets() const { return last - first; }
};

// Equal but for one frame, so that all pieces share at most two tables of weights.
std::vector<Piece> cut_into_pieces(int begin, int end, int most_targets) {
  const int steps = end - begin, count = std::max(1, (steps + most_targets - 1) / most_targets);
  std::vector<Piece> pieces;
  for (int i = 0, first = begin; i < count; ++i) {
    const int last = begin + int(std::int64_t(steps) * (i + 1) / count);
    pieces.push_back({first, last});
    first = last;
  }
  return pieces;
}

float time_of(int frame, double fps) { return float(frame / fps); }

// As floats, of unit length, and on the same side of the sphere as `before`.
Eigen::Vector4f rotation_of(const Pose& pose, const Eigen::Vector4f& before) {
  const Eigen::Vector4f q =
      pose.rotation.normalized().coeffs().cast<float>().normalized();  // x y z w
  return q.dot(before) < 0 ? Eigen::Vector4f(-q) : q;
}

/// Triangles of a mesh with one paint: what glTF calls a primitive.
struct Range {
  int paint;  // -1 = the mesh's color
  std::vector<int> triangles;
};

std::vector<Range> ranges_of(const GlbMesh& mesh) {
  std::map<int, Range> ranges;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    const int paint = mesh.paint.empty() ? -1 : mesh.paint[std::size_t(t)];
    Range& range = ranges.try_emplace(paint, Range{paint, {}}).first->second;
    range.triangles.push_back(t);
  }
  std::vector<Range> list;
  for (auto& [paint, range] : ranges) list.push_back(std::move(range));
  return list;
}

// All views begin at whole words.
std::uint64_t padded(std::uint64_t bytes) { return (bytes + 3) / 4 * 4; }

class GlbWriter {
 public:
  using Positions = FunctionRef<std::span<const Vec3f>(int, int)>;

  GlbWriter(std::span<const GlbMesh> meshes, int frames, double fps, Positions positions,
            const GlbOptions& options)
      : frames_(frames), fps_(fps), positions_(positions), job_(options.job) {
    for (std::size_t m = 0; m < meshes.size(); ++m) {
      const GlbMesh& mesh = meshes[m];
      ASSERT(mesh.uv.empty() || int(mesh.uv.size()) == mesh.vertices, "one pair per vertex");
      ASSERT(mesh.place.empty() || int(mesh.place.size()) == mesh.vertices, "one per vertex");
      ASSERT(mesh.poses.empty() || int(mesh.poses.size()) == frames, "one pose per frame");
      ASSERT(mesh.paint.empty() || mesh.paint.size() == mesh.triangles.size(), "one a triangle");
      ASSERT(mesh.colors.empty() || int(mesh.colors.size()) == mesh.vertices, "one per vertex");
      for (const Triangle& t : mesh.triangles)
        for (const int corner : t)
          ASSERT(corner >= 0 && corner < mesh.vertices, "corner names a vertex");
      if (mesh.triangles.empty()) continue;
      Part part;
      part.mesh = &mesh;
      part.number = int(m);
      part.ranges = ranges_of(mesh);
      const int last = mesh.last < 0 ? frames - 1 : mesh.last;
      ASSERT(mesh.first >= 0 && mesh.first <= last && last < frames, "frames that there are");
      ASSERT(mesh.poses.empty() || (mesh.first == 0 && last == frames - 1),
             "what moves rigidly is there all the time");
      part.deforms = mesh.poses.empty() && last > mesh.first;
      part.moves = mesh.poses.size() > 1;
      part.pieces = part.deforms ? cut_into_pieces(mesh.first, last, options.most_targets)
                                 : std::vector<Piece>{{mesh.first, mesh.first}};
      part.end = last + 1;
      part.is_cut = part.pieces.size() > 1 || mesh.first > 0 || part.end < frames;
      parts_.push_back(std::move(part));
    }
    lay_out_blocks();
  }

  void write(const std::filesystem::path& path);

 private:
  struct Part {
    const GlbMesh* mesh = nullptr;
    std::vector<Range> ranges;
    int number = 0;        // as `positions` knows it
    bool deforms = false;  // its points change
    bool moves = false;    // it has poses that change
    bool is_cut = false;   // its pieces are switched on and off
    int end = 0;           // the frame in which it is no longer there
    std::vector<Piece> pieces;
    std::vector<Vec3f> base, base_normals;
    int base_frame = -1;  // whose points `base` holds
  };

  /// A frame of a piece. A frame where two pieces of a part meet is there twice: as the last of
  /// one, as the base of the next.
  struct Block {
    int part, piece, frame;
    bool opens_view;  // the first of a buffer view
    Bounds bounds = widest;
  };

  void lay_out_blocks();

  // The description, and the sizes that follow from it.
  std::string describe();
  void describe_tracks(GltfDescription& to);
  void describe_piece_tracks(GltfDescription& to, Part& part, std::size_t piece);
  int describe_material(GltfDescription& to, const GlbMesh& mesh, int paint,
                        const std::vector<int>& textures);
  void describe_shapes(GltfDescription& to);
  void describe_blocks(GltfDescription& to);
  void describe_nodes(GltfDescription& to);
  void describe_animation(GltfDescription& to);
  Json describe_block(GltfDescription& to, const Block& block, int view, std::uint64_t& offset);

  // The bytes, in the order of the views.
  void append_tracks(FrameFile& file) const;
  void append_poses(FrameFile& file) const;
  void append_shapes(FrameFile& file) const;
  void append_block(FrameFile& file, Block& block);
  void take_points(Part& part, int frame);

  bool is_whole(const Piece& piece) const { return piece.first == 0 && piece.last == frames_ - 1; }
  Piece switched(const Part& part, std::size_t piece) const;
  std::vector<float> switch_times(const Piece& on) const;
  std::vector<float> switch_scales(const Piece& on) const;

  int frames_;
  double fps_;
  Positions positions_;
  std::string job_;
  std::vector<Part> parts_;
  std::vector<Block> blocks_;
  std::vector<Vec3f> normals_, sums_;
  std::span<const Vec3f> points_;
  std::string bytes_;

  std::uint64_t binary_bytes_ = 0;
  // Accessors and lists of the description in the making.
  using Frames = std::pair<int, int>;
  int times_ = -1;                             // of all frames
  std::map<int, int> weights_;                 // by number of targets
  std::map<Frames, int> piece_times_;          // by first and last frame
  std::map<Frames, Frames> switches_;          // times and scales, by frames of on and off
  std::vector<int> translations_, rotations_;  // per part; -1 where there is none
  std::vector<std::vector<Json>> primitives_;  // per part and range, without positions
  std::vector<std::vector<int>> mesh_nodes_;   // per part: its nodes with a mesh
  std::vector<std::vector<int>> meshes_;       // per part
};

// By frames, and in each frame first what continues and then what begins there.
void GlbWriter::lay_out_blocks() {
  for (int frame = 0; frame < frames_; ++frame)
    for (const bool begins : {false, true}) {
      const std::size_t group = blocks_.size();
      for (std::size_t p = 0; p < parts_.size(); ++p)
        for (std::size_t i = 0; i < parts_[p].pieces.size(); ++i) {
          const Piece& piece = parts_[p].pieces[i];
          if (frame < piece.first || frame > piece.last) continue;
          const bool follows = i > 0 && frame == piece.first;
          if (follows == begins) blocks_.push_back({int(p), int(i), frame, false});
        }
      const auto is_base = [&](const Block& b) {
        return parts_[b.part].pieces[b.piece].first == b.frame;
      };
      if (std::any_of(blocks_.begin() + std::ptrdiff_t(group), blocks_.end(), is_base))
        blocks_[group].opens_view = true;
    }
}

void GlbWriter::describe_tracks(GltfDescription& to) {
  translations_.assign(parts_.size(), -1);
  rotations_.assign(parts_.size(), -1);
  times_ = -1;
  weights_.clear();
  piece_times_.clear(), switches_.clear();
  const auto needs_all = [&](const Part& p) { return p.moves || (p.deforms && !p.is_cut); };
  if (std::any_of(parts_.begin(), parts_.end(), needs_all))
    times_ = to.add_times(0, time_of(frames_ - 1, fps_), std::uint64_t(frames_));
  for (Part& part : parts_)
    for (std::size_t i = 0; i < part.pieces.size(); ++i)
      if (part.deforms || part.is_cut) describe_piece_tracks(to, part, i);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    if (!parts_[p].moves) continue;
    translations_[p] = to.add_floats(std::uint64_t(frames_), "VEC3", 3);
    rotations_[p] = to.add_floats(std::uint64_t(frames_), "VEC4", 4);
  }
}

// What other pieces have already is shared.
void GlbWriter::describe_piece_tracks(GltfDescription& to, Part& part, std::size_t i) {
  const Piece& piece = part.pieces[i];
  const std::uint64_t targets = std::uint64_t(piece.targets());
  if (part.deforms) {
    const Frames frames(piece.first, piece.last);
    if (is_whole(piece) && !part.is_cut) piece_times_[frames] = times_;
    else if (!piece_times_.contains(frames))
      piece_times_[frames] =
          to.add_times(time_of(piece.first, fps_), time_of(piece.last, fps_), targets + 1);
    if (!weights_.contains(piece.targets()))
      weights_[piece.targets()] = to.add_floats(targets * (targets + 1), "SCALAR", 1);
  }
  const Piece on = switched(part, i);
  if (!part.is_cut || switches_.contains({on.first, on.last})) return;
  const std::vector<float> times = switch_times(on);
  const int when = to.add_times(times.front(), times.back(), times.size());
  switches_[{on.first, on.last}] = {when, to.add_floats(times.size(), "VEC3", 3)};
}

// The frames in which a piece is switched on and off; the last one is after the end for one that
// stays. Where pieces of a part meet both show the same frame.
Piece GlbWriter::switched(const Part& part, std::size_t i) const {
  const bool is_last = i + 1 == part.pieces.size();
  return {part.pieces[i].first, is_last ? part.end : part.pieces[i].last};
}

std::vector<float> GlbWriter::switch_times(const Piece& on) const {
  std::vector<float> times = {0};
  if (on.first > 0) times.push_back(time_of(on.first, fps_));
  if (on.last < frames_) times.push_back(time_of(on.last, fps_));
  return times;
}

std::vector<float> GlbWriter::switch_scales(const Piece& on) const {
  std::vector<float> scales = {on.first == 0 ? 1.0f : 0.0f};
  if (on.first > 0) scales.push_back(1);
  if (on.last < frames_) scales.push_back(0);
  return scales;
}

int GlbWriter::describe_material(GltfDescription& to, const GlbMesh& mesh, int paint,
                                 const std::vector<int>& textures) {
  const Paint own{mesh.name, mesh.colors.empty() ? mesh.color : Vec3(Vec3::Ones()), -1};
  const Paint& shown = paint < 0 ? own : mesh.paints[std::size_t(paint)];
  const Vec3 color = shown.color.cwiseMax(0).cwiseMin(1);
  Json look = {{"baseColorFactor", {color.x(), color.y(), color.z(), 1.0}}};
  if (shown.image >= 0 && !mesh.uv.empty())
    look["baseColorTexture"] = {{"index", textures[std::size_t(shown.image)]}};
  look["metallicFactor"] = 0.0;
  look["roughnessFactor"] = 0.6;
  return to.add("materials", {{"name", shown.name.empty() ? mesh.name : shown.name},
                              {"pbrMetallicRoughness", look},
                              {"doubleSided", true}});
}

void GlbWriter::describe_shapes(GltfDescription& to) {
  primitives_.assign(parts_.size(), {});
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const GlbMesh& mesh = *parts_[p].mesh;
    std::vector<int> textures;
    for (const EncodedImage& image : mesh.images) {
      const int source =
          to.add("images", {{"bufferView", to.add_view(padded(image.bytes->size()))},
                            {"mimeType", image.is_png() ? "image/png" : "image/jpeg"}});
      textures.push_back(to.add("textures", {{"source", source}}));
    }
    for (const Range& range : parts_[p].ranges) {
      const std::uint64_t count = 3 * range.triangles.size();
      const int indices =
          to.add_accessor(to.add_view(4 * count, gltf_indices), 0, count, gltf_uint, "SCALAR");
      const int material = describe_material(to, mesh, range.paint, textures);
      primitives_[p].push_back(
          {{"attributes", Json::object()}, {"indices", indices}, {"material", material}});
    }
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto share = [&](const char* name, std::uint64_t count, int width, const char* type) {
      if (count == 0) return;
      const int accessor = to.add_accessor(
          to.add_view(4 * count * std::uint64_t(width), gltf_vertices), 0, count, gltf_float, type);
      for (Json& primitive : primitives_[p]) primitive["attributes"][name] = accessor;
    };
    share("TEXCOORD_0", parts_[p].mesh->uv.size(), 2, "VEC2");
    share("COLOR_0", parts_[p].mesh->colors.size(), 3, "VEC3");
  }
}

// Positions, then normals.
Json GlbWriter::describe_block(GltfDescription& to, const Block& block, int view,
                               std::uint64_t& offset) {
  const std::uint64_t count = std::uint64_t(parts_[block.part].mesh->vertices);
  const auto list = [](const Vec3f& v) { return Json::array({v.x(), v.y(), v.z()}); };
  Json attributes;
  attributes["POSITION"] = to.add_accessor(view, offset, count, gltf_float, "VEC3",
                                           list(block.bounds.low), list(block.bounds.high));
  attributes["NORMAL"] = to.add_accessor(view, offset + 12 * count, count, gltf_float, "VEC3");
  offset += 24 * count;
  return attributes;
}

// A view from each frame in which pieces begin to the next such frame.
void GlbWriter::describe_blocks(GltfDescription& to) {
  std::map<std::pair<int, int>, Json> meshes;  // by part and piece
  std::vector<std::pair<int, int>> order;
  int view = -1;
  std::uint64_t offset = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    if (block.opens_view) {
      std::uint64_t bytes = 0;
      for (std::size_t c = b; c < blocks_.size() && (c == b || !blocks_[c].opens_view); ++c)
        bytes += 24 * std::uint64_t(parts_[blocks_[c].part].mesh->vertices);
      view = to.add_view(bytes, gltf_vertices, 12);
      offset = 0;
    }
    const Part& part = parts_[block.part];
    const Piece& piece = part.pieces[block.piece];
    Json attributes = describe_block(to, block, view, offset);
    const std::pair key(block.part, block.piece);
    if (block.frame != piece.first) {
      for (Json& shape : meshes[key]["primitives"]) shape["targets"].push_back(attributes);
      continue;
    }
    order.push_back(key);
    Json shapes = Json::array();
    for (Json shape : primitives_[block.part]) {
      shape["attributes"].update(attributes);
      shapes.push_back(std::move(shape));
    }
    meshes[key] = {{"name", part.mesh->name}};
    if (part.deforms) meshes[key]["weights"] = std::vector<int>(std::size_t(piece.targets()), 0);
    meshes[key]["primitives"] = std::move(shapes);
  }
  for (const auto& key : order) meshes_[key.first].push_back(to.add("meshes", meshes[key]));
}

void GlbWriter::describe_nodes(GltfDescription& to) {
  Json roots = Json::array();
  mesh_nodes_.assign(parts_.size(), {});
  for (std::size_t p = 0, end = 0; p < parts_.size(); p = end) {
    // Meshes of one object that follow each other are pieces like those of one mesh.
    const std::string& name = parts_[p].mesh->name;
    std::size_t pieces = 0;
    for (end = p; end < parts_.size() &&
                  (end == p || (parts_[end].mesh->name == name && parts_[end].mesh->first > 0));
         ++end)
      pieces += meshes_[end].size();
    Json children = Json::array();
    for (std::size_t part = p; part < end; ++part)
      for (std::size_t i = 0; i < meshes_[part].size(); ++i) {
        const GlbMesh& mesh = *parts_[part].mesh;
        Json node = {{"name", pieces > 1 ? fmt::format("{}_{}", name, children.size() + 1) : name},
                     {"mesh", meshes_[part][i]}};
        if (parts_[part].pieces[i].first > 0) node["scale"] = {0, 0, 0};  // until its time comes
        if (!mesh.poses.empty()) {
          const Vec3f move = mesh.poses[0].position.cast<float>();
          const Eigen::Vector4f turn = rotation_of(mesh.poses[0], Eigen::Vector4f::Zero());
          node["translation"] = {move.x(), move.y(), move.z()};
          node["rotation"] = {turn[0], turn[1], turn[2], turn[3]};
        }
        mesh_nodes_[part].push_back(to.add("nodes", node));
        children.push_back(mesh_nodes_[part].back());
      }
    roots.push_back(pieces > 1 ? Json(to.add("nodes", {{"name", name}, {"children", children}}))
                               : children[0]);
  }
  Json scene = {{"name", "pliant"}};
  if (!roots.empty()) scene["nodes"] = std::move(roots);  // empty lists are not allowed
  to.add("scenes", scene);
}

void GlbWriter::describe_animation(GltfDescription& to) {
  Json channels = Json::array(), samplers = Json::array();
  const auto add = [&](int node, const char* track, int input, int output, const char* between) {
    channels.push_back(
        {{"sampler", samplers.size()}, {"target", {{"node", node}, {"path", track}}}});
    samplers.push_back({{"input", input}, {"output", output}, {"interpolation", between}});
  };
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::vector<int>& nodes = mesh_nodes_[p];
    const Part& part = parts_[p];
    for (std::size_t i = 0; i < part.pieces.size(); ++i) {
      const Piece& piece = part.pieces[i];
      if (part.deforms)
        add(nodes[i], "weights", piece_times_.at({piece.first, piece.last}),
            weights_.at(piece.targets()), "LINEAR");
      if (!part.is_cut) continue;
      const Piece on = switched(part, i);
      const Frames& track = switches_.at({on.first, on.last});
      add(nodes[i], "scale", track.first, track.second, "STEP");
    }
    if (translations_[p] >= 0) add(nodes[0], "translation", times_, translations_[p], "LINEAR");
    if (rotations_[p] >= 0) add(nodes[0], "rotation", times_, rotations_[p], "LINEAR");
  }
  if (!channels.empty())
    to.add("animations", {{"name", "motion"}, {"channels", channels}, {"samplers", samplers}});
}

std::string GlbWriter::describe() {
  GltfDescription to;
  meshes_.assign(parts_.size(), {});
  describe_tracks(to);
  describe_shapes(to);
  describe_blocks(to);
  describe_nodes(to);
  describe_animation(to);
  binary_bytes_ = to.bytes();
  return to.text();
}

void GlbWriter::append_tracks(FrameFile& file) const {
  std::string bytes;
  const auto put_times = [&](int first, int last) {
    for (int frame = first; frame <= last; ++frame) put(bytes, time_of(frame, fps_));
  };
  if (times_ >= 0) put_times(0, frames_ - 1);
  std::set<int> tables;
  std::set<Frames> times, switches;
  for (const Part& part : parts_)
    for (std::size_t i = 0; i < part.pieces.size(); ++i) {
      const Piece& piece = part.pieces[i];
      const int targets = piece.targets();
      const bool has_own_times = part.deforms && !(is_whole(piece) && !part.is_cut);
      if (has_own_times && times.emplace(piece.first, piece.last).second)
        put_times(piece.first, piece.last);
      const bool is_new = part.deforms && tables.insert(targets).second;
      for (int key = 0; key <= targets && is_new; ++key) {
        for (int target = 1; target <= targets; ++target) put(bytes, target == key ? 1.0f : 0.0f);
        file.append(bytes);
        bytes.clear();
      }
      const Piece on = switched(part, i);
      if (!part.is_cut || !switches.emplace(on.first, on.last).second) continue;
      for (const float time : switch_times(on)) put(bytes, time);
      for (const float scale : switch_scales(on))
        for (int k = 0; k < 3; ++k) put(bytes, scale);
    }
  file.append(bytes);
}

void GlbWriter::append_poses(FrameFile& file) const {
  std::string bytes;
  for (const Part& part : parts_) {
    if (!part.moves) continue;
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

void GlbWriter::append_shapes(FrameFile& file) const {
  std::string bytes;
  for (const Part& part : parts_) {
    for (const EncodedImage& image : part.mesh->images) {
      bytes = *image.bytes;
      bytes.resize(std::size_t(padded(bytes.size())), '\0');
      file.append(bytes);
    }
    bytes.clear();
    for (const Range& range : part.ranges)
      for (const int t : range.triangles)
        for (const int corner : part.mesh->triangles[std::size_t(t)])
          put(bytes, std::uint32_t(corner));
    file.append(bytes);
  }
  for (const Part& part : parts_) {
    bytes.clear();
    for (const Eigen::Vector2f& uv : part.mesh->uv) {
      put(bytes, uv.x());
      put(bytes, 1 - uv.y());  // glTF counts from above
    }
    for (const Eigen::Vector3f& color : part.mesh->colors)
      for (int k = 0; k < 3; ++k) put(bytes, color[k]);
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

void GlbWriter::take_points(Part& part, int frame) {
  points_ = positions_(part.number, frame);
  ASSERT(int(points_.size()) == part.mesh->vertices, "as many points as the mesh has vertices");
  for (const Vec3f& p : points_)
    if (!p.allFinite())
      throw NumericalError(fmt::format("{} is not finite in frame {}", part.mesh->name, frame));
  compute_normals(points_, part.mesh->triangles, part.mesh->place, sums_, normals_);
}

// The first frame of the piece itself, or the change from there.
void GlbWriter::append_block(FrameFile& file, Block& block) {
  Part& part = parts_[block.part];
  const int base = part.pieces[block.piece].first, frame = block.frame;
  Bounds& bounds = block.bounds;
  if (file.has_next()) {
    const FrameFile::Note note = file.take_next();
    bounds = {{note[0], note[1], note[2]}, {note[3], note[4], note[5]}};
    return;
  }
  if (part.base_frame != base) {  // also when the base is there from an earlier attempt
    take_points(part, base);
    part.base.assign(points_.begin(), points_.end());
    part.base_normals = normals_;
    part.base_frame = base;
  }
  if (frame != base) take_points(part, frame);
  bounds = Bounds();
  bytes_.clear();
  for (std::size_t i = 0; i < part.base.size(); ++i) {
    const Vec3f value = frame == base ? part.base[i] : Vec3f(points_[i] - part.base[i]);
    if (!value.allFinite())
      throw NumericalError(fmt::format("{} moves too far in frame {}", part.mesh->name, frame));
    bounds.low = bounds.low.cwiseMin(value);
    bounds.high = bounds.high.cwiseMax(value);
    for (int k = 0; k < 3; ++k) put(bytes_, value[k]);
  }
  for (std::size_t i = 0; i < part.base.size(); ++i) {
    const Vec3f value =
        frame == base ? part.base_normals[i] : Vec3f(normals_[i] - part.base_normals[i]);
    for (int k = 0; k < 3; ++k) put(bytes_, value[k]);
  }
  file.append(bytes_);
  file.end_frame({bounds.low.x(), bounds.low.y(), bounds.low.z(), bounds.high.x(), bounds.high.y(),
                  bounds.high.z()});
}

void GlbWriter::write(const std::filesystem::path& path) {
  const std::uint64_t room = (describe().size() + 3) / 4 * 4;
  const std::uint64_t binary_part = binary_bytes_ > 0 ? 8 + binary_bytes_ : 0;
  const std::uint64_t total = 12 + 8 + room + binary_part;
  if (total > std::numeric_limits<std::uint32_t>::max())
    throw InputError(
        path.string(), "",
        fmt::format("would have {:.1f} GB; a .glb file ends at 4.3", double(total) * 1e-9),
        "write fewer frames or a coarser skin");

  FrameFile file(path, job_);
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
    append_poses(file);
    append_shapes(file);
    for (Block& block : blocks_) append_block(file, block);
  }
  ASSERT(file.length() == total, "the sizes promised are the sizes written");
  const std::string json = describe();
  ASSERT(json.size() <= room, "the description fits the room kept for it");
  file.overwrite(20, json);
  file.commit();
}

}  // namespace

void write_glb(const std::filesystem::path& path, std::span<const GlbMesh> meshes, int frames,
               double fps,
               FunctionRef<std::span<const Eigen::Vector3f>(int mesh, int frame)> positions,
               const GlbOptions& options) {
  ASSERT(frames >= 1 && fps > 0, "at least one frame, and time goes on");
  ASSERT(options.most_targets >= 1, "a piece moves");
  GlbWriter(meshes, frames, fps, positions, options).write(path);
}

}  // namespace pliant
