#include "play/recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/assert.h"
#include "core/errors.h"
#include "core/hash.h"

// The file, little endian: "pliantR2", the header record, then one record per frame. A record is
// its size in bytes (8), then its content. A frame names its triangles only when they changed, so
// that surfaces may be remeshed later. Where bodies have control points, their faces end the header
// (for each such body its number and a record; where their files give colors, minus the number less
// one and the colors of its triangles), and the points themselves end each frame, as
// doubles. Where surfaces change their triangles the file begins with "pliantR3", and the triangles
// of such a body are followed by where they and the vertices came from, by the given surface at
// first.

namespace pliant {
namespace {

constexpr char magic[] = "pliantR2", magic_traced[] = "pliantR3";
constexpr std::size_t magic_size = 8;

bool is_traced(const World& world) {
  return std::any_of(world.bodies.begin(), world.bodies.end(),
                     [](const Body& body) { return !body.skin.provenance.empty(); });
}

void put(std::vector<std::byte>& buffer, const void* data, std::size_t bytes) {
  if (bytes == 0) return;  // data may be null then
  const std::size_t at = buffer.size();
  buffer.resize(at + bytes);
  std::memcpy(buffer.data() + at, data, bytes);
}

template <class T>
void put(std::vector<std::byte>& buffer, const T& value) {
  static_assert(std::is_arithmetic_v<T>);
  put(buffer, &value, sizeof value);
}

void put(std::vector<std::byte>& buffer, const std::string& text) {
  put(buffer, std::int32_t(text.size()));
  put(buffer, text.data(), text.size());
}

void put_points(std::vector<std::byte>& buffer, const std::vector<Vec3>& points) {
  put(buffer, std::int32_t(points.size()));
  for (const Vec3& p : points) {
    const float xyz[3] = {float(p.x()), float(p.y()), float(p.z())};
    put(buffer, xyz, sizeof xyz);
  }
}

// The given surface, then the places of the vertices, sources and pieces. `again`: the surface is
// in an earlier frame.
void put_origins(std::vector<std::byte>& buffer, const Provenance& from, bool again) {
  put(buffer, std::int32_t(from.empty() ? 0 : again ? 2 : 1));
  if (from.empty()) return;
  if (!again) {
    put_points(buffer, from.given->points);
    put(buffer, std::int32_t(from.given->triangles.size()));
    put(buffer, from.given->triangles.data(), from.given->triangles.size() * sizeof(Triangle));
  }
  put(buffer, std::int32_t(from.origin.size()));
  for (const Origin& origin : from.origin) {
    const RecordedOrigins::Place place = {origin.triangle, float(origin.second),
                                          float(origin.third)};
    put(buffer, &place, sizeof place);
  }
  for (const std::vector<int>* list : {&from.source, &from.piece}) {
    put(buffer, std::int32_t(list->size()));
    put(buffer, list->data(), list->size() * sizeof(int));
  }
}

void put_control_points(std::vector<std::byte>& buffer, const Body& body) {
  const std::size_t count = used_nodes(*body.control_net);
  put(buffer, body.nodes.position.data(), count * sizeof(Vec3));
}

/// Takes values off the front of a record and never reads past its end.
struct Cursor {
  std::span<const std::byte> rest;

  void take(void* to, std::size_t bytes) {
    if (bytes > rest.size()) throw IoError("the recording is damaged: a record ends too early");
    if (bytes == 0) return;  // `to` may be null then
    std::memcpy(to, rest.data(), bytes);
    rest = rest.subspan(bytes);
  }
  template <class T>
  T take() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  int take_count(std::size_t element_size) {
    const auto count = take<std::int32_t>();
    if (count < 0 || std::size_t(count) > rest.size() / element_size)
      throw IoError("the recording is damaged: a count is too large");
    return count;
  }
  std::string take_text() {
    std::string text(std::size_t(take_count(1)), '\0');
    take(text.data(), text.size());
    return text;
  }
  template <class T>
  void take_array(std::vector<T>& values) {
    values.resize(std::size_t(take_count(sizeof(T))));
    take(values.data(), values.size() * sizeof(T));
  }
};

void take_origins(Cursor& cursor, RecordedOrigins& origins) {
  const auto kind = cursor.take<std::int32_t>();
  if (kind == 0) return;
  if (kind == 1) {
    cursor.take_array(origins.given_points);
    cursor.take_array(origins.given_triangles);
  }
  if (origins.empty()) throw IoError("the recording is damaged: origins on nothing");
  cursor.take_array(origins.place);
  cursor.take_array(origins.source);
  cursor.take_array(origins.piece);
}

void check_origins(const RecordedBody& body) {
  const RecordedOrigins& o = body.origins;
  const auto within = [](int i, std::size_t end) {
    if (i < -1 || i >= int(end)) throw IoError("the recording is damaged: an origin is not there");
  };
  if (o.place.size() != body.points.size() || o.piece.size() != body.points.size() ||
      o.source.size() != body.triangles.size())
    throw IoError("the recording is damaged: origins do not fit");
  for (const Triangle& t : o.given_triangles)
    for (const int p : t)
      if (p < 0 || p >= int(o.given_points.size()))
        throw IoError("the recording is damaged: origins on nothing");
  for (const RecordedOrigins::Place& place : o.place)
    within(place.triangle, o.given_triangles.size());
  for (const int source : o.source) within(source, o.given_triangles.size());
}

/// What is read from here on may be used without asking again.
void check_fit(const RecordedBody& body) {
  const int points = int(body.points.size());
  const auto fits = [&](const std::vector<float>& values) {
    return values.empty() || int(values.size()) == points;
  };
  if (!fits(body.values) || !std::all_of(body.fields.begin(), body.fields.end(), fits))
    throw IoError("the recording is damaged: not one value per point");
  if (!body.origins.empty()) check_origins(body);
  if (body.has_original())
    for (const int v : body.original.vertex)
      if (v >= points) throw IoError("the recording is damaged: a vertex hangs on nothing");
  for (const Triangle& t : body.triangles)
    for (const int v : t)
      if (v < 0 || v >= points)
        throw IoError("the recording is damaged: a triangle has a corner that is not there");
}

template <class T>
void put_array(std::vector<std::byte>& buffer, const std::vector<T>& values) {
  put(buffer, std::int32_t(values.size()));
  put(buffer, values.data(), values.size() * sizeof(T));
}

void put_original(std::vector<std::byte>& buffer, const Original& original) {
  const Faces& faces = original.faces;
  put_array(buffer, original.vertex);
  put_array(buffer, original.offset);
  put_array(buffer, faces.start);
  put_array(buffer, faces.vertex);
  put_array(buffer, faces.texture);
  put_array(buffer, faces.uv);
  put_array(buffer, faces.cut);
  put(buffer, std::int32_t(faces.groups.size()));
  for (const TriangleMesh::Group& group : faces.groups) {
    put(buffer, group.name);
    put_array(buffer, group.triangles);
  }
}

Original take_original(Cursor& cursor) {
  Original original;
  Faces& faces = original.faces;
  cursor.take_array(original.vertex);
  cursor.take_array(original.offset);
  cursor.take_array(faces.start);
  cursor.take_array(faces.vertex);
  cursor.take_array(faces.texture);
  cursor.take_array(faces.uv);
  cursor.take_array(faces.cut);
  faces.groups.resize(std::size_t(cursor.take_count(2 * sizeof(int))));
  for (TriangleMesh::Group& group : faces.groups) {
    group.name = cursor.take_text();
    cursor.take_array(group.triangles);
  }
  return original;
}

/// Everything that names something names something that is there.
void check_original(const Original& original) {
  const Faces& faces = original.faces;
  const auto within = [](const auto& list, int low, std::size_t end) {
    for (const int i : list)
      if (i < low || i >= int(end)) throw IoError("the recording is damaged: a face names nothing");
  };
  const bool fits = (original.offset.empty() || original.offset.size() == original.vertex.size()) &&
                    (faces.texture.empty() || faces.texture.size() == faces.vertex.size()) &&
                    (faces.start.empty() ||
                     (faces.start.front() == 0 && faces.start.back() == int(faces.vertex.size()) &&
                      std::is_sorted(faces.start.begin(), faces.start.end())));
  if (!fits) throw IoError("the recording is damaged: faces do not fit together");
  within(original.vertex, 0, std::size_t(std::numeric_limits<int>::max()));
  within(faces.vertex, 0, original.vertex.size());
  within(faces.texture, -1, faces.uv.size());
  for (const Triangle& t : faces.cut) within(t, 0, faces.vertex.size());
  for (const TriangleMesh::Group& group : faces.groups)
    within(group.triangles, 0, std::size_t(faces.size()));
}

std::vector<std::byte> header(const World& world, const std::string& field,
                              const std::vector<std::string>& fields,
                              std::span<const Original> originals,
                              std::span<const std::filesystem::path> cad_files,
                              std::span<const Paint> paints) {
  std::vector<std::byte> buffer;
  put(buffer, field);
  put(buffer, std::int32_t(fields.size()));
  for (const std::string& name : fields) put(buffer, name);
  put(buffer, std::int32_t(world.bodies.size()));
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    put(buffer, world.bodies[b].name);
    for (int k = 0; k < 3; ++k) put(buffer, world.bodies[b].color[k]);
    put_original(buffer, b < originals.size() ? originals[b] : Original());
  }
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!world.bodies[b].control_net) continue;
    put(buffer, std::int32_t(b));
    put_array(buffer,
              net_to_record(*world.bodies[b].control_net, b < cad_files.size() ? cad_files[b] : "")
                  .saved());
  }
  for (std::size_t b = 0; b < paints.size(); ++b) {
    if (paints[b].empty()) continue;
    put(buffer, -1 - std::int32_t(b));
    put_array(buffer, paints[b].color);
    put_array(buffer, paints[b].of_triangle);
  }
  return buffer;
}

void take_paint(Cursor& cursor, Paint& paint) {
  cursor.take_array(paint.color);
  cursor.take_array(paint.of_triangle);
  for (const int color : paint.of_triangle)
    if (color < -1 || color >= int(paint.color.size()))
      throw IoError("the recording is damaged: a color is not there");
}

/// The nets and colors that end a header, until there is nothing more.
void take_nets(Cursor& cursor, std::vector<RecordedBody>& bodies) {
  while (!cursor.rest.empty()) {
    const auto number = cursor.take<std::int32_t>();
    const auto body = number < 0 ? -1 - number : number;
    if (std::size_t(body) >= bodies.size())
      throw IoError("the recording is damaged: control points of no body");
    if (number < 0) {
      take_paint(cursor, bodies[std::size_t(body)].paint);
      continue;
    }
    std::vector<std::byte> saved;
    cursor.take_array(saved);
    bodies[std::size_t(body)].net = RecordedNet::loaded(saved);
  }
}

void take_control_points(Cursor& cursor, RecordedNet& net) {
  const std::size_t count = used_nodes(net.faces);
  if (count > cursor.rest.size() / sizeof(Vec3))
    throw IoError("the recording is damaged: control points are missing");
  net.points.resize(count);
  cursor.take(net.points.data(), net.points.size() * sizeof(Vec3));
}

}  // namespace

/// Parts of a file, by their place. Not mapped into memory: a mapped recording of many gigabytes
/// would count as memory of ours.
class RecordingReader::File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw IoError::from_errno("cannot read " + path.string());
    struct stat info {};
    ::fstat(descriptor_, &info);
    size_ = std::uint64_t(info.st_size);
  }
  ~File() { ::close(descriptor_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }

  void read(std::uint64_t from, void* to, std::size_t bytes) const {
    if (from > size_ || bytes > size_ - from)
      throw IoError("the recording is damaged: a record ends too early");
    char* at = static_cast<char*>(to);
    while (bytes > 0) {
      const ssize_t got = ::pread(descriptor_, at, bytes, off_t(from));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw IoError::from_errno("cannot read " + path_.string());
      if (got == 0) throw IoError("the recording became shorter while it was read");
      at += got, from += std::uint64_t(got), bytes -= std::size_t(got);
    }
  }
  template <class T>
  T read(std::uint64_t from) const {
    T value;
    read(from, &value, sizeof value);
    return value;
  }
  /// The record that begins there, without its size.
  void read_record(std::uint64_t from, std::vector<std::byte>& content) const {
    const auto bytes = read<std::uint64_t>(from);
    if (bytes > size_ - from)  // before anything is reserved
      throw IoError("the recording is damaged: a record ends too early");
    content.resize(std::size_t(bytes));
    read(from + sizeof bytes, content.data(), content.size());
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

RecordingWriter::RecordingWriter(const std::filesystem::path& path, std::size_t length,
                                 const World& world, std::string field,
                                 std::vector<std::string> fields,
                                 std::span<const Original> originals,
                                 std::span<const std::filesystem::path> cad_files,
                                 bool contact_surface, std::span<const Paint> paints)
    : field_(std::move(field)),
      fields_(std::move(fields)),
      contact_surface_(contact_surface),
      file_(path, length),
      revisions_(world.bodies.size(), -1),
      is_traced_(pliant::is_traced(world)) {
  ASSERT(!contact_surface || originals.empty(), "originals hang on drawn skins");
  if (length >
      0) {  // the world is the one of the last frame in the file: its triangles are known there
    for (std::size_t b = 0; b < world.bodies.size(); ++b)
      revisions_[b] = world.bodies[b].drawn_skin().revision;
    return;
  }
  const std::vector<std::byte> first = header(world, field_, fields_, originals, cad_files, paints);
  buffer_.clear();
  put(buffer_, is_traced_ ? magic_traced : magic, magic_size);
  put(buffer_, std::uint64_t(first.size()));
  put(buffer_, first.data(), first.size());
  file_.append(buffer_);
}

/// From the drawn skin's vertices to those that are touched.
void take_contact_values(const Body& body, std::vector<double>& values) {
  if (!body.drawn) return;
  for (int v = 0; v < body.skin.size(); ++v)
    values[std::size_t(v)] = values[std::size_t(body.drawn->vertex[std::size_t(v)])];
  values.resize(std::size_t(body.skin.size()));
}

void RecordingWriter::add(const World& world) {
  buffer_.clear();
  put(buffer_, std::uint64_t(0));  // the size, known at the end
  put(buffer_, world.time);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    const Skin& skin = contact_surface_ ? body.skin : body.drawn_skin();
    const bool changed = revisions_[b] != skin.revision;
    const bool again = revisions_[b] >= 0;
    revisions_[b] = skin.revision;
    put(buffer_, std::int32_t(changed));
    if (changed) {
      put(buffer_, std::int32_t(skin.triangles.size()));
      put(buffer_, skin.triangles.data(), skin.triangles.size() * sizeof(Triangle));
      if (is_traced_) put_origins(buffer_, skin.provenance, again);
    }
    put_points(buffer_, skin.position);
    const auto put_field = [&](const std::string& name) {
      const bool known = !name.empty() && pliant::field(body, name, values_);
      if (known && contact_surface_) take_contact_values(body, values_);
      put(buffer_, std::int32_t(known ? values_.size() : 0));
      if (known)
        for (const double value : values_) put(buffer_, float(value));
    };
    put_field(field_);
    for (const std::string& name : fields_) put_field(name);
  }
  for (const Body& body : world.bodies)
    if (body.control_net) put_control_points(buffer_, body);
  const std::uint64_t size = buffer_.size() - sizeof(std::uint64_t);
  std::memcpy(buffer_.data(), &size, sizeof size);
  file_.append(buffer_);
}

std::vector<std::string> names_of(const std::vector<RecordedBody>& bodies) {
  std::vector<std::string> names;
  for (const RecordedBody& body : bodies) names.push_back(body.name);
  return names;
}

RecordingReader::~RecordingReader() = default;

RecordingReader::RecordingReader(const std::filesystem::path& path)
    : file_(std::make_unique<File>(path)) {
  char begin[magic_size] = {};
  if (file_->size() >= magic_size) file_->read(0, begin, magic_size);
  is_traced_ = std::memcmp(begin, magic_traced, magic_size) == 0;
  if (!is_traced_ && std::memcmp(begin, magic, magic_size) != 0)
    throw IoError(path.string() + " is not a pliant recording");
  file_->read_record(magic_size, record_);
  header_ = hash_of(record_);
  Cursor head{record_};
  field_ = head.take_text();
  fields_.resize(std::size_t(head.take_count(sizeof(int))));
  for (std::string& name : fields_) name = head.take_text();
  bodies_.resize(std::size_t(head.take_count(sizeof(int) + 3 * sizeof(double))));
  for (RecordedBody& body : bodies_) {
    body.name = head.take_text();
    for (int k = 0; k < 3; ++k) body.color[k] = head.take<double>();
    body.original = take_original(head);
    check_original(body.original);
    body.fields.resize(fields_.size());
  }
  take_nets(head, bodies_);
  // A last record may be half there after a crash: it does not count.
  std::uint64_t at = magic_size + sizeof(std::uint64_t) + record_.size();
  while (file_->size() - at >= sizeof(std::uint64_t)) {
    const auto size = file_->read<std::uint64_t>(at);
    if (size > file_->size() - at - sizeof size) break;
    starts_.push_back(at);
    at += sizeof size + size;
  }
}

const std::vector<RecordedBody>& RecordingReader::frame(int index) {
  if (index < next_ - 1) next_ = 0;
  while (next_ <= index) read_next();
  return bodies_;
}

double RecordingReader::time_at(int index) const {
  ASSERT(index >= 0 && index < frames(), "the recording has fewer frames");
  return file_->read<double>(starts_[std::size_t(index)] + sizeof(std::uint64_t));
}

std::uint64_t RecordingReader::fingerprint(int index) const {
  ASSERT(index >= 0 && index < frames(), "the recording has fewer frames");
  std::vector<std::byte> content;
  file_->read_record(starts_[std::size_t(index)], content);
  Hash hash;
  hash.add(header_);
  hash.add(content);
  return hash.value();
}

void RecordingReader::read_next() {
  ASSERT(next_ < frames(), "the recording has fewer frames");
  file_->read_record(starts_[std::size_t(next_)], record_);
  Cursor cursor{record_};
  time_ = cursor.take<double>();
  for (RecordedBody& body : bodies_) {
    if (cursor.take<std::int32_t>() != 0) {
      std::vector<Triangle> triangles;
      cursor.take_array(triangles);
      const std::vector<int> source = body.origins.source;
      if (is_traced_) take_origins(cursor, body.origins);
      if (triangles != body.triangles || source != body.origins.source) ++body.topology;
      body.triangles = std::move(triangles);
    }
    cursor.take_array(body.points);
    cursor.take_array(body.values);
    for (std::vector<float>& values : body.fields) cursor.take_array(values);
    check_fit(body);
  }
  for (RecordedBody& body : bodies_)
    if (!body.net.empty()) take_control_points(cursor, body.net);
  ++next_;
}

}  // namespace pliant
