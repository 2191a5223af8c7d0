#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/data/contact_settings.h"
#include "contact/solve/compliant_island.h"
#include "contact/solve/contact_rows.h"

namespace pliant {

/// Finds the impulses, island by island: all contacts of one answer at once from the same positions
/// (a mass-split bound makes that safe), the answers are accelerated (Nesterov with restart), the
/// bodies respond, until every gap is right from both sides.
class ContactIteration {
 public:
  struct Outcome {
    int iterations = 0;  // of the island that took most
    bool converged = true;
  };

  /// Takes what solves start from: where nodes are now. Those that move by mobility are taken where
  /// they are touched, as most of a body is far from what it touches; all nodes of others.
  void start(std::span<Body> bodies, const ContactRows& rows);
  /// Puts the nodes back to where they were then, but those of bodies with a compliance: these know
  /// what load they answer, and are asked to answer another one from where they are.
  void go_back(std::span<Body> bodies, const ContactRows& rows) const;

  /// Starts from the contacts' impulses; leaves the solution there, the gaps reached, nodes.load
  /// and nodes.position. `scale`, per body: which share of its mobility bound a body was seen to
  /// use.
  Outcome solve(std::span<Body> bodies, ContactList& contacts, const ContactRows& rows,
                std::vector<double>& scale, const ContactSettings& settings);

 private:
  struct Answer {  // of a contact, row by row: what the iteration looks at lies together
    Vec3 normal, point;
    Vec3 before;          // [m] relative position at the start, moved with a collider
    Vec3 accepted, next;  // p and p+
    double thickness, goal, friction, tolerance;
    double mobility;    // w: of the contact as a whole, a bound
    double relaxation;  // see Contact
    double compliance;  // [1/kg] see Contact
    double gap;
    bool is_bond;
  };
  /// One island's problem.
  struct Problem {
    std::span<Body> bodies;
    ContactList& contacts;
    const ContactRows& rows;
    std::span<double> scale;
    const ContactRows::Island& begin;
    const ContactRows::Island& end;
    double slip_share = 1;  // of the tolerance: how far what sticks may slip
  };

  Outcome solve(Problem problem, const ContactSettings& settings);
  Outcome solve_compliant(Problem problem);
  int solve_model(const Problem& problem);
  double sweep(const Problem& problem);
  double worst_compliant_error(const Problem& problem);
  double compliant_error(const Problem& problem, int row);
  Vec3 compliant_answer(int row);
  void reset(const Problem& problem);
  void take_contacts(const Problem& problem);
  void bound(const Problem& problem);
  bool answer(const Problem& problem);
  void accelerate(const Problem& problem, double& theta, bool last);
  void load(const Problem& problem);
  bool measure(const Problem& problem);
  void finish(const Problem& problem);

  std::vector<char> direct_;  // per body: moves by mobility

  // Per row.
  std::vector<Answer> answers_;
  std::vector<Vec3> impulse_;         // y: answered from here
  std::vector<double> error_, turn_;  // residual over tolerance; term of the restart test

  // Per slot. What the node itself has, taken once, as nodes are far apart in memory; `free` is
  // where it was before the solve.
  std::vector<Vec3> previous_, free_;
  std::vector<double> mobility_;
  std::vector<Vec3> position_, load_;  // now
  std::vector<double> bound_;          // mobility times the sum of its entries

  struct Response {                 // of a body to the last change of its load
    double moved = 0, allowed = 0;  // work done, and what its bound allows
  };
  std::vector<Response> responses_;  // per part
  CompliantIsland compliant_;
  std::vector<Vec3> before_, along_;  // per row: impulses before a sweep, direction of the search
  std::vector<Outcome> outcomes_;     // per island
};

}  // namespace pliant
