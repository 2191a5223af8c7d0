#include "play/convert.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>
#include <set>

#include "core/errors.h"
#include "core/file_name.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/version.h"
#include "formats/blender_script.h"
#include "formats/cad.h"
#include "formats/frame_file.h"
#include "formats/obj.h"
#include "formats/ply.h"
#include "formats/point_cache.h"
#include "formats/stl.h"
#include "formats/usda.h"
#include "formats/vtu_write.h"
#include "picture/color.h"
#include "play/color_scale.h"
#include "play/convert_log.h"
#include "play/recording.h"
#include "play/shown_surface.h"
#include "play/shown_velocities.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;
using Vec3f = Eigen::Vector3f;

/// Times are sums of substeps: 60.00000000000167 was meant as 60.
double plain_rate(double fps) {
  const double plain = std::round(1000 * fps) / 1000;
  return std::abs(plain - fps) < 1e-9 * fps ? plain : fps;
}

/// Thrown out of a writer when the user has had enough; caught in convert_run().
struct Stopped {};

class Converter {
 public:
  Converter(const fs::path& run, const ConvertOptions& options, RunWatcher& watcher)
      : run_(run), options_(options), watcher_(watcher), recording_(run / "recording.bin") {
    const int last = options.last < 0 ? recording_.frames() - 1 : options.last;
    if (options.first < 0 || options.step < 1 || last >= recording_.frames() ||
        options.first > last)
      throw InputError(run.string(), "",
                       fmt::format("has frames 0 to {}; frames {} to {} were asked for",
                                   recording_.frames() - 1, options.first, last));
    for (int frame = options.first; frame <= last; frame += options.step) frames_.push_back(frame);
    names_ = file_names_of(names_of(recording_.frame(0)));
    const double span = recording_.time_at(frames_.back()) - recording_.time_at(frames_.front());
    fps_ = span > 0 ? plain_rate(double(frames_.size() - 1) / span) : 30;
    std::error_code error;
    fs::create_directories(options.folder, error);
    if (error) throw IoError("cannot create " + options.folder.string() + ": " + error.message());
    lock_.emplace(options.folder);
    log_.emplace(options.folder);
  }

  void make(const std::string& format);
  /// What is unfinished is not worth keeping: it ended in an error.
  void forget() { FrameFile::forget(making_); }
  std::vector<fs::path> files;

 private:
  const RecordedBody& body(int index, std::size_t frame) {
    return recording_.frame(frames_[frame])[std::size_t(index)];
  }
  int bodies() const { return int(names_.size()); }
  void report(const char* what, std::size_t done, std::size_t total) {
    watcher_.progress(what, int(done), int(total));
    if (watcher_.stop()) throw Stopped();
  }

  /// What a file of one frame, or of all of them, is made of.
  std::uint64_t job_of(int frame) const;
  std::uint64_t job() const;
  bool is_made(const fs::path& path, std::uint64_t job) const {
    return options_.resume && log_->has(path, job);
  }
  /// Calls `write(path, job)` for a file of all frames, unless it is there.
  void make_film(const std::string& name,
                 const std::function<void(const fs::path&, const std::string&)>& write);
  /// One file per body and frame, in a folder named after the format.
  void make_series(const std::string& format,
                   const std::function<void(const fs::path&, int body, const RecordedBody&,
                                            ShownSurface&)>& write);
  void write_fields(const fs::path& path, int index, const RecordedBody& body, ShownSurface& shown);
  void make_pvd(const char* folder, const std::string& list);
  void make_volume();
  void make_caches(const std::string& format);
  void make_csv();
  void append_rows(int index, std::size_t frame, ShownSurface& shown, std::string& text);
  void make_usda();
  UsdaMesh usda_mesh(int index, ShownSurface& shown, ShownVelocities& velocities);
  void find_changes(std::vector<UsdaMesh>& meshes);
  void color_by_field(int index, const Legend& legend, ShownSurface& shown, UsdaMesh& mesh);
  void add_colliders(std::vector<UsdaMesh>& meshes);
  void make_glb();
  void make_cad(const std::string& format);
  /// For formats that move one mesh: throws InputError where a body changes its triangles.
  void refuse_changes(const std::string& format);

  const fs::path& run_;
  const ConvertOptions& options_;
  RunWatcher& watcher_;
  RecordingReader recording_;
  std::optional<FolderLock> lock_;
  std::optional<ConvertLog> log_;
  fs::path making_;
  std::vector<int> frames_;
  // Of files: nothing that a recording says leads out of the folder.
  std::vector<std::string> names_;
  double fps_ = 30;
  std::vector<std::vector<Vec3f>> rest_;  // per body: as shown in frame 0, for displacements
  std::vector<int> rest_topology_;        // of it: other triangles have other vertices
  std::vector<float> vectors_;
  std::vector<Vec3f> vertex_colors_;
  bool has_colors_ = false;
};

std::uint64_t Converter::job_of(int frame) const {
  Hash hash;
  hash.add(recording_.fingerprint(0));  // displacements start there
  hash.add(recording_.fingerprint(frame));
  hash.add(options_.original);
  hash.add(hash_of(version()));  // files of another version may be laid out in another way
  return hash.value();
}

// The last frame knows of all that came before it.
std::uint64_t Converter::job() const {
  Hash hash;
  hash.add(job_of(frames_.back()));
  for (const int frame : {options_.first, options_.step, int(frames_.size())})
    hash.add(std::uint64_t(frame));
  return hash.value();
}

void Converter::make_film(const std::string& name,
                          const std::function<void(const fs::path&, const std::string&)>& write) {
  const fs::path path = options_.folder / name;
  files.push_back(path);
  if (is_made(path, job())) return;
  if (!options_.resume) FrameFile::forget(path);
  making_ = path;
  write(path, hex(job()));
  log_->add(path, job());
}

void Converter::make_series(
    const std::string& format,
    const std::function<void(const fs::path&, int, const RecordedBody&, ShownSurface&)>& write) {
  const fs::path folder = options_.folder / format;
  fs::create_directories(folder);
  files.push_back(folder);
  std::vector<ShownSurface> shown(names_.size(), ShownSurface(options_.original));
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    report(format.c_str(), f, frames_.size());
    const std::uint64_t job = job_of(frames_[f]);
    for (int b = 0; b < bodies(); ++b) {
      const fs::path path = folder / fmt::format("{}_{:04}.{}", names_[b], frames_[f], format);
      if (is_made(path, job)) continue;
      shown[b].show(body(b, f));
      write(path, b, body(b, f), shown[b]);
      log_->add(path, job);
    }
  }
}

void Converter::write_fields(const fs::path& path, int b, const RecordedBody& of,
                             ShownSurface& shown) {
  std::vector<std::vector<float>> kept;  // VtuField borrows
  std::vector<VtuField> fields;
  if (rest_topology_[b] == of.topology) {
    vectors_.clear();
    for (std::size_t p = 0; p < rest_[b].size(); ++p)
      for (int k = 0; k < 3; ++k) vectors_.push_back(shown.points()[p][k] - rest_[b][p][k]);
    fields.push_back({"displacement_vector", 3, vectors_});
  }
  std::vector<std::pair<std::string, std::span<const float>>> scalars;
  const auto add = [&](const std::string& name, const std::vector<float>& values) {
    if (values.empty()) return;
    const std::span<const float> brought = shown.values(values);
    kept.emplace_back(brought.begin(), brought.end());
    scalars.emplace_back(name, std::span<const float>());
  };
  add(recording_.field(), of.values);
  for (std::size_t i = 0; i < of.fields.size(); ++i) add(recording_.fields()[i], of.fields[i]);
  for (std::size_t i = 0; i < scalars.size(); ++i) scalars[i].second = kept[i];
  // Three parts of one quantity become one vector.
  std::vector<std::vector<float>> vectors;  // VtuField borrows
  vectors.reserve(scalars.size());
  const auto part = [&](const std::string& name) -> std::span<const float> {
    for (const auto& [known, values] : scalars)
      if (known == name) return values;
    return {};
  };
  const auto vector_of = [&](const std::string& name) -> std::string {
    const char last = name.size() > 2 ? name.back() : ' ';
    if (last < 'x' || last > 'z' || name[name.size() - 2] != '_') return "";
    const std::string quantity = name.substr(0, name.size() - 2);
    for (const char* axis : {"_x", "_y", "_z"})
      if (part(quantity + axis).empty()) return "";
    return quantity;
  };
  std::set<std::string> written;
  for (const auto& [name, values] : scalars) {
    const std::string quantity = vector_of(name);
    // A magnitude may have the name already.
    const std::string title = quantity.empty()         ? name
                              : part(quantity).empty() ? quantity
                                                       : quantity + "_vector";
    if (!written.insert(title).second) continue;
    if (quantity.empty()) {
      fields.push_back({title, 1, values});
      continue;
    }
    const std::span<const float> x = part(quantity + "_x"), y = part(quantity + "_y"),
                                 z = part(quantity + "_z");
    std::vector<float>& vector = vectors.emplace_back();
    for (std::size_t p = 0; p < x.size(); ++p)
      for (const float value : {x[p], y[p], z[p]}) vector.push_back(value);
    fields.push_back({title, 3, vector});
  }
  write_vtu(path, shown.points(), shown.triangles(), fields);
}

void Converter::make_pvd(const char* folder, const std::string& list) {
  std::vector<PvdEntry> entries;
  for (const int frame : frames_)
    for (int b = 0; b < bodies(); ++b) {
      const std::string file = fmt::format("{}/{}_{:04}.vtu", folder, names_[b], frame);
      if (fs::exists(options_.folder / file))
        entries.push_back({recording_.time_at(frame), b, file});
    }
  write_pvd(options_.folder / list, entries);
  files.push_back(options_.folder / list);
}

void Converter::make_volume() {
  const std::vector<RecordedBody>& first = recording_.frame(0);
  if (std::all_of(first.begin(), first.end(), [](const auto& of) { return of.bulk.empty(); }))
    return;
  std::vector<std::vector<Vec3f>> at_first;
  for (const RecordedBody& of : first) at_first.push_back(of.bulk.points);
  const fs::path folder = options_.folder / "volume";
  fs::create_directories(folder);
  files.push_back(folder);
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    report("volume", f, frames_.size());
    const std::uint64_t job = job_of(frames_[f]);
    for (int b = 0; b < bodies(); ++b) {
      const fs::path path = folder / fmt::format("{}_{:04}.vtu", names_[b], frames_[f]);
      if (body(b, f).bulk.empty() || is_made(path, job)) continue;
      write_bulk(path, body(b, f).bulk, at_first[b]);
      log_->add(path, job);
    }
  }
  make_pvd("volume", "volume.pvd");
}

void Converter::refuse_changes(const std::string& format) {
  std::vector<int> first;
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    report("looking", f, frames_.size());
    for (int b = 0; b < bodies(); ++b) {
      const int topology = body(b, f).topology;
      if (f == 0) first.push_back(topology);
      else if (topology != first[b])
        throw InputError(run_.string(), "",
                         fmt::format("{} changes its vertices in frame {}; {} moves a mesh that "
                                     "stays the same",
                                     names_[b], frames_[f], format),
                         "use glb, usda, ply, obj, stl or vtu");
    }
  }
}

void Converter::make_caches(const std::string& format) {
  refuse_changes(format);
  for (int b = 0; b < bodies(); ++b) {
    make_film(fmt::format("{}.{}", names_[b], format), [&](const fs::path& path, const auto& job) {
      const std::size_t count = frames_.size();
      ShownSurface shown(options_.original);
      shown.show(body(b, 0));
      const int vertices = int(shown.points().size());
      // A cache moves a mesh: here is the one it fits.
      write_obj(options_.folder / fmt::format("{}.obj", names_[b]), shown.points(), shown.faces());
      const auto points = [&](int f) -> std::span<const Vec3f> {
        report(format.c_str(), std::size_t(f), count);
        shown.show(body(b, std::size_t(f)));
        return shown.points();
      };
      if (format == "pc2") {
        return write_pc2(path, vertices, int(count), points, job);
      }
      std::vector<double> times;
      for (std::size_t f = 0; f < count; ++f) times.push_back(recording_.time_at(frames_[f]));
      write_mdd(path, vertices, times, points, job);
    });
  }
  if (format != "pc2") return;
  const fs::path script = options_.folder / "open_in_blender.py";
  write_blender_script(script, names_, int(frames_.size()), fps_);
  files.push_back(script);
  watcher_.note(
      fmt::format("point caches know no frame rate; {} opens them in a scene of {:.6g} "
                  "frames a second",
                  script.filename().string(), fps_));
}

void Converter::append_rows(int index, std::size_t frame, ShownSurface& shown, std::string& text) {
  const RecordedBody& now = body(index, frame);
  shown.show(now);
  std::vector<std::vector<float>> columns;
  const auto add = [&](const std::vector<float>& values) {
    const std::span<const float> brought = shown.values(values);
    columns.emplace_back(brought.begin(), brought.end());
  };
  if (has_colors_) add(now.values);
  for (const std::vector<float>& values : now.fields) add(values);
  for (std::size_t p = 0; p < shown.points().size(); ++p) {
    const Vec3f& at = shown.points()[p];
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", frames_[frame], recording_.time(),
                   p, at.x(), at.y(), at.z());
    for (const std::vector<float>& column : columns)
      if (p < column.size()) fmt::format_to(std::back_inserter(text), ",{}", column[p]);
      else text += ',';
    text += '\n';
  }
}

void Converter::make_csv() {
  for (int b = 0; b < bodies(); ++b) {
    make_film(fmt::format("{}.csv", names_[b]), [&](const fs::path& path, const auto& job) {
      FrameFile file(path, job);
      ShownSurface shown(options_.original);
      std::string text = "frame,time_s,vertex,x_m,y_m,z_m";
      has_colors_ = !body(b, 0).values.empty();
      if (has_colors_) text += ',' + recording_.field();
      for (const std::string& name : recording_.fields()) text += ',' + name;
      text += '\n';
      file.append(text);
      for (std::size_t f = 0; f < frames_.size(); ++f) {
        if (file.has_next()) {
          file.take_next();
          continue;
        }
        report("csv", f, frames_.size());
        text.clear();
        append_rows(b, f, shown, text);
        file.append(text);
        file.end_frame();
      }
      file.commit();
    });
  }
}

void Converter::color_by_field(int b, const Legend& legend, ShownSurface& shown, UsdaMesh& mesh) {
  const auto values_at = [this, b, &shown](int f) {
    const RecordedBody& now = body(b, std::size_t(f));
    shown.show(now, false);
    return shown.values(now.values);
  };
  mesh.field = recording_.field();
  mesh.values_at = values_at;
  mesh.colors_at = [this, values_at, &legend](int f) -> std::span<const Vec3f> {
    vertex_colors_.clear();
    for (const float value : values_at(f))
      vertex_colors_.push_back(
          to_linear(map_color(legend.map, legend.range.fraction(value))).cast<float>());
    return vertex_colors_;
  };
}

void Converter::add_colliders(std::vector<UsdaMesh>& meshes) {
  const std::size_t first = meshes.size();
  for (const RecordedCollider& collider : recording_.colliders()) {
    UsdaMesh& mesh = meshes.emplace_back();
    mesh.name = collider.name;
    mesh.color = to_linear(collider.color);
    mesh.vertices = int(collider.points.size());
    TriangleMesh surface;
    surface.triangles = collider.triangles;
    mesh.faces = faces_of(surface);
  }
  if (meshes.size() == first) return;
  for (const int frame : frames_) {
    recording_.frame(frame);
    for (std::size_t c = 0; c < recording_.colliders().size(); ++c)
      meshes[first + c].poses.push_back(recording_.colliders()[c].pose);
  }
}

UsdaMesh Converter::usda_mesh(int b, ShownSurface& shown, ShownVelocities& velocities) {
  shown.show(body(b, 0));
  UsdaMesh mesh;
  mesh.name = names_[b];
  mesh.color = to_linear(body(b, 0).color);
  mesh.vertices = int(shown.points().size());
  mesh.faces = shown.faces();
  for (const int paint : mesh.faces.paint)
    mesh.face_colors.push_back(
        (paint < 0 ? mesh.color : mesh.faces.paints[std::size_t(paint)].color).cast<float>());
  mesh.vertex_colors = mesh.faces.colors;
  mesh.faces_at = [this, b, &shown](int f) -> const Faces& {
    shown.show(body(b, std::size_t(f)));
    return shown.faces();
  };
  if (frames_.size() > 1)
    mesh.velocities_at = [&velocities](int f) -> std::span<const Vec3f> {
      return velocities.at(f);
    };
  return mesh;
}

void Converter::find_changes(std::vector<UsdaMesh>& meshes) {
  std::vector<int> topology(meshes.size());
  for (std::size_t f = 0; f < frames_.size(); ++f)
    for (int b = 0; b < bodies(); ++b) {
      const int now = body(b, f).topology;
      if (f > 0 && now != topology[b]) meshes[b].changes.push_back(int(f));
      topology[b] = now;
    }
}

void Converter::make_usda() {
  make_film("animation.usda", [&](const fs::path& path, const std::string& job) {
    const std::optional<Legend> legend = legend_of(recording_);
    std::vector<ShownSurface> shown(names_.size(), ShownSurface(options_.original));
    std::vector<ShownVelocities> velocities;
    for (int b = 0; b < bodies(); ++b)
      velocities.emplace_back(recording_, frames_, b, options_.original);
    std::vector<UsdaMesh> meshes;
    for (int b = 0; b < bodies(); ++b) {
      meshes.push_back(usda_mesh(b, shown[b], velocities[b]));
      if (legend && !body(b, 0).values.empty()) color_by_field(b, *legend, shown[b], meshes[b]);
    }
    find_changes(meshes);
    add_colliders(meshes);
    const std::size_t count = frames_.size();
    const auto points = [&](int m, int f) -> std::span<const Vec3f> {
      report("usda", std::size_t(m) * count + std::size_t(f), meshes.size() * count);
      if (m >= bodies()) return recording_.colliders()[std::size_t(m - bodies())].points;
      shown[m].show(body(m, std::size_t(f)), false);
      return shown[m].points();
    };
    write_usda(path, meshes, int(count), fps_, points, job);
  });
}

void Converter::make_glb() {
  make_film("animation.glb", [&](const fs::path& path, const std::string& job) {
    GlbSurfaces surfaces(recording_, frames_, options_.original);
    if (surfaces.every() > 1) watcher_.warning(told_thinned(surfaces));
    const std::size_t count = surfaces.frames().size();
    const auto points = [&](int mesh, int f) -> std::span<const Vec3f> {
      report("glb", std::size_t(f), count);
      return surfaces.points(mesh, f);
    };
    GlbOptions options;
    options.job = job;
    write_glb(path, surfaces.meshes(), int(count), fps_ / surfaces.every(), points, options);
  });
}

// Sources are looked at before the first file is made.
void Converter::make_cad(const std::string& format) {
  std::vector<std::unique_ptr<CadWriter>> writers(names_.size());
  for (std::size_t b = 0; b < names_.size(); ++b) {
    const RecordedNet& net = body(int(b), 0).net;
    if (!net.empty()) writers[b] = std::make_unique<CadWriter>(source_of(net, names_[b]));
  }
  for (std::size_t b = 0; b < names_.size(); ++b)
    if (!writers[b] && std::count(writers.begin(), writers.end(), nullptr) < bodies())
      watcher_.warning(
          fmt::format("{} has no control points, so there is no {} of it", names_[b], format));
  if (std::count(writers.begin(), writers.end(), nullptr) == bodies())
    throw InputError(
        run_.string(), "",
        fmt::format("has no body with control points, so there is no {} of it", format),
        "those that the method nurbs computes have them");
  const fs::path folder = options_.folder / format;
  fs::create_directories(folder);
  files.push_back(folder);
  for (std::size_t f = 0; f < frames_.size(); ++f) {
    report(format.c_str(), f, frames_.size());
    const std::uint64_t job = job_of(frames_[f]);
    for (int b = 0; b < bodies(); ++b) {
      const fs::path path = folder / fmt::format("{}_{:04}.{}", names_[b], frames_[f], format);
      if (!writers[b] || is_made(path, job)) continue;
      writers[b]->write(path, body(b, f).net.moved());
      log_->add(path, job);
    }
  }
}

void Converter::make(const std::string& format) {
  if (format == "obj")
    make_series(format, [](const fs::path& path, int, const RecordedBody&, ShownSurface& shown) {
      write_obj(path, shown.points(), shown.faces());
    });
  else if (format == "stl")
    make_series(format, [](const fs::path& path, int, const RecordedBody&, ShownSurface& shown) {
      write_stl(path, shown.points(), shown.triangles());
    });
  else if (format == "ply")
    make_series(
        format, [&](const fs::path& path, int, const RecordedBody& of, ShownSurface& shown) {
          std::vector<PlyProperty> properties;
          if (!of.values.empty())
            properties.push_back({recording_.field(), shown.values(of.values)});
          write_ply(path, std::span<const Vec3f>(shown.points()), shown.triangles(), properties);
        });
  else if (format == "vtu") {
    rest_.clear();
    rest_topology_.clear();
    for (const RecordedBody& of : recording_.frame(0)) {
      ShownSurface shown(options_.original);
      shown.show(of);
      rest_.push_back(shown.points());
      rest_topology_.push_back(of.topology);
    }
    make_series(format, [&](const fs::path& path, int b, const RecordedBody& of,
                            ShownSurface& shown) { write_fields(path, b, of, shown); });
    make_pvd("vtu", "animation.pvd");
    make_volume();
  } else if (format == "pc2" || format == "mdd") {
    make_caches(format);
  } else if (format == "csv") {
    make_csv();
  } else if (format == "usda") {
    make_usda();
  } else if (format == "step" || format == "iges") {
    make_cad(format);
  } else {
    make_glb();
  }
}

}  // namespace

const std::vector<std::string>& convert_formats() {
  static const std::vector<std::string> names = {"glb", "usda", "pc2", "mdd",  "obj", "ply",
                                                 "stl", "vtu",  "csv", "step", "iges"};
  return names;
}

ConvertResult convert_run(const fs::path& run, const ConvertOptions& options, RunWatcher& watcher) {
  const std::vector<std::string>& known = convert_formats();
  for (const std::string& format : options.formats)
    if (std::find(known.begin(), known.end(), format) == known.end()) {
      std::string list;
      for (const std::string& name : known) list += ' ' + name;
      throw InputError("", "", fmt::format("\"{}\" is not a format that can be written", format),
                       "there are" + list);
    }
  if (!fs::exists(run / "recording.bin"))
    throw InputError(run.string(), "", "holds no recording.bin", "name the folder of a run");
  check_output_folder(options.folder);
  Converter converter(run, options, watcher);
  ConvertResult result;
  try {
    for (const std::string& format : options.formats) converter.make(format);
  } catch (const Stopped&) {
    result.finished = false;
  } catch (...) {
    converter.forget();
    throw;
  }
  result.files = std::move(converter.files);
  return result;
}

}  // namespace pliant
