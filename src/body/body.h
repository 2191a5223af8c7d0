#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "body/control_net.h"
#include "body/drawn_skin.h"
#include "body/handle.h"
#include "body/load.h"
#include "body/method.h"
#include "body/touched.h"
#include "core/ids.h"
#include "core/stage_clock.h"

namespace pliant {

struct Body;
using BodyId = Id<Body>;

/// A vertex whose path somebody records.
struct Mark {
  int vertex = 0;
  Vec3 rest = Vec3::Zero();  // [m] where it was as built
};

/// One body in the world: moving points, a surface, and the method that moves them.
struct Body {
  BodyId id;  // given by the world
  std::string name;
  Nodes nodes;
  Skin skin;                       // what others touch
  std::optional<DrawnSkin> drawn;  // what is seen, where it is finer than that
  std::unique_ptr<Method> method;
  std::vector<Handle> handles;
  std::vector<Load> loads;
  std::vector<Mark> marks;
  std::shared_ptr<const ControlNet> control_net;  // null: it is not made of CAD faces

  // How its surface touches others.
  double friction = 0.5;     // Coulomb
  double extent = 1;         // [m] largest side of its box at rest
  double contact_scale = 1;  // [m] extent, of thin bodies less: contact lengths are shares of it
  double built_volume = 0;   // [m^3] enclosed by the drawn skin at rest
  double thickness = 0;      // [m] half of the gap that is kept to a like neighbour: from `skin`
  double spacing = 0;        // [m] of the nodes; 0 = unknown
  /// Rigid bodies cannot swallow what contact leaves unsolved, nor bounce by elasticity: contact is
  /// more exact with them, and what bounces is said here, as the share of the speed of approach
  /// that comes back. Two bodies share the root of the product, a collider adds nothing.
  bool deforms = true;
  bool meets_itself = true;  // its surface may touch other parts of itself, where the world asks
  double restitution = 0;
  Touched touched;  // set by contact

  Vec3 color = {0.80, 0.36, 0.22};        // linear RGB
  std::vector<std::string> notes;         // what was chosen while building, for the user
  std::vector<std::string> warnings;      // what was repaired or looks wrong
  std::vector<StageClock::Stage> stages;  // making it, where that takes its time

  // Workspace of move_handles().
  std::vector<int> held_vertices;
  std::vector<Vec3> held_targets;

  /// What is seen, displaced, loaded, held and reported on.
  const Skin& drawn_skin() const { return drawn ? drawn->skin : skin; }
  Skin& drawn_skin() { return drawn ? drawn->skin : skin; }
  /// Both skins to where the nodes are.
  void refresh_skins();

  /// Velocities, positions, skin and method state.
  void archive(Archive& archive);

 private:
  /// What only bodies have as state that change their nodes or skin.
  void archive_numbers(Archive& archive);
};

// What the scene does to a body in the substep that ends at `time`.
/// Sets nodes.force. Without loads it stays the same from substep to substep.
void apply_loads(Body& body, const Vec3& gravity, double time);
/// Sets nodes.held and nodes.target.
void move_handles(Body& body, double time);
/// Whether move_handles() would find at `later` what it found at `time`.
bool are_handles_at_rest(const Body& body, double time, double later);
inline void drive(Body& body, const Vec3& gravity, double time) {
  apply_loads(body, gravity, time);
  move_handles(body, time);
}

/// Sums over nodes.
double kinetic_energy(const Nodes& nodes);                         // [J]
double potential_energy(const Nodes& nodes, const Vec3& gravity);  // [J] zero at the origin
double total_mass(const Nodes& nodes);                             // [kg]
Vec3 momentum(const Nodes& nodes);                                 // [kg m/s]
Vec3 angular_momentum(const Nodes& nodes);                         // [kg m^2/s] about the origin
Vec3 centre_of_mass(const Nodes& nodes);                           // [m]
bool is_finite(const Nodes& nodes);

/// Names of all fields this body can show: every body has "displacement", "height", "speed",
/// "velocity_x", "velocity_y", "velocity_z", and of what touched it in the last step
/// "contact_pressure" [Pa], "contact_force" [N] per vertex and its parts "contact_force_x", ...
std::vector<std::string> field_names(const Body& body);
/// One value per vertex of the drawn skin; false when there is no such field.
bool field(const Body& body, const std::string& name, std::vector<double>& values);

}  // namespace pliant
