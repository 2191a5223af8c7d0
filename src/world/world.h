#pragma once

#include <vector>

#include "body/body.h"
#include "contact/colliders/collider.h"
#include "contact/contact_solver.h"
#include "world/blades.h"
#include "world/report.h"

namespace pliant {

/// A cut that is made before the first step that begins at this time or later.
struct PlannedCut {
  double time = 0;  // [s]
  BodyId body;
  Cut cut;
  enum State : int { waiting, missed, made };
  int state = waiting;  // missed: it met nothing of the body
};

/// Everything that moves, and what moves it. Bodies and colliders may come and go between any two
/// steps: by add() and remove(), or by changing the vectors. Their places in the vectors change
/// then, their ids never.
struct World {
  Vec3 gravity = {0, -9.81, 0};  // [m/s^2]
  int substeps = 20;             // per step
  bool statics = false;          // each step finds equilibrium instead of moving in time
  double time = 0;               // [s]
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  ContactSolver contact;
  std::vector<PlannedCut> cuts;  // may be added to between steps

  BodyId add(Body body);
  ColliderId add(Collider collider);
  /// Takes it out, with its contacts, its memory and all bonds to it; false when it is gone
  /// already. Others keep their order.
  bool remove(BodyId id);
  bool remove(ColliderId id);
  /// Null when it is gone.
  Body* find(BodyId id);
  Collider* find(ColliderId id);
  /// Cuts a body now, between two steps. False where the plane meets nothing of it, or it is gone
  /// or cannot be cut: see Method::can_be_cut().
  bool cut(BodyId id, const Cut& cut);
  /// Ties what is there now: see Bonds::tie. Untie and move by contact.bonds.
  BondId tie(const Attachment& attachment);

  /// Gives ids to what was put into the vectors by hand, and takes back those of what is gone.
  void update_ids();

  /// Moves everything on by `dt` seconds; 0 leaves all as it is. See step.cpp. Throws
  /// NumericalError when a position is no longer finite. With `statics` every body is put where the
  /// loads and handles of the new time leave it in balance; nothing touches, and nothing that
  /// happened before matters but where Newton's method starts.
  StepReport step(double dt);

  /// The whole state: what two worlds of the same scene can differ in.
  void archive(Archive& archive);

 private:
  StepReport settle(double dt);
  void adapt(double dt);
  static void take_over(Body& body, const Changes& changes);
  void make_due_cuts();

  Blades blades_;
  IdTable<Body> body_ids_;
  IdTable<Collider> collider_ids_;
};

/// Fingerprint of the state: equal for any number of threads and from run to run.
std::uint64_t state_hash(World& world);

/// Substeps that resolve the stiffest body, with the reason; at most `most`, at least what contact
/// wants: `least`, or fewer where all bodies' methods say so.
StepAdvice advise_substeps(const World& world, double dt, int least = 20, int most = 200);

}  // namespace pliant
