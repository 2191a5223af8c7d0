// glTF 2.0 (Khronos), sections 3.6 (buffers, accessors), 3.7 (meshes) and 3.5 (nodes). The file is
// JSON that names ranges of bytes; every range is checked against the bytes there are before
// anything is read or reserved.
#include "formats/gltf_read.h"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/errors.h"
#include "core/files.h"
#include "formats/base64.h"
#include "formats/bytes.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Mat4 = Eigen::Matrix4d;

constexpr int deepest = 64;  // levels of JSON; glTF needs about ten
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

struct Chunks {
  std::string_view json, binary;
};

Chunks chunks_of(std::string_view bytes, const std::string& file,
                 std::vector<std::string>* warnings) {
  if (!is_glb(bytes)) return {checked_text(bytes, file), {}};
  const auto refuse = [&](std::size_t at, const std::string& what) {
    throw InputError(file, fmt::format("byte {}", at), what);
  };
  if (bytes.size() < 20) refuse(0, "starts a .glb file that ends before its first chunk");
  const auto word = [&](std::size_t at) {
    return get<std::uint32_t>(bytes.substr(at), std::endian::little);
  };
  if (word(4) != 2) refuse(4, fmt::format("says version {}; version 2 is read", word(4)));
  if (word(8) > bytes.size())
    refuse(8, fmt::format("promises {} bytes, but the file has {}", word(8), bytes.size()));
  if (word(8) < bytes.size())
    warn(warnings, file,
         fmt::format("{} bytes after its end were left out", bytes.size() - word(8)));
  bytes = bytes.substr(0, word(8));
  Chunks chunks;
  std::size_t at = 12;
  for (int number = 0; at + 8 <= bytes.size(); ++number) {
    const std::uint64_t length = word(at), kind = word(at + 4);
    if (length > bytes.size() - at - 8)
      refuse(at, fmt::format("promises a chunk of {} bytes, but {} follow", length,
                             bytes.size() - at - 8));
    const std::string_view content = bytes.substr(at + 8, std::size_t(length));
    if (number == 0 && kind != json_chunk) refuse(at + 4, "should start the JSON chunk");
    if (number == 0) chunks.json = content;
    else if (kind == binary_chunk && chunks.binary.data() == nullptr) chunks.binary = content;
    at += 8 + std::size_t(length) + (4 - length % 4) % 4;
  }
  if (chunks.json.empty()) refuse(12, "should start the JSON chunk");
  return chunks;
}

/// Numbers of one accessor, row by row.
struct Values {
  std::vector<double> number;
  int columns = 0;
  std::size_t rows() const { return columns == 0 ? 0 : number.size() / std::size_t(columns); }
};

class GltfReader {
 public:
  GltfReader(std::string_view bytes, const fs::path& path, std::vector<std::string>* warnings,
             Faces* faces)
      : file_(path.string()), folder_(path.parent_path()), warnings_(warnings), faces_(faces) {
    chunks_ = chunks_of(bytes, file_, warnings);
    // What all meshes together may take: files may use one mesh many times.
    room_ = 1'000'000 + bytes.size() / 2;
    parse();
  }

  TriangleMesh read();

 private:
  [[noreturn]] void refuse(const std::string& where, const std::string& what,
                           const std::string& hint = "") const {
    throw InputError(file_, where, what, hint);
  }
  void parse();
  void check_extensions() const;

  // Members of the document, checked.
  const Json& element(const char* list, std::uint64_t index, const std::string& from) const;
  std::optional<std::uint64_t> whole(const Json& object, const char* key,
                                     const std::string& where) const;
  std::uint64_t needed(const Json& object, const char* key, const std::string& where) const;

  std::string_view buffer(std::uint64_t index, const std::string& from);
  std::string load_uri(const std::string& uri, const std::string& where) const;
  std::string_view view(std::uint64_t index, const std::string& from, std::size_t& stride);
  Values accessor(std::uint64_t index, const std::string& from);
  void read_rows(std::string_view bytes, std::size_t stride, std::uint64_t count, int component,
                 bool normalized, Values& values, const std::string& where);
  void read_sparse(const Json& sparse, int component, bool normalized, Values& values,
                   const std::string& where);

  Mat4 placement(const Json& node, const std::string& where) const;
  std::vector<std::uint64_t> roots() const;
  void add_mesh(std::uint64_t mesh, const Mat4& place, const std::string& name);
  void add_primitive(const Json& primitive, const Mat4& place, const std::string& where);
  std::vector<Triangle> triangles_of(const Json& primitive, int mode, std::size_t points,
                                     const std::string& where);

  std::string file_;
  fs::path folder_;
  std::vector<std::string>* warnings_;
  Faces* faces_;
  Chunks chunks_;
  Json json_;
  std::vector<std::optional<std::string>> loaded_;  // buffers that are not the binary chunk
  TriangleMesh mesh_;
  std::size_t room_ = 0;
  Tally other_kinds_, skipped_;
  bool skinned_ = false;
};

void GltfReader::parse() {
  try {
    // Too deep parts are dropped while parsing, so that hostile nesting takes no memory.
    bool too_deep = false;
    json_ = Json::parse(chunks_.json, [&](int depth, Json::parse_event_t, Json&) {
      too_deep = too_deep || depth > deepest;
      return depth <= deepest;
    });
    if (too_deep) refuse("", fmt::format("nests its JSON deeper than {} levels", deepest));
  } catch (const Json::parse_error& error) {
    throw InputError(file_, fmt::format("byte {} of its JSON", error.byte), "is not JSON");
  }
  if (!json_.is_object()) refuse("", "is not glTF: its JSON is no object");
  const auto asset = json_.find("asset");
  if (asset == json_.end() || !asset->is_object()) refuse("/asset", "is missing; is it glTF?");
  const auto version = asset->find("version");
  const std::string text =
      version != asset->end() && version->is_string() ? std::string(*version) : "";
  if (!text.starts_with("2."))
    refuse("/asset/version", fmt::format("is {}; 2.0 is read", in_quotes(text)));
}

void GltfReader::check_extensions() const {
  const auto list = json_.find("extensionsRequired");
  if (list == json_.end() || !list->is_array()) return;
  for (const Json& name : *list) {
    const std::string text = name.is_string() ? std::string(name) : "";
    bool harmless = text == "KHR_mesh_quantization";
    for (const char* about_looks :
         {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"})
      harmless = harmless || text.starts_with(about_looks);
    if (!harmless)
      refuse("/extensionsRequired",
             fmt::format("needs the extension {}, which is not read", in_quotes(text)),
             "export it again without compression");
  }
}

const Json& GltfReader::element(const char* list, std::uint64_t index,
                                const std::string& from) const {
  const auto found = json_.find(list);
  const std::size_t size = found != json_.end() && found->is_array() ? found->size() : 0;
  if (index >= size) refuse(from, fmt::format("is {}; there are {} {}", index, size, list));
  const Json& value = (*found)[index];
  if (!value.is_object()) refuse(fmt::format("/{}/{}", list, index), "is no object");
  return value;
}

std::optional<std::uint64_t> GltfReader::whole(const Json& object, const char* key,
                                               const std::string& where) const {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_number_unsigned()) return found->get<std::uint64_t>();
  if (found->is_number_float()) {  // some exporters write 3.0
    const double value = *found;
    if (value >= 0 && value < 9e15 && value == std::floor(value)) return std::uint64_t(value);
  }
  refuse(where + "/" + key, "must be a whole number, 0 or above");
}

std::uint64_t GltfReader::needed(const Json& object, const char* key,
                                 const std::string& where) const {
  const std::optional<std::uint64_t> value = whole(object, key, where);
  if (!value) refuse(where + "/" + key, "is missing");
  return *value;
}

std::string GltfReader::load_uri(const std::string& uri, const std::string& where) const {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(";base64,");
    if (comma == std::string::npos) refuse(where, "is a data: URI that is not base64");
    const std::string_view text = std::string_view(uri).substr(comma + 8);
    const std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    if (text.find_first_not_of(digits) != std::string_view::npos)
      refuse(where, "is a data: URI with characters that are not base64");
    return decode_base64(text, text.size());
  }
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digit = [](char c) {
      return c >= '0' && c <= '9'                 ? c - '0'
             : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                  : -1;
    };
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      name += char(16 * digit(uri[i + 1]) + digit(uri[i + 2]));
      i += 2;
    } else {
      name += uri[i];
    }
  }
  const fs::path relative(name);
  bool leads_out = name.empty() || relative.is_absolute() || name.find(':') != std::string::npos ||
                   name.find('\\') != std::string::npos || name.find('\0') != std::string::npos ||
                   name[0] == '~';
  for (const fs::path& part : relative) leads_out = leads_out || part == "..";
  std::error_code error;
  if (!leads_out) {  // links are followed before the folder is checked
    const fs::path home = fs::weakly_canonical(folder_.empty() ? fs::path(".") : folder_, error);
    const fs::path target = fs::weakly_canonical(home / relative, error);
    const auto differ = std::mismatch(home.begin(), home.end(), target.begin(), target.end());
    leads_out = error || differ.first != home.end();
  }
  if (leads_out)
    refuse(where,
           fmt::format("is {}; buffers must be files in the model's folder", in_quotes(uri)));
  return read_text_file(folder_ / relative);
}

std::string_view GltfReader::buffer(std::uint64_t index, const std::string& from) {
  const Json& object = element("buffers", index, from);
  const std::string where = fmt::format("/buffers/{}", index);
  const std::uint64_t length = needed(object, "byteLength", where);
  std::string_view bytes;
  const auto uri = object.find("uri");
  if (uri == object.end()) {
    if (index != 0 || chunks_.binary.data() == nullptr)
      refuse(where, "has neither a uri nor bytes in the file");
    bytes = chunks_.binary;
  } else {
    if (!uri->is_string()) refuse(where + "/uri", "must be a text");
    if (loaded_.size() <= index) loaded_.resize(std::size_t(index) + 1);
    if (!loaded_[index])
      loaded_[index] = load_uri(uri->get_ref<const std::string&>(), where + "/uri");
    bytes = *loaded_[index];
  }
  if (length > bytes.size())
    refuse(where + "/byteLength",
           fmt::format("is {}, but there are {} bytes", length, bytes.size()));
  return bytes.substr(0, std::size_t(length));
}

std::string_view GltfReader::view(std::uint64_t index, const std::string& from,
                                  std::size_t& stride) {
  const Json& object = element("bufferViews", index, from);
  const std::string where = fmt::format("/bufferViews/{}", index);
  const std::string_view bytes = buffer(needed(object, "buffer", where), where + "/buffer");
  const std::uint64_t offset = whole(object, "byteOffset", where).value_or(0);
  const std::uint64_t length = needed(object, "byteLength", where);
  if (offset > bytes.size() || length > bytes.size() - offset)
    refuse(where, fmt::format("reaches byte {} of a buffer of {}", offset + length, bytes.size()));
  stride = std::size_t(whole(object, "byteStride", where).value_or(0));
  return bytes.substr(std::size_t(offset), std::size_t(length));
}

int component_size(int component) {
  switch (component) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

double component_value(std::string_view from, int component, bool normalized) {
  constexpr std::endian order = std::endian::little;
  switch (component) {
    case 5120: {
      const double v = get<std::int8_t>(from, order);
      return normalized ? std::max(v / 127, -1.0) : v;
    }
    case 5121:
      return get<std::uint8_t>(from, order) / (normalized ? 255.0 : 1.0);
    case 5122: {
      const double v = get<std::int16_t>(from, order);
      return normalized ? std::max(v / 32767, -1.0) : v;
    }
    case 5123:
      return get<std::uint16_t>(from, order) / (normalized ? 65535.0 : 1.0);
    case 5125:
      return get<std::uint32_t>(from, order);
    default:
      return get<float>(from, order);
  }
}

void GltfReader::read_rows(std::string_view bytes, std::size_t stride, std::uint64_t count,
                           int component, bool normalized, Values& values,
                           const std::string& where) {
  const std::size_t size = std::size_t(component_size(component));
  const std::size_t row = size * std::size_t(values.columns);
  if (stride == 0) stride = row;
  if (stride < row) refuse(where, fmt::format("has rows of {} bytes, {} bytes apart", row, stride));
  if (count > 0 && (bytes.size() < row || count - 1 > (bytes.size() - row) / stride))
    refuse(where + "/count", fmt::format("is {}, but only {} bytes follow", count, bytes.size()));
  values.number.reserve(std::size_t(count) * std::size_t(values.columns));
  for (std::uint64_t r = 0; r < count; ++r)
    for (int k = 0; k < values.columns; ++k)
      values.number.push_back(component_value(
          bytes.substr(std::size_t(r) * stride + std::size_t(k) * size), component, normalized));
}

void GltfReader::read_sparse(const Json& sparse, int component, bool normalized, Values& values,
                             const std::string& where) {
  if (!sparse.is_object()) refuse(where, "is no object");
  const std::uint64_t count = needed(sparse, "count", where);
  const auto part = [&](const char* key, int kind, int columns) {
    const auto found = sparse.find(key);
    if (found == sparse.end() || !found->is_object()) refuse(where + "/" + key, "is missing");
    const std::string place = where + "/" + key;
    if (kind == 0) kind = int(needed(*found, "componentType", place));
    if (component_size(kind) == 0) refuse(place + "/componentType", "is unknown");
    std::size_t stride = 0;
    std::string_view bytes =
        view(needed(*found, "bufferView", place), place + "/bufferView", stride);
    const std::uint64_t offset = whole(*found, "byteOffset", place).value_or(0);
    if (offset > bytes.size()) refuse(place + "/byteOffset", "lies behind the end");
    Values read;
    read.columns = columns;
    read_rows(bytes.substr(std::size_t(offset)), 0, count, kind, columns > 1 && normalized, read,
              place);
    return read;
  };
  const Values index = part("indices", 0, 1);
  const Values value = part("values", component, values.columns);
  double before = -1;
  for (std::size_t i = 0; i < index.rows(); ++i) {
    const double row = index.number[i];
    if (!(row > before) || !(row < double(values.rows())))
      refuse(where + "/indices",
             fmt::format("names row {} of {} out of order or range", row, values.rows()));
    before = row;
    for (int k = 0; k < values.columns; ++k)
      values.number[std::size_t(row) * std::size_t(values.columns) + std::size_t(k)] =
          value.number[i * std::size_t(values.columns) + std::size_t(k)];
  }
}

Values GltfReader::accessor(std::uint64_t index, const std::string& from) {
  const Json& object = element("accessors", index, from);
  const std::string where = fmt::format("/accessors/{}", index);
  const int component =
      int(std::min<std::uint64_t>(needed(object, "componentType", where), 100000));
  if (component_size(component) == 0) refuse(where + "/componentType", "is unknown");
  const std::uint64_t count = needed(object, "count", where);
  const auto type = object.find("type");
  const std::string name = type != object.end() && type->is_string() ? std::string(*type) : "";
  Values values;
  values.columns = name == "SCALAR" ? 1 : name == "VEC2" ? 2 : name == "VEC3" ? 3 : 0;
  if (values.columns == 0)
    refuse(where + "/type",
           fmt::format("is {}; a scalar or a vector was expected", in_quotes(name)));
  const auto flag = object.find("normalized");
  const bool normalized = flag != object.end() && flag->is_boolean() && bool(*flag);
  if (const auto number = whole(object, "bufferView", where)) {
    std::size_t stride = 0;
    const std::string_view bytes = view(*number, where + "/bufferView", stride);
    const std::uint64_t offset = whole(object, "byteOffset", where).value_or(0);
    if (offset > bytes.size()) refuse(where + "/byteOffset", "lies behind the end of its view");
    read_rows(bytes.substr(std::size_t(offset)), stride, count, component, normalized, values,
              where);
  } else {  // zeros, to be filled by the sparse part
    if (count > room_)
      refuse(where + "/count", fmt::format("is {}, more than the file can fill", count));
    values.number.assign(std::size_t(count) * std::size_t(values.columns), 0.0);
  }
  const auto sparse = object.find("sparse");
  if (sparse != object.end())
    read_sparse(*sparse, component, normalized, values, where + "/sparse");
  return values;
}

Mat4 GltfReader::placement(const Json& node, const std::string& where) const {
  const auto numbers = [&](const char* key, std::size_t count, std::vector<double> otherwise) {
    const auto found = node.find(key);
    if (found == node.end()) return otherwise;
    std::vector<double> values;
    if (found->is_array() && found->size() == count)
      for (const Json& value : *found)
        if (value.is_number() && std::isfinite(double(value))) values.push_back(value);
    if (values.size() != count)
      refuse(where + "/" + key, fmt::format("must be {} finite numbers", count));
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
  if (!(q.norm() > 0)) refuse(where + "/rotation", "is zero");
  place.topLeftCorner<3, 3>() =
      q.normalized().toRotationMatrix() * Vec3(s[0], s[1], s[2]).asDiagonal();
  place.topRightCorner<3, 1>() = Vec3(t[0], t[1], t[2]);
  return place;
}

/// Nodes of the default scene; without scenes, those that are nobody's children.
std::vector<std::uint64_t> GltfReader::roots() const {
  std::vector<std::uint64_t> found;
  const auto scenes = json_.find("scenes");
  if (scenes != json_.end() && scenes->is_array() && !scenes->empty()) {
    const std::uint64_t number = whole(json_, "scene", "").value_or(0);
    const Json& scene = element("scenes", number, "/scene");
    const auto nodes = scene.find("nodes");
    if (nodes != scene.end() && nodes->is_array())
      for (const Json& n : *nodes) {
        if (!n.is_number_unsigned())
          refuse(fmt::format("/scenes/{}/nodes", number), "must be numbers of nodes");
        found.push_back(n);
      }
    return found;
  }
  const auto nodes = json_.find("nodes");
  if (nodes == json_.end() || !nodes->is_array()) return found;
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
  if (const auto number = whole(primitive, "indices", where)) {
    const Values values = accessor(*number, where + "/indices");
    if (values.columns != 1) refuse(where + "/indices", "must be single numbers");
    order.reserve(values.number.size());
    for (const double v : values.number) {
      if (!(v >= 0 && v < double(points)))
        refuse(where + "/indices", fmt::format("names vertex {}; the mesh has {}", v, points));
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

void GltfReader::add_primitive(const Json& primitive, const Mat4& place, const std::string& where) {
  if (!primitive.is_object()) refuse(where, "is no object");
  const std::uint64_t mode = whole(primitive, "mode", where).value_or(4);
  if (mode > 6) refuse(where + "/mode", fmt::format("is {}; it must be at most 6", mode));
  if (mode < 4) return other_kinds_.add(0);
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end() || !attributes->is_object())
    refuse(where + "/attributes", "is missing");
  const auto position = whole(*attributes, "POSITION", where + "/attributes");
  if (!position) return other_kinds_.add(0);  // allowed: an extension might bring it
  const Values points = accessor(*position, where + "/attributes/POSITION");
  if (points.columns != 3) refuse(where + "/attributes/POSITION", "must be vectors of three");
  const std::vector<Triangle> triangles = triangles_of(primitive, int(mode), points.rows(), where);
  const std::size_t taken = points.rows() + triangles.size();
  if (taken > room_)
    refuse(where, "would take more memory than a file of this size may",
           "it uses one mesh very often");
  room_ -= taken;

  const int first = int(mesh_.points.size());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const Eigen::Vector4d p(points.number[3 * i], points.number[3 * i + 1],
                            points.number[3 * i + 2], 1);
    const Vec3 placed = (place * p).head<3>();
    if (!placed.allFinite())
      refuse(where + "/attributes/POSITION", fmt::format("makes vertex {} not finite", i));
    mesh_.points.push_back(placed);
  }
  bool textured = false;
  if (faces_) {
    if (const auto number = whole(*attributes, "TEXCOORD_0", where + "/attributes")) {
      const Values uv = accessor(*number, where + "/attributes/TEXCOORD_0");
      textured = uv.columns == 2 && uv.rows() == points.rows();
      // Vertex and texture coordinates have the same number; parts before may have had none.
      if (textured) faces_->uv.resize(std::size_t(first), Eigen::Vector2f::Zero());
      for (std::size_t i = 0; textured && i < uv.rows(); ++i)
        faces_->uv.emplace_back(float(uv.number[2 * i]), float(1 - uv.number[2 * i + 1]));
    }
  }
  const bool mirrored = place.topLeftCorner<3, 3>().determinant() < 0;
  for (const Triangle& t : triangles) {
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
      if (mode == 4) skipped_.add(0);  // strips use them on purpose
      continue;
    }
    Triangle placed{t[0] + first, t[1] + first, t[2] + first};
    if (mirrored) std::swap(placed[1], placed[2]);
    mesh_.triangles.push_back(placed);
    if (faces_)
      faces_->add(placed, textured ? std::span<const int>(placed) : std::span<const int>(),
                  {&placed, 1});
  }
}

void GltfReader::add_mesh(std::uint64_t number, const Mat4& place, const std::string& name) {
  const Json& mesh = element("meshes", number, "/nodes");
  const std::string where = fmt::format("/meshes/{}", number);
  const auto primitives = mesh.find("primitives");
  if (primitives == mesh.end() || !primitives->is_array())
    refuse(where + "/primitives", "is missing");
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
  check_extensions();
  struct Visit {
    std::uint64_t node;
    Mat4 place;  // of its parent
  };
  std::vector<Visit> waiting;
  const std::vector<std::uint64_t> first = roots();
  for (auto node = first.rbegin(); node != first.rend(); ++node)
    waiting.push_back({*node, Mat4::Identity()});
  const auto nodes = json_.find("nodes");
  std::vector<char> met(nodes != json_.end() && nodes->is_array() ? nodes->size() : 0, 0);
  while (!waiting.empty()) {
    const Visit visit = waiting.back();
    waiting.pop_back();
    const std::string where = fmt::format("/nodes/{}", visit.node);
    const Json& node = element("nodes", visit.node, "/nodes");
    if (met[visit.node]) refuse(where, "is reached twice: a cycle, or a node with two parents");
    met[visit.node] = 1;
    const Mat4 place = visit.place * placement(node, where);
    const auto own = node.find("name");
    const std::string name = own != node.end() && own->is_string() ? std::string(*own) : "";
    skinned_ = skinned_ || node.contains("skin");
    // Scaled to nothing means hidden, by the standard: one piece of a long film, for instance.
    const bool hidden = place.topLeftCorner<3, 3>().isZero(0);
    const auto mesh = whole(node, "mesh", where);
    if (mesh && !hidden) add_mesh(*mesh, place, name);
    const auto children = node.find("children");
    if (children == node.end()) continue;
    if (!children->is_array()) refuse(where + "/children", "is no list");
    for (auto child = children->rbegin(); child != children->rend(); ++child) {
      if (!child->is_number_unsigned()) refuse(where + "/children", "must be numbers of nodes");
      waiting.push_back({child->get<std::uint64_t>(), place});
    }
  }
  if (mesh_.triangles.empty()) refuse("", "has no surface: its scene contains no triangles");
  if (other_kinds_.count > 0)
    warn(warnings_, file_,
         fmt::format("{} parts made of points or lines were left out", other_kinds_.count));
  if (skipped_.count > 0)
    warn(warnings_, file_,
         fmt::format("{} triangles with equal corners were skipped", skipped_.count));
  if (skinned_)
    warn(warnings_, file_, "it has a skeleton; the shape is taken before the skeleton moves it");
  if (faces_) faces_->groups = mesh_.groups;
  return std::move(mesh_);
}

}  // namespace

bool is_glb(std::string_view bytes) {
  return bytes.size() >= 4 && get<std::uint32_t>(bytes, std::endian::little) == glb_magic;
}

TriangleMesh parse_gltf(std::string_view bytes, const std::filesystem::path& path,
                        std::vector<std::string>* warnings, Faces* faces) {
  if (bytes.empty()) throw InputError(path.string(), "", "is an empty file");
  return GltfReader(bytes, path, warnings, faces).read();
}

}  // namespace pliant
