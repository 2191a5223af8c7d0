#pragma once

#include <optional>

#include "body/solid.h"
#include "methods/shared/two_constraints.h"

namespace pliant::tets {

/// How projections are computed. The results differ by rounding and by the order of the tets.
enum class Kernel {
  automatic,  // cells if the body is made of them, otherwise tets
  plain,      // one tet after the other in double, in the order of the mesh: slow, the judge
  tets,       // wide: 4 to 16 tets side by side in floats
  cells,      // wide: 4 to 16 cells of five tets side by side
};

/// How stress follows from deformation.
enum class Law {
  neo_hookean,  // rubber: keeps its volume, comes back from being inside out
  hookean,      // Hooke's law for Green's strain, plain kernel: see materials/hookean.h
};

using pliant::Lame;
using pliant::Solve;

/// Position-based tetrahedra: every tet holds its shape and its volume, solved once per substep.
/// Works on any closed surface (filled with cells of five tets, the surface embedded) and on tet
/// meshes of the user's own, whose boundary is then the skin.
class Settings final : public MethodSettings {
 public:
  std::optional<int> cells;         // cells' worth of volume; left out: default_cells
  std::optional<double> cell_size;  // [m] instead of `cells`
  int iterations = 1;               // sweeps per substep; more substeps help more
  double displacement_cap = 0.1;    // farthest move of one projection, in tet sizes; 0 = no limit
  double guard = 0.4;               // largest beta (see compliance.h) a substep resolves; 0 = off
  bool recovery = false;            // scrambled and inverted bodies find their shape again
  Kernel kernel = Kernel::automatic;
  Law law = Law::neo_hookean;
  Lame lame = Lame::consistent;
  Solve solve = Solve::together;

  static constexpr int default_cells = 1500;

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool flows() const override { return true; }
  bool leaves_nodes_open() const override { return !cells && !cell_size; }
  std::unique_ptr<MethodSettings> with_nodes(int count) const override;
};

/// A body of these tets, all of one complete material. For tests and for programs that have no
/// scene.
Body make_body(const TetMesh& mesh, const Material& material, const Settings& settings = {});

}  // namespace pliant::tets
