#pragma once

#include <optional>
#include <span>

#include "body/make_skin.h"
#include "body/solid.h"
#include "methods/shared/shape_law/compliance.h"

namespace pliant::groups {

using namespace shape_law;

/// A solid as groups of particles: every group keeps its shape by its material's law, and holds
/// together with those it shares particles with. Groups may have any number of particles, in any
/// arrangement; where they come from is the business of builders (hex_groups.h,
/// point_groups.h), how they move that of the method, which is made from nothing but this.
struct Groups {
  // Particles, shared by all groups.
  std::vector<Vec3> rest;    // [m]
  std::vector<double> mass;  // [kg] above 0 for each; share_masses() fills it

  // Members of group g: member[start[g]] .. member[start[g + 1]), each particle once.
  std::vector<int> start = {0};
  std::vector<int> member;
  std::vector<double> volume;  // [m^3] of material in each group; they sum to the solid's
  std::vector<int> material;   // of each group: index into the list given to make_body()

  /// What each member counts in the fit of its group where weights are equal otherwise, in any
  /// unit. Empty = the same as the others.
  std::vector<double> weight;

  /// The last groups may be patches: these hold what they have in shape with their own stiffness
  /// [N/m] against all that an affine fit does not see, and have next to no volume. Of each patch.
  std::vector<double> hold;

  /// Of each group, if all lie in cells of a grid and touch only particles in their own closed
  /// cell: then eight colours are enough. Empty = unknown.
  std::vector<Eigen::Vector3i> cell;

  int size() const { return int(volume.size()); }
  int solids() const { return size() - int(hold.size()); }  // groups that are not patches
  int particles() const { return int(rest.size()); }
  std::span<const int> members(int g) const {
    return {member.data() + start[g], std::size_t(start[g + 1] - start[g])};
  }
  void add(std::span<const int> members, double volume, int material);
};

/// Every group gives its mass to its members in equal parts.
void share_masses(Groups& groups, std::span<const Material> materials);

using pliant::Lame;
using pliant::Solve;

/// What of the members' movement has the law's stiffness, and what is left to the filter.
enum class Fit {
  linear,     // affine movement
  quadratic,  // also bending and twisting: quadratic in the rest position, with the stiffness that
              // the material gives them
};

/// What a member counts in the fit of its group.
enum class Weighting {
  equal,  // the same as the others: forces on a face go where its traction does
  mass,   // as in the paper: light members, on corners and edges of a body, carry less than their
          // part. The hard filter and shape matching always do it, to keep momentum
};

/// In which order groups see each other's changes.
enum class Sweep {
  gauss_seidel,  // each at once
  jacobi,        // all start from the same positions: converges more slowly, and is the same in
                 // any order
};

/// How projections are computed. The results differ by rounding and by the order of the groups.
enum class Kernel {
  automatic,  // wide where there is one for the law
  plain,      // one group after the other in double, in a fixed shuffled order: slow, the judge
  wide,       // 4 to 16 groups side by side in floats, colour by colour on all threads
};

/// Where the groups come from.
enum class Sampling {
  cells,   // hexahedral cells of a grid, eight particles each; the surface is embedded
  points,  // particles of the same grid, each in one group with its neighbours
};

/// Physically based shape matching: particles in groups that keep their shape and volume. Works on
/// any surface, and takes tet meshes of the user's own as groups of four.
class Settings final : public MethodSettings {
 public:
  Sampling sampling = Sampling::cells;
  bool cut = false;                 // cells end at the surface, if it can be cut
  std::optional<int> cells;         // cells' worth of volume; left out: by the budget
  std::optional<double> cell_size;  // [m] instead of `cells`
  double budget = 1;                // [ms] of a frame, see budget.h
  std::optional<double> radius;     // of groups of points, in cells; left out: 1.5
  std::optional<int> nearest;       // instead: this many neighbours a group
  int iterations = 1;               // sweeps per substep; more substeps help more
  double displacement_cap = 0.1;    // largest move of one projection, in group sizes; 0 = no limit
  double guard = 0.4;               // largest beta (see compliance.h) a substep resolves; 0 = off
  Law law = Law::neo_hookean;
  Lame lame = Lame::consistent;
  Solve solve = Solve::together;
  Filter filter = Filter::compliant;
  double filter_stiffness = 1;  // of the compliant filter: 1 = boxes bend as beams do
  Fit fit = Fit::linear;
  Weighting weighting = Weighting::equal;
  Sweep sweep = Sweep::gauss_seidel;
  Kernel kernel = Kernel::automatic;
  bool shuffle = true;       // plain kernel: false = in the order of the groups
  double group_damping = 0;  // [1/s] of every group towards its own rigid motion

  bool weighs_by_mass() const {
    return weighting == Weighting::mass || filter == Filter::hard || law == Law::shape_matching;
  }

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool flows() const override { return true; }
};

/// A body of these groups, its particles the nodes in the same order. `skin`: triangles, weights
/// and rest. For builders, tests and programs that have no scene. Throws InputError when a group
/// has no extent at all or a particle belongs to none.
Body make_body(const Groups& groups, std::span<const Material> materials, Skin skin,
               const Settings& settings = {}, const ContactDetail& detail = {});

}  // namespace pliant::groups
