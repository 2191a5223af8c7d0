#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "picture/camera.h"
#include "picture/color.h"
#include "picture/text.h"
#include "play/inspect_layers.h"

// The picture of a CAD model: which face is where is found by drawing their numbers instead of
// their colors, with a depth buffer; a number stands where its face is seen widest.

namespace pliant {
namespace {

/// Per pixel the face that is seen there, -1 = none.
class FacePixels {
 public:
  FacePixels(const Camera& camera, int width, int height)
      : camera_(camera),
        width_(width),
        height_(height),
        face_(std::size_t(width) * std::size_t(height), -1),
        nearness_(face_.size(), 0) {}

  void draw(const Vec3& a, const Vec3& b, const Vec3& c, int face) {
    const Vec3 p[] = {on_screen(a), on_screen(b), on_screen(c)};
    const double area = cross(p[0], p[1], p[2]);
    if (!(p[0][2] > 0 && p[1][2] > 0 && p[2][2] > 0) || area == 0) return;
    const auto [left, right] = std::minmax({p[0][0], p[1][0], p[2][0]});
    const auto [top, bottom] = std::minmax({p[0][1], p[1][1], p[2][1]});
    for (int y = std::max(0, int(std::floor(top))); y <= std::min(height_ - 1, int(bottom)); ++y)
      for (int x = std::max(0, int(std::floor(left))); x <= std::min(width_ - 1, int(right)); ++x) {
        const Vec3 at(x + 0.5, y + 0.5, 0);
        const double u = cross(p[1], p[2], at) / area, v = cross(p[2], p[0], at) / area;
        if (u < 0 || v < 0 || u + v > 1) continue;
        const double nearness = u * p[0][2] + v * p[1][2] + (1 - u - v) * p[2][2];
        double& nearest = nearness_[index(x, y)];
        if (nearness <= nearest) continue;
        nearest = nearness;
        face_[index(x, y)] = face;
      }
  }

  struct Place {
    int x = 0, y = 0;
    int room = 0;  // [pixels] to what is another face, about
  };
  /// Per face: the pixel with most of it around.
  std::vector<Place> places(int faces) const {
    std::vector<int> room(face_.size(), 0);
    const auto step = [&](int x, int y, std::initializer_list<std::array<int, 2>> before) {
      int least = room[index(x, y)];
      for (const auto& [dx, dy] : before) {
        const bool outside = x + dx < 0 || x + dx >= width_ || y + dy < 0 || y + dy >= height_;
        const bool alike = !outside && face_[index(x + dx, y + dy)] == face_[index(x, y)];
        least = std::min(least, 1 + (alike ? room[index(x + dx, y + dy)] : 0));
      }
      room[index(x, y)] = least;
    };
    std::fill(room.begin(), room.end(), width_ + height_);
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) step(x, y, {{-1, 0}, {0, -1}, {-1, -1}, {1, -1}});
    for (int y = height_ - 1; y >= 0; --y)
      for (int x = width_ - 1; x >= 0; --x) step(x, y, {{1, 0}, {0, 1}, {1, 1}, {-1, 1}});
    std::vector<Place> best(static_cast<std::size_t>(faces));
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const int face = face_[index(x, y)], here = room[index(x, y)];
        if (face >= 0 && here > best[std::size_t(face)].room)
          best[std::size_t(face)] = {x, y, here};
      }
    return best;
  }

 private:
  std::size_t index(int x, int y) const {
    return std::size_t(y) * std::size_t(width_) + std::size_t(x);
  }
  static double cross(const Vec3& a, const Vec3& b, const Vec3& c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }
  /// x, y [pixels] and 1 / depth, which is linear on the screen.
  Vec3 on_screen(const Vec3& p) const {
    const Vec3 at = project(camera_, double(width_) / height_, p);
    return {0.5 * (1 + at[0]) * width_, 0.5 * (1 - at[1]) * height_, at[2] > 0 ? 1 / at[2] : -1};
  }

  const Camera& camera_;
  const int width_, height_;
  std::vector<int> face_;
  std::vector<double> nearness_;
};

/// Readable on any color.
void write_number(Image& view, int x, int y, int number, int scale) {
  const std::string text = fmt::format("{}", number);
  const int left = x - text_width(text, scale) / 2, top = y - 7 * scale / 2;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0) draw_text(view, left + dx, top + dy, text, Vec3::Ones(), scale, 0.55);
  draw_text(view, left, top, text, {0.08, 0.08, 0.10}, scale);
}

}  // namespace

Vec3 color_of_cad_face(int index) { return (1 - 0.16 * (index / 8 % 4)) * palette(index); }

std::vector<Layer> cad_layers(const Inspection& found) {
  const TriangleMesh& given = found.given;
  std::vector<Layer> layers;
  std::vector<int> copy(given.points.size(), -1);
  for (std::size_t f = 0; f < found.cad->faces.size(); ++f) {
    Layer& layer = layers.emplace_back(Layer{color_of_cad_face(int(f)), {}, {}, 50});
    for (const int t : given.groups[f].triangles) {
      Triangle corners = given.triangles[std::size_t(t)];
      for (int& p : corners) {
        int& mine = copy[std::size_t(p)];
        if (mine < 0) {
          mine = int(layer.points.size());
          layer.points.push_back(given.points[std::size_t(p)].cast<float>());
        }
        p = mine;
      }
      layer.triangles.push_back(corners);
    }
  }
  Layer& free = layers.emplace_back(Layer{found.finding("holes").color, {}, {}});
  for (const FaceMeetings::Run& run : found.cad->meetings.free)
    for (std::size_t i = 1; i < run.points.size(); ++i)
      add_rod(free, run.points[i - 1], run.points[i], 0.005 * found.box.extent().maxCoeff());
  return layers;
}

void number_cad_faces(const Inspection& found, const Camera& camera, Image& view) {
  FacePixels pixels(camera, view.width, view.height);
  const TriangleMesh& given = found.given;
  for (std::size_t t = 0; t < given.triangles.size(); ++t) {
    const Triangle& corner = given.triangles[t];
    pixels.draw(given.points[corner[0]], given.points[corner[1]], given.points[corner[2]],
                found.cad->face_of_triangle[t]);
  }
  const std::vector<CadFace>& faces = found.cad->faces;
  const auto places = pixels.places(int(faces.size()));
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (places[f].room >= 3)
      write_number(view, places[f].x, places[f].y, faces[f].number, places[f].room >= 9 ? 2 : 1);
}

}  // namespace pliant
