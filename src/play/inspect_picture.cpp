#include <algorithm>
#include <fmt/format.h>

#include "picture/render.h"
#include "picture/text.h"
#include "play/inspect_layers.h"

namespace pliant {
namespace {

using Vec3f = Eigen::Vector3f;

constexpr int panel_width = 420, view_width = 520, view_height = 540;
const Vec3 plain = {0.74, 0.75, 0.77};
const Vec3 paper = {0.95, 0.95, 0.95};
const Vec3 ink = {0.12, 0.13, 0.15};

}  // namespace

void add_rod(Layer& layer, const Vec3& from, const Vec3& to, double radius) {
  const Vec3 along = to - from;
  if (!(along.norm() > 0)) return;
  const Vec3 u = along.unitOrthogonal(), v = along.normalized().cross(u);
  const int first = int(layer.points.size());
  for (const Vec3& end : {from, to})
    for (int k = 0; k < 3; ++k) {
      const double angle = 2 * 3.14159265358979 * k / 3;
      layer.points.push_back(
          (end + radius * (std::cos(angle) * u + std::sin(angle) * v)).cast<float>());
    }
  for (int k = 0; k < 3; ++k) {
    const int a = first + k, b = first + (k + 1) % 3;
    layer.triangles.push_back({a, b, a + 3});
    layer.triangles.push_back({b, b + 3, a + 3});
  }
}

namespace {

void add_bead(Layer& layer, const Vec3& at, double radius) {
  const int first = int(layer.points.size());
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      Vec3 p = at;
      p[axis] += side * radius;
      layer.points.push_back(p.cast<float>());
    }
  for (int mask = 0; mask < 8; ++mask) {
    const int a = first + (mask & 1), b = first + 2 + (mask >> 1 & 1), c = first + 4 + (mask >> 2);
    const bool even = ((mask & 1) + (mask >> 1 & 1) + (mask >> 2)) % 2 == 1;
    layer.triangles.push_back(even ? Triangle{a, b, c} : Triangle{a, c, b});
  }
}

class Marker {
 public:
  explicit Marker(const Inspection& found)
      : found_(found), rod_(0.004 * found.box.extent().maxCoeff()) {}

  std::vector<Layer> layers() {
    color_triangles();
    if (found_.intake) mark_edges();
    return std::move(layers_);
  }

 private:
  Layer& layer(const Vec3& color) {
    for (Layer& known : layers_)
      if (known.color == color) return known;
    return layers_.emplace_back(Layer{color, {}, {}, 0});
  }
  const Vec3& color_of(const char* id) const { return found_.finding(id).color; }

  /// Every given triangle in the color of the worst that is said about it.
  void color_triangles() {
    const TriangleMesh& given = found_.given;
    std::vector<Vec3> color(given.triangles.size(), plain);
    const auto paint = [&](const std::vector<int>& triangles, const char* id) {
      for (const int t : triangles) color[std::size_t(t)] = color_of(id);
    };
    if (found_.intake) {
      const Defects& d = found_.intake->defects;
      paint(d.turned, "turned");
      paint(d.one_sided, "one_sided");
      // A copy lies on its original: both are painted, or only chance would show it.
      paint_alike(welded(d.opposed), "opposed", color);
      paint_alike(welded(d.repeated), "repeated", color);
      std::vector<Triangle> overlapping;
      for (const int t : found_.overlaps.triangles)
        overlapping.push_back(sorted(found_.intake->mesh.triangles[std::size_t(t)]));
      paint_alike(std::move(overlapping), "overlaps", color);
    }
    for (std::size_t t = 0; t < given.triangles.size(); ++t) {
      Layer& to = layer(color[t]);
      Triangle copy;
      for (int k = 0; k < 3; ++k) {
        copy[k] = int(to.points.size());
        to.points.push_back(given.points[given.triangles[t][k]].cast<float>());
      }
      to.triangles.push_back(copy);
    }
  }

  static Triangle sorted(Triangle t) {
    std::sort(t.begin(), t.end());
    return t;
  }
  /// A given triangle by the points it has in the mesh that was made.
  Triangle welded(int t) const {
    Triangle made;
    for (int k = 0; k < 3; ++k)
      made[k] = found_.intake->vertex[std::size_t(found_.given.triangles[std::size_t(t)][k])];
    return sorted(made);
  }
  std::vector<Triangle> welded(const std::vector<int>& triangles) const {
    std::vector<Triangle> made;
    for (const int t : triangles) made.push_back(welded(t));
    return made;
  }

  /// Every given triangle with the corners of one of these.
  void paint_alike(std::vector<Triangle> wanted, const char* id, std::vector<Vec3>& color) const {
    std::sort(wanted.begin(), wanted.end());
    for (int t = 0; t < int(color.size()); ++t)
      if (std::binary_search(wanted.begin(), wanted.end(), welded(t)))
        color[std::size_t(t)] = color_of(id);
  }

  void mark_edges() {
    const std::vector<Vec3>& points = found_.intake->mesh.points;
    const Defects& d = found_.intake->defects;
    for (const std::vector<int>& rim : d.holes)
      for (std::size_t i = 0; i < rim.size(); ++i)
        add_rod(layer(color_of("holes")), points[rim[i]], points[rim[(i + 1) % rim.size()]], rod_);
    for (const auto& [a, b] : d.crowded)
      add_rod(layer(color_of("crowded_edges")), points[a], points[b], rod_);
    for (const int p : d.pinched) add_bead(layer(color_of("pinched_points")), points[p], 4 * rod_);
    for (const int t : d.flat)
      for (int k = 0; k < 3; ++k) {
        const Triangle& corner = found_.given.triangles[std::size_t(t)];
        add_rod(layer(color_of("flat")), found_.given.points[corner[k]],
                found_.given.points[corner[(k + 1) % 3]], rod_);
      }
  }

  const Inspection& found_;
  double rod_;
  std::vector<Layer> layers_;
};

Image view(const std::vector<Layer>& layers, const Inspection& found, double azimuth) {
  Shot shot;
  Framing framing;
  framing.azimuth = azimuth;
  framing.margin = 0.12;
  shot.camera = frame_camera(found.box, double(view_width) / view_height, framing);
  for (const Layer& layer : layers) {
    ShotMesh mesh;
    mesh.points = layer.points;
    mesh.triangles = layer.triangles;
    mesh.color = layer.color;
    mesh.crease = layer.crease;
    shot.meshes.push_back(mesh);
  }
  Renderer renderer;
  Image image = renderer.render(
      shot, {.width = view_width, .height = view_height, .samples = 8, .whole = true});
  if (found.cad) number_cad_faces(found, shot.camera, image);
  return image;
}

/// Numbers and names in the colors of the faces, as far as there is room.
void list_names(const std::vector<CadFace>& faces, int y, Image& image) {
  for (std::size_t f = 0; f < faces.size() && y + 20 < image.height; ++f) {
    if (faces[f].name.empty()) continue;
    draw_text(image, 14, y, fmt::format("{} {}", faces[f].number, faces[f].name).substr(0, 33),
              0.8 * color_of_cad_face(int(f)), 2);
    y += 22;
  }
}

}  // namespace

void write_inspection_picture(const std::filesystem::path& path, const Inspection& found,
                              const std::string& title) {
  const std::vector<Layer> layers = found.cad ? cad_layers(found) : Marker(found).layers();
  Image image(panel_width + 2 * view_width, view_height, to_pixel(paper));
  for (int side = 0; side < 2; ++side) {
    const Image half = view(layers, found, side == 0 ? 32 : 212);
    for (int y = 0; y < view_height; ++y)
      std::copy_n(&half.at(0, y), view_width, &image.at(panel_width + side * view_width, y));
  }
  int y = 12;
  draw_text(image, 14, y, title, ink, 2);
  y += 26;
  for (const Finding& finding : found.findings) {
    if (finding.count == 0) continue;
    const bool marked = finding.color.norm() > 0;
    draw_text(image, 14, y, fmt::format("{} {}", finding.count, finding.label),
              marked ? finding.color : ink, 2);
    y += 22;
  }
  if (y == 38) {
    draw_text(image, 14, y, "nothing wrong", ink, 2);
    y += 22;
  }
  if (found.cad) list_names(found.cad->faces, y + 10, image);
  write_png(path, image);
}

}  // namespace pliant
