#pragma once

#include <Geom_BSplineSurface.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TopoDS_Face.hxx>

#include "geometry/nurbs/patch.h"

// Trims of faces that are written. Needs OpenCASCADE; for cad_write.cpp only.
namespace pliant {

/// Knots as OpenCASCADE has them: each once, with how many times it is there.
struct CadKnots {
  explicit CadKnots(const KnotVector& direction);
  TColStd_Array1OfReal values() const { return {value[0], 1, int(value.size())}; }
  TColStd_Array1OfInteger multiplicities() const { return {times[0], 1, int(times.size())}; }

  std::vector<double> value;
  std::vector<int> times;
};

/// The trims of a face on another surface of the same parameters. Changing poles in place would
/// leave edges in space where they were, so all are made anew from their curves in (u, v). Throws
/// Standard_Failure, as does the other.
TopoDS_Face trimmed_like(const TopoDS_Face& face, const Handle(Geom_BSplineSurface) & surface);

/// The trims of a patch that was made here.
TopoDS_Face trimmed_by(const NurbsPatch& patch, const Handle(Geom_BSplineSurface) & surface);

}  // namespace pliant
