#include "formats/cad_trims.h"

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepLib.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Geom2d_BSplineCurve.hxx>
#include <ShapeFix_Face.hxx>
#include <TColgp_Array1OfPnt2d.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Wire.hxx>

#include "formats/cad_faces.h"

namespace pliant {
namespace {

constexpr double curve_accuracy = 1e-6;  // [mm] of the curves in space that go with trims

/// A side of the patch that is a point, like a pole of a sphere.
TopoDS_Edge point_edge(const Handle(Geom2d_Curve) & curve, double from, double to,
                       const Handle(Geom_BSplineSurface) & surface) {
  const gp_Pnt2d uv = curve->Value(from);
  BRep_Builder builder;
  TopoDS_Vertex vertex;
  builder.MakeVertex(vertex, surface->Value(uv.X(), uv.Y()), Precision::Confusion());
  TopoDS_Edge edge;
  builder.MakeEdge(edge);
  builder.UpdateEdge(edge, curve, surface, TopLoc_Location(), Precision::Confusion());
  builder.Add(edge, vertex.Oriented(TopAbs_FORWARD));
  builder.Add(edge, vertex.Oriented(TopAbs_REVERSED));
  builder.Range(edge, from, to);
  builder.Degenerated(edge, true);
  return edge;
}

TopoDS_Edge moved_edge(const TopoDS_Edge& given, const TopoDS_Face& face,
                       const Handle(Geom_BSplineSurface) & surface) {
  double from = 0, to = 0;
  const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(given, face, from, to);
  if (curve.IsNull()) throw Standard_Failure("an edge without a curve in (u, v)");
  TopoDS_Edge edge;
  if (BRep_Tool::Degenerated(given)) {
    edge = point_edge(curve, from, to, surface);
  } else {
    edge = BRepBuilderAPI_MakeEdge(curve, surface, from, to).Edge();
    BRepLib::BuildCurve3d(edge, curve_accuracy);
  }
  edge.Orientation(given.Orientation());
  return edge;
}

Handle(Geom2d_BSplineCurve) curve_of(const TrimCurve& trim) {
  const int count = trim.knots.poles();
  TColgp_Array1OfPnt2d poles(1, count);
  TColStd_Array1OfReal weights(1, count);
  for (int i = 0; i < count; ++i) {
    poles.SetValue(i + 1, gp_Pnt2d(trim.pole[i].x(), trim.pole[i].y()));
    weights.SetValue(i + 1, trim.weight[i]);
  }
  const CadKnots knots(trim.knots);
  return new Geom2d_BSplineCurve(poles, weights, knots.values(), knots.multiplicities(),
                                 trim.knots.degree);
}

/// Ends of edges that meet become one vertex.
TopoDS_Face repaired(const TopoDS_Face& face) {
  ShapeFix_Face fix(face);
  fix.FixOrientationMode() = 0;
  fix.FixAddNaturalBoundMode() = 0;
  fix.FixSmallAreaWireMode() = 0;
  fix.Perform();
  return fix.Face();
}

}  // namespace

CadKnots::CadKnots(const KnotVector& direction) {
  for (const double knot : direction.knots) {
    if (value.empty() || knot > value.back()) value.push_back(knot), times.push_back(0);
    ++times.back();
  }
}

TopoDS_Face trimmed_like(const TopoDS_Face& face, const Handle(Geom_BSplineSurface) & surface) {
  const Handle(Geom_BSplineSurface) before = surface_of(face);
  if (!before.IsNull() && before->IsUPeriodic() && surface->IsUClosed()) surface->SetUPeriodic();
  if (!before.IsNull() && before->IsVPeriodic() && surface->IsVClosed()) surface->SetVPeriodic();
  BRep_Builder builder;
  TopoDS_Face moved;
  builder.MakeFace(moved, surface, TopLoc_Location(), Precision::Confusion());
  const TopoDS_Face forward = TopoDS::Face(face.Oriented(TopAbs_FORWARD));
  for (TopoDS_Iterator i(forward); i.More(); i.Next()) {
    if (i.Value().ShapeType() != TopAbs_WIRE) continue;
    TopoDS_Wire wire;
    builder.MakeWire(wire);
    for (TopoDS_Iterator j(i.Value().Oriented(TopAbs_FORWARD)); j.More(); j.Next())
      builder.Add(wire, moved_edge(TopoDS::Edge(j.Value()), forward, surface));
    wire.Closed(true);
    builder.Add(moved, wire.Oriented(i.Value().Orientation()));
  }
  return repaired(moved);
}

TopoDS_Face trimmed_by(const NurbsPatch& patch, const Handle(Geom_BSplineSurface) & surface) {
  BRep_Builder builder;
  TopoDS_Face face;
  builder.MakeFace(face, surface, TopLoc_Location(), Precision::Confusion());
  for (const std::vector<TrimCurve>& chain : patch.trims) {
    TopoDS_Wire wire;
    builder.MakeWire(wire);
    for (const TrimCurve& trim : chain) {
      const TopoDS_Edge edge = BRepBuilderAPI_MakeEdge(curve_of(trim), surface).Edge();
      BRepLib::BuildCurve3d(edge, curve_accuracy);
      builder.Add(wire, edge);
    }
    wire.Closed(true);
    builder.Add(face, wire);
  }
  return repaired(face);
}

}  // namespace pliant
