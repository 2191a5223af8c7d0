// glTF 2.0 (Khronos), sections 3.5 (nodes) and 3.7 (meshes): the walk over the scene. Its JSON is
// in gltf_document.h, buffers and accessors (3.6) in gltf_accessors.h.
#include "formats/gltf_read.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "core/errors.h"
#include "formats/gltf_accessors.h"
#include "formats/model_images.h"
#include "formats/problems.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;
using Json = GltfDocument::Json;
using Mat4 = Eigen::Matrix4d;

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const fs::path& path, std::vector<std::string>* warnings,
             Faces* faces)
      : document_(bytes, path, warnings),
        accessors_(document_),
        warnings_(warnings),
        faces_(faces) {
    if (faces) images_.emplace(path.string(), *faces, warnings);
  }

  TriangleMesh read();

 private:
  Mat4 placement(const Json& node, const std::string& where) const;
  std::vector<std::uint64_t> roots() const;
  void add_mesh(std::uint64_t mesh, const Mat4& place, const std::string& name);
  void add_primitive(const Json& primitive, const Mat4& place, const std::string& where);
  int paint_of(const Json& primitive, const std::string& where);
  int image_of(std::uint64_t texture, const std::string& where);
  std::vector<Triangle> triangles_of(const Json& primitive, int mode, std::size_t points,
                                     const std::string& where);

  GltfDocument document_;
  GltfAccessors accessors_;
  std::vector<std::string>* warnings_;
  Faces* faces_;
  TriangleMesh mesh_;
  Tally other_kinds_, skipped_;
  bool skinned_ = false;
  std::optional<ModelImages> images_;
  std::map<std::uint64_t, int> paints_, loaded_;  // by material and image: those of `faces_`
};

Mat4 GltfReader::placement(const Json& node, const std::string& where) const {
  const auto numbers = [&](const char* key, std::size_t count, std::vector<double> otherwise) {
    const auto found = node.find(key);
    if (found == node.end()) return otherwise;
    std::vector<double> values;
    if (found->is_array() && found->size() == count)
      for (const Json& value : *found)
        if (value.is_number() && std::isfinite(double(value))) values.push_back(value);
    if (values.size() != count)
      document_.refuse(where + "/" + key, fmt::format("must be {} finite numbers", count));
    return values;
  };
  Mat4 place = Mat4::Identity();
  if (node.contains("matrix")) {
    const std::vector<double> m = numbers("matrix", 16, {});
    for (int i = 0; i < 16; ++i) place(i % 4, i / 4) = m[std::size_t(i)];
    return place;
  }
  const std::vector<double> t = numbers("translation", 3, {0, 0, 0});
  const std::vector<double> r = numbers("rotation", 4, {0, 0, 0, 1});
  const std::vector<double> s = numbers("scale", 3, {1, 1, 1});
  Quat q(r[3], r[0], r[1], r[2]);
  if (!(q.norm() > 0)) document_.refuse(where + "/rotation", "is zero");
  place.topLeftCorner<3, 3>() =
      q.normalized().toRotationMatrix() * Vec3(s[0], s[1], s[2]).asDiagonal();
  place.topRightCorner<3, 1>() = Vec3(t[0], t[1], t[2]);
  return place;
}

/// Nodes of the default scene; without scenes, those that are nobody's children.
std::vector<std::uint64_t> GltfReader::roots() const {
  std::vector<std::uint64_t> found;
  const auto scenes = document_.json().find("scenes");
  if (scenes != document_.json().end() && scenes->is_array() && !scenes->empty()) {
    const std::uint64_t number = document_.whole(document_.json(), "scene", "").value_or(0);
    const Json& scene = document_.element("scenes", number, "/scene");
    const auto nodes = scene.find("nodes");
    if (nodes != scene.end() && nodes->is_array())
      for (const Json& n : *nodes) {
        if (!n.is_number_unsigned())
          document_.refuse(fmt::format("/scenes/{}/nodes", number), "must be numbers of nodes");
        found.push_back(n);
      }
    return found;
  }
  const auto nodes = document_.json().find("nodes");
  if (nodes == document_.json().end() || !nodes->is_array()) return found;
  std::vector<char> is_child(nodes->size(), 0);
  for (const Json& node : *nodes)
    if (node.is_object() && node.contains("children") && node["children"].is_array())
      for (const Json& child : node["children"])
        if (child.is_number_unsigned() && child.get<std::uint64_t>() < is_child.size())
          is_child[child.get<std::uint64_t>()] = 1;
  for (std::size_t n = 0; n < is_child.size(); ++n)
    if (!is_child[n]) found.push_back(n);
  return found;
}

std::vector<Triangle> GltfReader::triangles_of(const Json& primitive, int mode, std::size_t points,
                                               const std::string& where) {
  std::vector<int> order;
  if (const auto number = document_.whole(primitive, "indices", where)) {
    const GltfValues values = accessors_.read(*number, where + "/indices");
    if (values.columns != 1) document_.refuse(where + "/indices", "must be single numbers");
    order.reserve(values.number.size());
    for (const double v : values.number) {
      if (!(v >= 0 && v < double(points)))
        document_.refuse(where + "/indices",
                         fmt::format("names vertex {}; the mesh has {}", v, points));
      order.push_back(int(v));
    }
  } else {
    order.resize(points);
    for (std::size_t i = 0; i < points; ++i) order[i] = int(i);
  }
  std::vector<Triangle> triangles;
  const std::size_t n = order.size();
  if (mode == 4)
    for (std::size_t i = 0; i + 2 < n; i += 3)
      triangles.push_back({order[i], order[i + 1], order[i + 2]});
  else if (mode == 5)  // every second triangle of a strip runs the other way
    for (std::size_t i = 0; i + 2 < n; ++i)
      triangles.push_back({order[i], order[i + 1 + i % 2], order[i + 2 - i % 2]});
  else
    for (std::size_t i = 1; i + 1 < n; ++i) triangles.push_back({order[i], order[i + 1], order[0]});
  return triangles;
}

// -1 where it cannot be used, which images_ has told.
int GltfReader::image_of(std::uint64_t texture, const std::string& where) {
  const auto source = document_.whole(document_.element("textures", texture, where), "source",
                                      fmt::format("/textures/{}", texture));
  if (!source) return -1;  // an extension has it
  const auto [known, is_new] = loaded_.try_emplace(*source, -1);
  if (!is_new) return known->second;
  const std::string at = fmt::format("/images/{}", *source);
  const Json& image = document_.element("images", *source, where);
  const auto uri = image.find("uri");
  if (uri != image.end() && uri->is_string()) {
    const std::string& text = uri->get_ref<const std::string&>();
    known->second = text.starts_with("data:")
                        ? images_->from_bytes(at, accessors_.load_uri(text, at + "/uri", "images"))
                        : images_->from_file(decoded_uri(text));
  } else if (const auto view = document_.whole(image, "bufferView", at)) {
    std::size_t stride = 0;
    known->second =
        images_->from_bytes(at, std::string(accessors_.view(*view, at + "/bufferView", stride)));
  }
  return known->second;
}

int GltfReader::paint_of(const Json& primitive, const std::string& where) {
  const auto number = document_.whole(primitive, "material", where);
  if (!faces_ || !number) return -1;
  const auto [known, is_new] = paints_.try_emplace(*number, int(faces_->paints.size()));
  if (!is_new) return known->second;
  const std::string at = fmt::format("/materials/{}", *number);
  const Json& material = document_.element("materials", *number, where + "/material");
  Paint paint;
  const auto name = material.find("name");
  if (name != material.end() && name->is_string()) paint.name = std::string(*name);
  const auto look = material.find("pbrMetallicRoughness");
  if (look != material.end() && look->is_object()) {
    const auto color = look->find("baseColorFactor");
    if (color != look->end() && color->is_array() && color->size() >= 3)
      for (std::size_t k = 0; k < 3; ++k)
        if ((*color)[k].is_number())
          paint.color[int(k)] = std::clamp(double((*color)[k]), 0.0, 1.0);
    const auto texture = look->find("baseColorTexture");
    if (texture != look->end() && texture->is_object() &&
        document_.whole(*texture, "texCoord", at).value_or(0) == 0)
      if (const auto index = document_.whole(*texture, "index", at))
        paint.image = image_of(*index, at);
  }
  faces_->paints.push_back(std::move(paint));
  return known->second;
}

void GltfReader::add_primitive(const Json& primitive, const Mat4& place, const std::string& where) {
  if (!primitive.is_object()) document_.refuse(where, "is no object");
  const std::uint64_t mode = document_.whole(primitive, "mode", where).value_or(4);
  if (mode > 6) document_.refuse(where + "/mode", fmt::format("is {}; it must be at most 6", mode));
  if (mode < 4) return other_kinds_.add(0);
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end() || !attributes->is_object())
    document_.refuse(where + "/attributes", "is missing");
  const auto position = document_.whole(*attributes, "POSITION", where + "/attributes");
  if (!position) return other_kinds_.add(0);  // allowed: an extension might bring it
  const GltfValues points = accessors_.read(*position, where + "/attributes/POSITION");
  if (points.columns != 3)
    document_.refuse(where + "/attributes/POSITION", "must be vectors of three");
  const std::vector<Triangle> triangles = triangles_of(primitive, int(mode), points.rows(), where);
  const std::size_t taken = points.rows() + triangles.size();
  if (taken > document_.room)
    document_.refuse(where, "would take more memory than a file of this size may",
                     "it uses one mesh very often");
  document_.room -= taken;

  const int first = int(mesh_.points.size());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const Eigen::Vector4d p(points.number[3 * i], points.number[3 * i + 1],
                            points.number[3 * i + 2], 1);
    const Vec3 placed = (place * p).head<3>();
    if (!placed.allFinite())
      document_.refuse(where + "/attributes/POSITION",
                       fmt::format("makes vertex {} not finite", i));
    mesh_.points.push_back(placed);
  }
  bool textured = false;
  if (faces_) {
    if (const auto number = document_.whole(*attributes, "TEXCOORD_0", where + "/attributes")) {
      const GltfValues uv = accessors_.read(*number, where + "/attributes/TEXCOORD_0");
      textured = uv.columns == 2 && uv.rows() == points.rows();
      // Vertex and texture coordinates have the same number; parts before may have had none.
      if (textured) faces_->uv.resize(std::size_t(first), Eigen::Vector2f::Zero());
      for (std::size_t i = 0; textured && i < uv.rows(); ++i)
        faces_->uv.emplace_back(float(uv.number[2 * i]), float(1 - uv.number[2 * i + 1]));
    }
  }
  const int paint = paint_of(primitive, where);
  const bool mirrored = place.topLeftCorner<3, 3>().determinant() < 0;
  for (const Triangle& t : triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      if (mode == 4) skipped_.add(0);  // strips use them on purpose
      continue;
    }
    Triangle placed{t[0] + first, t[1] + first, t[2] + first};
    if (mirrored) std::swap(placed[1], placed[2]);
    mesh_.triangles.push_back(placed);
    if (!faces_) continue;
    faces_->add(placed, textured ? std::span<const int>(placed) : std::span<const int>(),
                {&placed, 1});
    faces_->set_paint(paint);
  }
}

void GltfReader::add_mesh(std::uint64_t number, const Mat4& place, const std::string& name) {
  const Json& mesh = document_.element("meshes", number, "/nodes");
  const std::string where = fmt::format("/meshes/{}", number);
  const auto primitives = mesh.find("primitives");
  if (primitives == mesh.end() || !primitives->is_array())
    document_.refuse(where + "/primitives", "is missing");
  const int first = int(mesh_.triangles.size());
  for (std::size_t p = 0; p < primitives->size(); ++p)
    add_primitive((*primitives)[p], place, fmt::format("{}/primitives/{}", where, p));
  std::string group = name;
  const auto own = mesh.find("name");
  if (group.empty() && own != mesh.end() && own->is_string()) group = std::string(*own);
  if (group.empty() || first == int(mesh_.triangles.size())) return;
  TriangleMesh::Group& made = mesh_.groups.emplace_back();
  made.name = group;
  for (int t = first; t < int(mesh_.triangles.size()); ++t) made.triangles.push_back(t);
}

TriangleMesh GltfReader::read() {
  struct Visit {
    std::uint64_t node;
    Mat4 place;  // of its parent
  };
  std::vector<Visit> waiting;
  const std::vector<std::uint64_t> first = roots();
  for (auto node = first.rbegin(); node != first.rend(); ++node)
    waiting.push_back({*node, Mat4::Identity()});
  const auto nodes = document_.json().find("nodes");
  std::vector<char> met(nodes != document_.json().end() && nodes->is_array() ? nodes->size() : 0,
                        0);
  while (!waiting.empty()) {
    const Visit visit = waiting.back();
    waiting.pop_back();
    const std::string where = fmt::format("/nodes/{}", visit.node);
    const Json& node = document_.element("nodes", visit.node, "/nodes");
    if (met[visit.node])
      document_.refuse(where, "is reached twice: a cycle, or a node with two parents");
    met[visit.node] = 1;
    const Mat4 place = visit.place * placement(node, where);
    const auto own = node.find("name");
    const std::string name = own != node.end() && own->is_string() ? std::string(*own) : "";
    skinned_ = skinned_ || node.contains("skin");
    // Scaled to nothing means hidden, by the standard: one piece of a long film, for instance.
    const bool hidden = place.topLeftCorner<3, 3>().isZero(0);
    const auto mesh = document_.whole(node, "mesh", where);
    if (mesh && !hidden) add_mesh(*mesh, place, name);
    const auto children = node.find("children");
    if (children == node.end()) continue;
    if (!children->is_array()) document_.refuse(where + "/children", "is no list");
    for (auto child = children->rbegin(); child != children->rend(); ++child) {
      if (!child->is_number_unsigned())
        document_.refuse(where + "/children", "must be numbers of nodes");
      waiting.push_back({child->get<std::uint64_t>(), place});
    }
  }
  if (mesh_.triangles.empty())
    document_.refuse("", "has no surface: its scene contains no triangles");
  if (other_kinds_.count > 0)
    warn(warnings_, document_.file(),
         fmt::format("{} parts made of points or lines were left out", other_kinds_.count));
  if (skipped_.count > 0)
    warn(warnings_, document_.file(),
         fmt::format("{} triangles with equal corners were skipped", skipped_.count));
  if (skinned_)
    warn(warnings_, document_.file(),
         "it has a skeleton; the shape is taken before the skeleton moves it");
  if (faces_) faces_->groups = mesh_.groups;
  return std::move(mesh_);
}

}  // namespace

TriangleMesh parse_gltf(std::string_view bytes, const std::filesystem::path& path,
                        std::vector<std::string>* warnings, Faces* faces) {
  if (bytes.empty()) throw InputError(path.string(), "", "is an empty file");
  return GltfReader(bytes, path, warnings, faces).read();
}

}  // namespace pliant
