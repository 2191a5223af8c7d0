#include "formats/cad_borders.h"

#include <BRep_Tool.hxx>
#include <Geom2d_Curve.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>

#include "core/archive.h"
#include "formats/cad_faces.h"

namespace pliant {
namespace {

constexpr double metres = 1e-3;    // in a mm, which OpenCASCADE works in
constexpr int pieces = 8;          // of an edge at least
constexpr int most_halvings = 10;  // of a piece
constexpr std::size_t most_points =
    2'000'000;  // of all edges; wild curves are not followed further

/// An edge as its face has it: a curve in (u, v) on the face's surface.
class EdgeOnFace {
 public:
  EdgeOnFace(const TopoDS_Edge& edge, const TopoDS_Face& face, Handle(Geom_BSplineSurface) surface)
      : surface_(std::move(surface)), curve_(BRep_Tool::CurveOnSurface(edge, face, from_, to_)) {}

  bool is_there() const { return !curve_.IsNull(); }

  std::vector<Vec3> row(double longest, double deviation, std::size_t& room) {
    longest_ = longest;
    deviation_ = deviation;
    room_ = room;
    points_ = {at(from_)};
    for (int k = 0; k < pieces; ++k) go_on(share(k), share(k + 1), at(share(k + 1)), 0);
    room = room_;
    return std::move(points_);
  }

 private:
  double share(int k) const { return from_ + (to_ - from_) * k / pieces; }
  Vec3 at(double t) const {
    const gp_Pnt2d uv = curve_->Value(t);
    const gp_Pnt p = surface_->Value(uv.X(), uv.Y());
    return metres * Vec3(p.X(), p.Y(), p.Z());
  }
  /// From the last point, which is that of t0, to `end`.
  void go_on(double t0, double t1, const Vec3& end, int halvings) {
    const Vec3 start = points_.back();
    const double middle = 0.5 * (t0 + t1);
    if (halvings < most_halvings && room_ > 0) {
      const Vec3 between = at(middle);
      if ((end - start).norm() > longest_ || (between - 0.5 * (start + end)).norm() > deviation_) {
        go_on(t0, middle, between, halvings + 1);
        go_on(middle, t1, end, halvings + 1);
        return;
      }
    }
    points_.push_back(end);
    if (room_ > 0) --room_;
  }

  Handle(Geom_BSplineSurface) surface_;
  double from_ = 0, to_ = 0;
  Handle(Geom2d_Curve) curve_;
  double longest_ = 0, deviation_ = 0;
  std::size_t room_ = 0;
  std::vector<Vec3> points_;
};

double length(const std::vector<Vec3>& row) {
  double sum = 0;
  for (std::size_t i = 1; i < row.size(); ++i) sum += (row[i] - row[i - 1]).norm();
  return sum;
}

std::vector<FaceBorder> read_here(const std::filesystem::path& path, double longest,
                                  double deviation) {
  std::vector<FaceBorder> borders;
  std::size_t room = most_points;
  for (const FileFace& face : load_faces(path).faces) {
    try {
      const Handle(Geom_BSplineSurface) surface = surface_of(face.face);
      if (surface.IsNull()) continue;
      for (TopExp_Explorer i(face.face, TopAbs_EDGE); i.More(); i.Next()) {
        EdgeOnFace edge(TopoDS::Edge(i.Current()), face.face, surface);
        if (!edge.is_there()) continue;
        std::vector<Vec3> row = edge.row(longest, deviation, room);
        if (length(row) > deviation && length(row) < 1e12) borders.push_back({face.number, row});
      }
    } catch (const Standard_Failure&) {
      // read_cad() has told about this face.
    }
  }
  return borders;
}

void archive(Archive& stored, std::vector<FaceBorder>& borders) {
  std::uint64_t count = borders.size();
  stored.value("borders", count);
  borders.resize(std::size_t(count));
  for (FaceBorder& border : borders) {
    stored.value("face", border.face);
    stored.array("points", border.points);
  }
}

}  // namespace

std::vector<FaceBorder> read_cad_borders(const std::filesystem::path& path, double longest,
                                         double deviation) {
  const std::unique_lock<std::mutex> lock = cad_lock();
  const std::vector<std::byte> bytes = isolated_cad(path, "read", [&] {
    std::vector<FaceBorder> borders = read_here(path, longest, deviation);
    Archive saved = Archive::saving();
    archive(saved, borders);
    return saved.take_bytes();
  });
  std::vector<FaceBorder> borders;
  Archive saved = Archive::loading(bytes);
  archive(saved, borders);
  return borders;
}

}  // namespace pliant
