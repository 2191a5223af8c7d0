#include "formats/cad.h"

#include <BRepBndLib.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Geom2d_Curve.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <fmt/format.h>

#include "core/errors.h"
#include "formats/cad_domain.h"
#include "formats/cad_faces.h"
#include "formats/problems.h"
#include "geometry/nurbs/patch_archive.h"

namespace pliant {
namespace {

constexpr double metres = 1e-3;         // in a mm, which OpenCASCADE works in
constexpr double trim_accuracy = 1e-3;  // of the diagonal
constexpr double trim_angle = 0.5;      // [rad] between neighbouring pieces of a trim
constexpr double farthest = 1e12;       // [mm]

/// Why a face is left out.
struct Unusable {
  std::string reason;
};

KnotVector knots_of(const Geom_BSplineSurface& surface, bool along_u) {
  KnotVector direction;
  direction.degree = along_u ? surface.UDegree() : surface.VDegree();
  for (int i = 1; i <= (along_u ? surface.NbUKnots() : surface.NbVKnots()); ++i) {
    const int times = along_u ? surface.UMultiplicity(i) : surface.VMultiplicity(i);
    direction.knots.insert(direction.knots.end(), std::size_t(times),
                           along_u ? surface.UKnot(i) : surface.VKnot(i));
  }
  return direction;
}

bool is_clamped(const KnotVector& direction) {
  return direction.knots.front() == direction.first() && direction.knots.back() == direction.last();
}

void copy_surface(Geom_BSplineSurface& surface, NurbsPatch& patch) {
  if (surface.IsUPeriodic()) surface.SetUNotPeriodic();
  if (surface.IsVPeriodic()) surface.SetVNotPeriodic();
  if (!is_clamped(knots_of(surface, true)) || !is_clamped(knots_of(surface, false))) {
    double u0, u1, v0, v1;
    surface.Bounds(u0, u1, v0, v1);
    surface.Segment(u0, u1, v0, v1);
  }
  patch.u = knots_of(surface, true);
  patch.v = knots_of(surface, false);
  for (int i = 1; i <= surface.NbUPoles(); ++i)
    for (int j = 1; j <= surface.NbVPoles(); ++j) {
      const gp_Pnt p = surface.Pole(i, j);
      patch.pole.push_back(metres * Vec3(p.X(), p.Y(), p.Z()));
      patch.weight.push_back(surface.Weight(i, j));
    }
}

void copy_domain(const TopoDS_Face& face, NurbsPatch& patch) {
  TopLoc_Location place;
  const Handle(Poly_Triangulation) mesh = BRep_Tool::Triangulation(face, place);
  if (mesh.IsNull() || !mesh->HasUVNodes() || mesh->NbTriangles() == 0)
    throw Unusable{"its trims enclose nothing"};
  for (int i = 1; i <= mesh->NbNodes(); ++i)
    patch.domain.emplace_back(mesh->UVNode(i).X(), mesh->UVNode(i).Y());
  for (int i = 1; i <= mesh->NbTriangles(); ++i) {
    int a = 0, b = 0, c = 0;
    mesh->Triangle(i).Get(a, b, c);
    if (face.Orientation() == TopAbs_REVERSED) std::swap(b, c);
    patch.triangles.push_back({a - 1, b - 1, c - 1});
  }
}

/// False when the only wire runs along a rectangle as large as the range of the parameters, where
/// that may lie on a closed surface.
bool is_trimmed(const TopoDS_Face& face, const NurbsPatch& patch) {
  int wires = 0;
  for (TopExp_Explorer i(face, TopAbs_WIRE); i.More(); i.Next()) ++wires;
  if (wires != 1) return wires > 1;
  std::vector<Vec2> points;
  for (TopExp_Explorer i(face, TopAbs_EDGE); i.More(); i.Next()) {
    double from = 0, to = 0;
    const Handle(Geom2d_Curve) curve =
        BRep_Tool::CurveOnSurface(TopoDS::Edge(i.Current()), face, from, to);
    if (curve.IsNull()) return true;
    for (int k = 0; k <= 8; ++k) {
      const gp_Pnt2d p = curve->Value(from + (to - from) * k / 8);
      points.emplace_back(p.X(), p.Y());
    }
  }
  const Vec2 range(patch.u.last() - patch.u.first(), patch.v.last() - patch.v.first());
  Vec2 low = points[0], high = low;
  for (const Vec2& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double slack = 1e-5;
  if (((high - low).cwiseQuotient(range).array() - 1).abs().maxCoeff() > slack) return true;
  return !std::all_of(points.begin(), points.end(), [&](const Vec2& p) {
    return (p - low).cwiseMin(high - p).cwiseQuotient(range).minCoeff() < slack;
  });
}

NurbsPatch patch_of(const FileFace& given) {
  const Handle(Geom_BSplineSurface) surface = surface_of(given.face);
  if (surface.IsNull()) throw Unusable{"its surface has no form as a B-spline"};
  const Vec2 period(surface->IsUPeriodic() ? surface->UPeriod() : 0,
                    surface->IsVPeriodic() ? surface->VPeriod() : 0);
  NurbsPatch patch;
  patch.name = given.name;
  patch.within = given.within;
  patch.face = given.number;
  copy_surface(*surface, patch);
  copy_domain(given.face, patch);
  patch.is_trimmed = is_trimmed(given.face, patch);
  if (!wrap_domain(patch, period)) throw Unusable{"its trims lie outside of its surface"};
  patch.check();
  return patch;
}

/// `call`, with the reasons of OpenCASCADE put into our words.
template <class Call>
auto guarded(const Call& call) {
  try {
    return call();
  } catch (const Standard_Failure&) {
    throw Unusable{"its geometry is damaged"};
  } catch (const InputError& error) {
    throw Unusable{error.problems().front().what};
  }
}

/// In its box [mm]; throws when it cannot be meshed without harm.
void check_extent(const TopoDS_Face& face, Bnd_Box& all) {
  const Handle(Geom_BSplineSurface) surface = surface_of(face);
  if (surface.IsNull()) throw Unusable{"its surface has no form as a B-spline"};
  Bnd_Box box;
  for (int i = 1; i <= surface->NbUPoles(); ++i)
    for (int j = 1; j <= surface->NbVPoles(); ++j) {
      const gp_Pnt p = surface->Pole(i, j);
      for (const double x : {p.X(), p.Y(), p.Z()})
        if (!(std::abs(x) < farthest)) throw Unusable{"a pole is not finite or too far away"};
      box.Add(p);
    }
  all.Add(box);
}

void mesh(const TopoDS_Shape& shape, double accuracy) {
  try {
    BRepMesh_IncrementalMesh(shape, accuracy, false, trim_angle);
  } catch (const Standard_Failure&) {
    // Faces left without triangles are looked after one by one.
  }
}

/// Together, so that neighbours agree about their edges; again alone where that failed.
void mesh_all(const std::vector<FileFace>& faces, const Bnd_Box& box) {
  const double accuracy = trim_accuracy * std::sqrt(box.SquareExtent());
  if (!(accuracy > 0)) return;
  BRep_Builder builder;
  TopoDS_Compound all;
  builder.MakeCompound(all);
  for (const FileFace& face : faces) builder.Add(all, face.face);
  mesh(all, accuracy);
  for (const FileFace& face : faces) {
    TopLoc_Location place;
    if (BRep_Tool::Triangulation(face.face, place).IsNull()) mesh(face.face, accuracy);
  }
}

/// In a process of its own: OpenCASCADE may do anything with a damaged file.
CadModel read_here(const std::filesystem::path& path) {
  const std::string file = path.string();
  FileFaces found = load_faces(path);
  CadModel model;
  model.faces = int(found.faces.size());
  model.unit = found.unit;
  model.unit_name = found.unit_name;
  for (const std::string& warning : found.warnings) warn(&model.warnings, file, warning);
  const auto attempt = [&](const FileFace& face, const auto& call) {
    try {
      guarded(call);
      return true;
    } catch (const Unusable& problem) {
      warn(&model.warnings, file,
           fmt::format("face {} is left out: {}", face.number, problem.reason));
      return false;
    }
  };
  Bnd_Box box;
  std::erase_if(found.faces, [&](const FileFace& face) {
    return !attempt(face, [&] { check_extent(face.face, box); });
  });
  mesh_all(found.faces, box);
  for (const FileFace& face : found.faces)
    if (attempt(face, [&] { model.patches.push_back(patch_of(face)); }))
      model.colors.push_back(face.color);
  if (model.patches.empty())
    throw InputError(file, "", fmt::format("has {} faces, and none can be used", model.faces),
                     model.warnings.front().substr(file.size() + 2));
  return model;
}

void archive(Archive& stored, CadModel& model) {
  stored.value("faces", model.faces);
  stored.value("unit", model.unit);
  stored.text("unit_name", model.unit_name);
  std::uint64_t patches = model.patches.size(), warnings = model.warnings.size();
  stored.value("patches", patches);
  stored.value("warnings", warnings);
  model.patches.resize(std::size_t(patches));
  model.warnings.resize(std::size_t(warnings));
  for (NurbsPatch& patch : model.patches) {
    pliant::archive(stored, patch);
    std::uint64_t names = patch.within.size();
    stored.value("names around", names);
    patch.within.resize(std::size_t(names));
    for (std::string& name : patch.within) stored.text("name", name);
  }
  model.colors.resize(model.patches.size());
  for (std::optional<Vec3>& color : model.colors) {
    Vec3 rgb = color.value_or(Vec3::Constant(-1));
    stored.value("color", rgb);
    if (rgb.minCoeff() >= 0) color = rgb;
  }
  for (std::string& warning : model.warnings) stored.text("warning", warning);
}

}  // namespace

bool has_cad() { return true; }

CadModel read_cad(const std::filesystem::path& path) {
  const std::unique_lock<std::mutex> lock = cad_lock();
  const std::vector<std::byte> bytes = isolated_cad(path, "read", [&] {
    CadModel model = read_here(path);
    Archive saved = Archive::saving();
    archive(saved, model);
    return saved.take_bytes();
  });
  CadModel model;
  Archive saved = Archive::loading(bytes);
  archive(saved, model);
  for (const NurbsPatch& patch : model.patches) patch.check();
  return model;
}

}  // namespace pliant
