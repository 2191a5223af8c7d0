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

// The file, little endian: "pliantR4", the header record, then one record per frame. A record is
// its size in bytes (8), then its content. The header begins with 1 where surfaces change their
// triangles, else 0. A frame names its triangles only when they changed; where surfaces change them
// they are followed by where they and the vertices came from, by the given surface at first. Where
// bodies have control points, their faces end the header (for each such body its number and a
// record), and the points themselves follow the surfaces in each frame, as doubles. What was asked
// for of the insides of bodies comes then, and poses of colliders last. Files of earlier versions,
// which had neither, begin with "pliantR2", or "pliantR3" where triangles change.

namespace pliant {
namespace {

constexpr char magic[] = "pliantR4";
constexpr char magic_before[] = "pliantR2", magic_before_traced[] = "pliantR3";
constexpr std::size_t magic_size = 8;

bool is_traced(const World& world) {
  return std::any_of(world.bodies.begin(), world.bodies.end(),
                     [](const Body& body) { return !body.skin.provenance.empty(); });
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

void put_paint(std::vector<std::byte>& buffer, const Faces& faces) {
  put_array(buffer, faces.paint);
  put_array(buffer, faces.colors);
  put(buffer, std::int32_t(faces.paints.size()));
  for (const Paint& paint : faces.paints) {
    put(buffer, paint.name);
    for (int k = 0; k < 3; ++k) put(buffer, paint.color[k]);
    put(buffer, std::int32_t(paint.image));
  }
  put(buffer, std::int32_t(faces.images.size()));
  for (const EncodedImage& image : faces.images) {
    put(buffer, image.name);
    put(buffer, *image.bytes);
  }
}

void take_paint(Cursor& cursor, Faces& faces) {
  cursor.take_array(faces.paint);
  cursor.take_array(faces.colors);
  faces.paints.resize(std::size_t(cursor.take_count(2 * sizeof(std::int32_t) + sizeof(Vec3))));
  for (Paint& paint : faces.paints) {
    paint.name = cursor.take_text();
    for (int k = 0; k < 3; ++k) paint.color[k] = cursor.take<double>();
    paint.image = cursor.take<std::int32_t>();
  }
  faces.images.resize(std::size_t(cursor.take_count(2 * sizeof(std::int32_t))));
  for (EncodedImage& image : faces.images) {
    image.name = cursor.take_text();
    image.bytes = std::make_shared<const std::string>(cursor.take_text());
  }
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
  put_paint(buffer, faces);
}

Original take_original(Cursor& cursor, bool with_paint) {
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
  if (with_paint) take_paint(cursor, faces);
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
                      std::is_sorted(faces.start.begin(), faces.start.end()))) &&
                    (faces.paint.empty() || int(faces.paint.size()) == faces.size()) &&
                    (faces.colors.empty() || faces.colors.size() == original.vertex.size());
  if (!fits) throw IoError("the recording is damaged: faces do not fit together");
  within(original.vertex, 0, std::size_t(std::numeric_limits<int>::max()));
  within(faces.vertex, 0, original.vertex.size());
  within(faces.texture, -1, faces.uv.size());
  for (const Triangle& t : faces.cut) within(t, 0, faces.vertex.size());
  for (const TriangleMesh::Group& group : faces.groups)
    within(group.triangles, 0, std::size_t(faces.size()));
  within(faces.paint, -1, faces.paints.size());
  for (const Paint& paint : faces.paints) within(std::array{paint.image}, -1, faces.images.size());
}

std::vector<std::byte> header(const World& world, const std::string& field,
                              const std::vector<std::string>& fields,
                              std::span<const Original> originals,
                              std::span<const std::filesystem::path> cad_files, bool volume) {
  std::vector<std::byte> buffer;
  put(buffer, std::int32_t(is_traced(world)));
  put(buffer, field);
  put(buffer, std::int32_t(fields.size()));
  for (const std::string& name : fields) put(buffer, name);
  put(buffer, std::int32_t(world.bodies.size()));
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    put(buffer, world.bodies[b].name);
    for (int k = 0; k < 3; ++k) put(buffer, world.bodies[b].color[k]);
    put_original(buffer, b < originals.size() ? originals[b] : Original());
    const bool is_painted = b < originals.size() && originals[b].faces.has_paint();
    put_points(buffer, is_painted ? world.bodies[b].drawn_skin().rest : std::vector<Vec3>());
    put_bulk_header(buffer, world.bodies[b], volume);
  }
  put_colliders(buffer, world.colliders);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (!world.bodies[b].control_net) continue;
    put(buffer, std::int32_t(b));
    put_array(buffer,
              net_to_record(*world.bodies[b].control_net, b < cad_files.size() ? cad_files[b] : "")
                  .saved());
  }
  return buffer;
}

/// The nets that end a header, until there is nothing more.
void take_nets(Cursor& cursor, std::vector<RecordedBody>& bodies) {
  while (!cursor.rest.empty()) {
    const auto body = cursor.take<std::int32_t>();
    if (body < 0 || std::size_t(body) >= bodies.size())
      throw IoError("the recording is damaged: control points of no body");
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
                                 bool contact_surface, bool volume)
    : field_(std::move(field)),
      fields_(std::move(fields)),
      contact_surface_(contact_surface),
      volume_(volume),
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
  const std::vector<std::byte> first =
      header(world, field_, fields_, originals, cad_files, volume_);
  buffer_.clear();
  put(buffer_, magic, magic_size);
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
  if (volume_)
    for (const Body& body : world.bodies) put_bulk_frame(buffer_, body);
  put_poses(buffer_, world.colliders, world.time);
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
  const bool is_of_today = std::memcmp(begin, magic, magic_size) == 0;
  is_traced_ = std::memcmp(begin, magic_before_traced, magic_size) == 0;
  if (!is_of_today && !is_traced_ && std::memcmp(begin, magic_before, magic_size) != 0)
    throw IoError(path.string() + " is not a pliant recording");
  file_->read_record(magic_size, record_);
  header_ = hash_of(record_);
  Cursor head{record_};
  if (is_of_today) is_traced_ = head.take<std::int32_t>() != 0;
  field_ = head.take_text();
  fields_.resize(std::size_t(head.take_count(sizeof(int))));
  for (std::string& name : fields_) name = head.take_text();
  bodies_.resize(std::size_t(head.take_count(sizeof(int) + 3 * sizeof(double))));
  for (RecordedBody& body : bodies_) {
    body.name = head.take_text();
    for (int k = 0; k < 3; ++k) body.color[k] = head.take<double>();
    body.original = take_original(head, is_of_today);
    check_original(body.original);
    if (is_of_today) {
      head.take_array(body.rest);
      body.bulk = RecordedBulk::of_header(head);
    }
    body.fields.resize(fields_.size());
  }
  if (is_of_today) colliders_ = take_colliders(head);
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
  for (RecordedBody& body : bodies_)
    if (!body.bulk.empty()) body.bulk.take_frame(cursor);
  for (RecordedCollider& collider : colliders_) collider.take_pose(cursor);
  ++next_;
}

}  // namespace pliant
