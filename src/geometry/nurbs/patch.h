#pragma once

#include <string>
#include <vector>

#include "geometry/mesh/triangle_mesh.h"
#include "math/types.h"

namespace pliant {

/// Knots of one direction of a B-spline surface. Clamped: `degree + 1` equal ones at either end.
struct KnotVector {
  int degree = 1;
  std::vector<double> knots;  // never falling

  int poles() const { return int(knots.size()) - degree - 1; }
  double first() const { return knots[degree]; }
  double last() const { return knots[poles()]; }
  /// The span that holds t, of positive length: knots[s] <= t <= knots[s + 1]. t is brought into
  /// the range of the knots first.
  int span(double& t) const;
  /// The degree + 1 functions that are not zero in span s, at t.
  void basis(int s, double t, double* value) const;
};

/// A point of a patch as a weighted sum of its poles.
struct PatchRow {
  std::vector<int> pole;
  std::vector<double> weight;  // of sum 1; not always positive where trims leave the patch
};

/// A NURBS curve in (u, v).
struct TrimCurve {
  KnotVector knots;
  std::vector<Vec2> pole;
  std::vector<double> weight;  // one per pole, positive

  Vec2 point(double t) const;
};

/// One face of a CAD model: a tensor-product NURBS surface over the part of its parameter rectangle
/// that its trims leave. That part is given as triangles in (u, v): coarse ones, which are cut
/// finer where somebody needs it, so that a vertex keeps its (u, v) whatever the poles do.
struct NurbsPatch {
  std::string name;                 // as in the file; may be empty
  std::vector<std::string> within;  // names in the file of what it is part of: solid, product,
                                    // assembly, ..., innermost first
  int face = 0;                     // number in the file, from 1; 0 = made here
  KnotVector u, v;                  //
  std::vector<Vec3> pole;           // [m] pole (i, j) at i * v.poles() + j
  std::vector<double> weight;       // one per pole, positive
  std::vector<Vec2> domain;         // corners of the triangles, in (u, v)
  std::vector<Triangle> triangles;  // of `domain`; anticlockwise seen from outside the solid
  bool is_trimmed = false;          // its domain is not the whole rectangle
  // Closed chains of curves that bound the domain, the outer one first, with the domain on their
  // left. Only of trimmed patches made here: those of a file stay there, and `domain` follows them.
  std::vector<std::vector<TrimCurve>> trims;

  /// The point at (u, v) by its poles; parameters outside the knots are brought to their ends.
  PatchRow row(double at_u, double at_v) const;
  Vec3 point(double at_u, double at_v) const;

  /// Throws InputError with one sentence when it is not a surface: sizes, knots, weights, numbers.
  void check() const;
};

/// Raises one direction of degree 1 to degree 2; the surface stays the same.
void raise_to_quadratic(NurbsPatch& patch, bool along_u);

/// Inserts a knot (Boehm's algorithm); the surface stays the same.
void insert_knot(NurbsPatch& patch, bool along_u, double knot);

/// Inserts knots until no span is longer than `longest` [m]. Spans are halved, cut in three, ...
/// evenly.
void refine_spans(NurbsPatch& patch, bool along_u, double longest);

/// [m] Of its spans along one direction.
double longest_span(const NurbsPatch& patch, bool along_u);

/// The whole parameter rectangle as triangles, two for each span pair; `reversed`: outside is
/// where -du x dv points.
void cover_rectangle(NurbsPatch& patch, bool reversed = false);

/// Surface triangles of patches with their (u, v).
struct Tessellation {
  struct Vertex {
    int patch = 0;
    Vec2 uv = Vec2::Zero();
  };
  TriangleMesh mesh;  // patches side by side, nothing welded; groups "face_3" for each patch by its
                      // number, then one for each name of a face or of what it is within
  std::vector<Vertex> vertices;  // of mesh.points
  std::vector<int> patch;        // per triangle
};

/// Cuts the domains of all patches finer until no edge is longer than `longest` [m] and no middle
/// of an edge is further than `deviation` [m] from the surface. Edges between triangles of one
/// patch are cut the same from both sides.
Tessellation tessellate(const std::vector<NurbsPatch>& patches, double longest, double deviation);

}  // namespace pliant
