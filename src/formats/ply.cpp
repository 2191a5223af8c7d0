#include "formats/ply.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/assert.h"
#include "core/files.h"
#include "formats/bytes.h"
#include "formats/ply_header.h"
#include "formats/polygon.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

using ply::Element;
using ply::Encoding;
using ply::Header;
using ply::Property;
using ply::Type;

// Numbers one after the other, from words or from bytes.
class Source {
 public:
  Source(std::string_view data, const Header& header, const std::string& file)
      : all_(data),
        rest_(data.substr(header.bytes)),
        encoding_(header.encoding),
        file_(file),
        line_(header.lines + 1) {
    if (is_text() && rest_.find('\0') < rest_.find_last_not_of('\0'))
      throw InputError(file_, "", "says it is text, but holds bytes that are none");
  }

  bool is_text() const { return encoding_ == Encoding::ascii; }
  std::size_t left() const { return rest_.size(); }

  /// Line or byte of the next number.
  std::int64_t place() {
    if (!is_text()) return std::int64_t(all_.size() - rest_.size());
    skip_spaces();
    return line_;
  }
  /// The same in words.
  std::string where(std::int64_t at) const {
    return fmt::format("{} {}", is_text() ? "line" : "byte", at);
  }

  double read(Type type) {
    last_ = place();
    return is_text() ? read_word() : read_bytes(type);
  }

  void skip_bytes(std::uint64_t count) {
    last_ = place();
    if (count > rest_.size()) refuse_end();
    rest_.remove_prefix(std::size_t(count));
  }

  /// Names what was being read when the file ends or makes no sense.
  void set_row(const Element& element, std::uint64_t row) {
    element_ = &element.name;
    row_ = row;
  }

  [[noreturn]] void refuse(const std::string& what) {
    throw InputError(file_, where(last_), fmt::format("{} in {} {}", what, *element_, row_ + 1));
  }

 private:
  [[noreturn]] void refuse_end() { refuse("is where the file ends too early,"); }

  void skip_spaces() {
    while (!rest_.empty() &&
           (rest_.front() == ' ' || (rest_.front() >= '\t' && rest_.front() <= '\r'))) {
      // CRLF counts at its second half.
      const bool ends = rest_.front() == '\n' ||
                        (rest_.front() == '\r' && (rest_.size() < 2 || rest_[1] != '\n'));
      if (ends) ++line_;
      rest_.remove_prefix(1);
    }
  }

  double read_word() {
    const std::string_view word = next_word(rest_);
    if (word.empty() || word.front() == '\0') refuse_end();
    double value = 0;
    const NumberKind kind = parse_number(word, value);
    if (kind == NumberKind::not_a_number)
      refuse(fmt::format("has {} instead of a number", in_quotes(word)));
    return kind == NumberKind::finite ? value : std::nan("");
  }

  double read_bytes(Type type) {
    const std::size_t size = ply::size_of(type);
    if (rest_.size() < size) refuse_end();
    const std::endian order =
        encoding_ == Encoding::little ? std::endian::little : std::endian::big;
    const std::string_view from = rest_;
    rest_.remove_prefix(size);
    switch (type) {
      case Type::int8:
        return get<std::int8_t>(from, order);
      case Type::uint8:
        return get<std::uint8_t>(from, order);
      case Type::int16:
        return get<std::int16_t>(from, order);
      case Type::uint16:
        return get<std::uint16_t>(from, order);
      case Type::int32:
        return get<std::int32_t>(from, order);
      case Type::uint32:
        return get<std::uint32_t>(from, order);
      case Type::float32:
        return get<float>(from, order);
      case Type::float64:
        return get<double>(from, order);
    }
    return 0;
  }

  std::string_view all_, rest_;
  Encoding encoding_;
  std::string file_;
  std::int64_t line_;
  std::int64_t last_ = 0;  // place of the number read last
  const std::string* element_ = nullptr;
  std::uint64_t row_ = 0;
};

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings,
            Faces* faces)
      : file_(file),
        warnings_(warnings),
        faces_(faces),
        header_(ply::parse_header(bytes, file)),
        source_(bytes, header_, file),
        problems_(file) {}

  TriangleMesh read() {
    for (const Element& element : header_.elements) {
      check_room(element);
      if (element.name == "vertex") read_vertices(element);
      else if (element.name == "face") read_faces(element);
      else skip(element);
    }
    problems_.throw_if_any();
    const bool is_cloud =
        faces_ && !mesh_.points.empty() && !has_element("face") && !has_element("tristrips");
    if (is_cloud) return std::move(mesh_);
    cut_faces();
    if (mesh_.triangles.empty())
      throw InputError(file_, "", "has no surface: it contains no faces",
                       "faces are expected as lists named vertex_indices or vertex_index");
    return std::move(mesh_);
  }

 private:
  // Before anything is reserved or looped over. An element without properties takes no room and no
  // time.
  void check_room(const Element& element) {
    const std::size_t row = element.smallest_row(header_.encoding);
    const std::size_t left = source_.left() + (source_.is_text() ? 1 : 0);  // no newline at the end
    if (row > 0 && element.count > left / row)
      throw InputError(
          file_, "",
          fmt::format("promises {} times {}, at least {} bytes each, but only {} bytes follow",
                      element.count, in_quotes(element.name), row, source_.left()));
  }

  bool has_element(std::string_view name) const {
    return std::any_of(header_.elements.begin(), header_.elements.end(),
                       [&](const Element& e) { return e.name == name; });
  }

  void read_vertices(const Element& element);
  bool find_colors(const Element& element, std::vector<int>& axis);
  Eigen::Vector3f linear_color(const Vec3& color) const;
  void read_faces(const Element& element);
  void skip(const Element& element);
  std::uint64_t read_length(const Property& property);
  void skip_value(const Property& property);
  void cut_faces();

  std::string file_;
  std::vector<std::string>* warnings_;
  Faces* faces_;
  Header header_;
  Source source_;
  Problems problems_;
  TriangleMesh mesh_;
  // Kept until all points are known: faces may come first.
  std::vector<int> corners_;
  std::vector<std::size_t> face_end_;
  double color_unit_ = 255;  // of red, green and blue
};

std::uint64_t PlyReader::read_length(const Property& property) {
  const double length = source_.read(property.length_type);
  if (!(length >= 0) || length != std::floor(length))
    source_.refuse(fmt::format("follows a list of length {}", length));
  const std::size_t smallest = source_.is_text() ? 2 : ply::size_of(property.type);
  if (length > double((source_.left() + 1) / smallest))
    source_.refuse(fmt::format("starts a list of {} numbers, but only {} bytes follow,", length,
                               source_.left()));
  return std::uint64_t(length);
}

void PlyReader::skip_value(const Property& property) {
  const std::uint64_t count = property.is_list ? read_length(property) : 1;
  if (!source_.is_text()) return source_.skip_bytes(count * ply::size_of(property.type));
  for (std::uint64_t i = 0; i < count; ++i) source_.read(property.type);
}

void PlyReader::skip(const Element& element) {
  bool fixed_size = !source_.is_text();
  for (const Property& p : element.properties) fixed_size = fixed_size && !p.is_list;
  source_.set_row(element, 0);
  if (fixed_size) return source_.skip_bytes(element.count * element.smallest_row(header_.encoding));
  if (element.properties.empty()) return;
  for (std::uint64_t row = 0; row < element.count; ++row) {
    source_.set_row(element, row);
    for (const Property& p : element.properties) skip_value(p);
  }
}

// 5, 6 and 7 stand for them.
bool PlyReader::find_colors(const Element& element, std::vector<int>& axis) {
  const char* const names[] = {"red", "green", "blue"};
  std::size_t place[3];
  for (int k = 0; k < 3; ++k) {
    const Property* const p = element.find(names[k]);
    if (!faces_ || !p || p->is_list) return false;
    place[k] = std::size_t(p - element.properties.data());
    color_unit_ = ply::is_whole(p->type) ? 255 : 1;
  }
  for (int k = 0; k < 3; ++k) axis[place[k]] = 5 + k;
  return true;
}

// They are meant as shown on screens: sRGB.
Eigen::Vector3f PlyReader::linear_color(const Vec3& color) const {
  const Vec3 known = color.unaryExpr(
      [&](double c) { return std::isfinite(c) ? std::clamp(c / color_unit_, 0.0, 1.0) : 0; });
  return linear_rgb(known).cast<float>();
}

void PlyReader::read_vertices(const Element& element) {
  const char* const names[] = {"x", "y", "z"};
  std::vector<int> axis(element.properties.size(), -1);
  for (int k = 0; k < 3; ++k) {
    const Property* const p = element.find(names[k]);
    if (!p || p->is_list)
      throw InputError(file_, "", fmt::format("has vertices without the number \"{}\"", names[k]));
    axis[std::size_t(p - element.properties.data())] = k;
  }
  // Texture coordinates go by several names; 3 and 4 stand for them.
  constexpr std::array<const char*, 2> pairs[] = {
      {"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}};
  bool textured = false;
  for (const auto& [u, v] : pairs) {
    const Property *const pu = element.find(u), *const pv = element.find(v);
    if (!faces_ || textured || !pu || !pv || pu->is_list || pv->is_list) continue;
    axis[std::size_t(pu - element.properties.data())] = 3;
    axis[std::size_t(pv - element.properties.data())] = 4;
    textured = true;
  }
  const bool colored = find_colors(element, axis);
  mesh_.points.reserve(element.count);
  for (std::uint64_t row = 0; row < element.count; ++row) {
    source_.set_row(element, row);
    const std::int64_t place = source_.place();
    Eigen::Matrix<double, 8, 1> value = Eigen::Matrix<double, 8, 1>::Zero();
    for (std::size_t i = 0; i < axis.size(); ++i) {
      if (axis[i] < 0) skip_value(element.properties[i]);
      else value[axis[i]] = source_.read(element.properties[i].type);
    }
    const Vec3 point = value.head<3>();
    if (textured) {
      const Vec2 uv = value.segment<2>(3);
      const bool good = uv.cwiseAbs().maxCoeff() < 1e6;
      faces_->uv.push_back(good ? Eigen::Vector2f(uv.cast<float>())
                                : Eigen::Vector2f(Eigen::Vector2f::Zero()));
    }
    if (colored) faces_->colors.push_back(linear_color(value.tail<3>()));
    if (!point.allFinite())
      problems_.add(place, source_.where(place),
                    fmt::format("gives vertex {} a coordinate that is not finite", row + 1));
    mesh_.points.push_back(point);
  }
}

void PlyReader::read_faces(const Element& element) {
  const Property* list = element.find("vertex_indices");
  if (!list) list = element.find("vertex_index");
  if (!list) return skip(element);
  if (!list->is_list || !ply::is_whole(list->type))
    throw InputError(file_, "", "has faces whose vertex_indices are no list of whole numbers");
  double points = 0;  // as promised: the vertices may come later
  for (const Element& other : header_.elements)
    if (other.name == "vertex") points = double(other.count);
  face_end_.reserve(element.count);
  for (std::uint64_t row = 0; row < element.count; ++row) {
    source_.set_row(element, row);
    for (const Property& p : element.properties) {
      if (&p != list) {
        skip_value(p);
        continue;
      }
      const std::uint64_t count = read_length(p);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::int64_t place = source_.place();
        const double index = source_.read(p.type);
        const bool good = index >= 0 && index < points && index == std::floor(index);
        if (!good)
          problems_.add(
              place, source_.where(place),
              fmt::format("makes face {} name vertex {}; the file has {}, numbered from 0", row + 1,
                          index, points));
        corners_.push_back(good ? int(index) : 0);
      }
    }
    face_end_.push_back(corners_.size());
  }
}

void PlyReader::cut_faces() {
  PolygonCutter cutter;
  Tally skipped;
  mesh_.triangles.reserve(corners_.size() - std::min(corners_.size(), 2 * face_end_.size()));
  std::size_t begin = 0;
  for (std::size_t face = 0; face < face_end_.size(); ++face) {
    const std::span<const int> polygon(corners_.data() + begin, face_end_[face] - begin);
    begin = face_end_[face];
    const std::size_t first = mesh_.triangles.size();
    if (cutter.cut(polygon, mesh_.points, mesh_.triangles) == 0)
      skipped.add(std::int64_t(face) + 1);
    else if (faces_)  // a vertex and its texture coordinates have the same number
      faces_->add(polygon, faces_->uv.empty() ? std::span<const int>() : polygon,
                  std::span<const Triangle>(mesh_.triangles).subspan(first));
  }
  if (skipped.count > 0)
    warn(
        warnings_, file_,
        fmt::format(
            "{} faces with fewer than three different corners were skipped, the first is number {}",
            skipped.count, skipped.first));
  if (cutter.given_up() > 0)
    warn(warnings_, file_, fmt::format("{} very large faces were cut coarsely", cutter.given_up()));
}

template <class Scalar>
void write(const std::filesystem::path& path, std::span<const Eigen::Matrix<Scalar, 3, 1>> points,
           std::span<const Triangle> triangles, std::span<const PlyProperty> properties) {
  const char* const type = sizeof(Scalar) == 4 ? "float" : "double";
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment pliant\nelement vertex {0}\n"
      "property {1} x\nproperty {1} y\nproperty {1} z\n",
      points.size(), type);
  for (const PlyProperty& p : properties) {
    ASSERT(p.values.size() == points.size(), "one value per vertex");
    ASSERT(!p.name.empty() && p.name.find_first_of(" \t\r\n") == std::string::npos, "one word");
    bytes += fmt::format("property float {}\n", p.name);
  }
  bytes += fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n",
                       triangles.size());
  bytes.reserve(bytes.size() + points.size() * (3 * sizeof(Scalar) + 4 * properties.size()) +
                triangles.size() * 13);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < 3; ++k) put(bytes, points[i][k]);
    for (const PlyProperty& p : properties) put(bytes, p.values[i]);
  }
  for (const Triangle& t : triangles) {
    put(bytes, std::uint8_t(3));
    for (const int corner : t) put(bytes, std::int32_t(corner));
  }
  write_file(path, bytes);
}

}  // namespace

bool is_ply(std::string_view bytes) {
  return bytes.starts_with("ply\n") || bytes.starts_with("ply\r");
}

TriangleMesh parse_ply(std::string_view bytes, const std::string& name,
                       std::vector<std::string>* warnings, Faces* faces) {
  if (bytes.empty()) throw InputError(name, "", "is an empty file");
  return PlyReader(bytes, name, warnings, faces).read();
}

TriangleMesh read_ply(const std::filesystem::path& path, std::vector<std::string>* warnings) {
  return parse_ply(read_text_file(path), path.string(), warnings);
}

void write_ply(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const PlyProperty> properties) {
  write<float>(path, points, triangles, properties);
}

void write_ply(const std::filesystem::path& path, std::span<const Vec3> points,
               std::span<const Triangle> triangles, std::span<const PlyProperty> properties) {
  write<double>(path, points, triangles, properties);
}

}  // namespace pliant
