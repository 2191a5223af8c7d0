#pragma once

#include <optional>
#include <span>
#include <vector>

#include "body/body.h"
#include "contact/body_candidates.h"
#include "contact/contact.h"
#include "contact/contact_memory.h"

namespace pliant {

/// Finds contacts between skins, and of a skin with itself: a vertex and the nearest triangle of
/// each body it can meet, and edges that cross. What counts as behind:
/// - closed skins have an inside, told by the normal at the nearest feature;
/// - open skins have none: the side is the one held at the start of the substep;
/// - of its own body a vertex only meets what it was in front of, or touched in the last substep;
/// - whoever passed through a triangle within the substep is held on the side it came from.
class BodyContacts {
 public:
  /// Once per step of dt seconds. Skins must be up to date.
  void find_candidates(std::span<const Body> bodies, const ContactSettings& settings, double dt);

  /// True when the body, no vertex of which went further than `travel` [m] in this substep, still
  /// cannot touch another one or itself; then its skin need not be up to date.
  bool stays_clear(int body, double travel);

  /// True when a body moved further than was foreseen: then all skins must be brought up to date
  /// and find_candidates_again called. Skins of bodies that do not stay clear must be up to date.
  bool outran(std::span<const Body> bodies);
  void find_candidates_again(std::span<const Body> bodies, const ContactSettings& settings);

  /// Appends contacts in key order, without impulses.
  void find(std::span<const Body> bodies, const ContactSettings& settings,
            const ContactMemory& memory, const Substep& substep, std::vector<Contact>& contacts);

  /// No vertex of this body moves further than this times the furthest node.
  double spread(int body) const { return candidates_.shape(body).spread; }
  int candidates() const { return candidates_.count(); }

 private:
  struct Moving {                 // per body
    std::vector<Vec3> listed_at;  // skin when it was listed
    double foreseen = 0;          // [m]
    double moved = 0;             // [m] furthest since then
    double travel = 0;            // [m] furthest in this substep
    bool clear = false;
  };
  struct Pair;  // what two bodies are to each other

  void list(std::span<const Body> bodies, const ContactSettings& settings);
  Pair pair(std::span<const Body> bodies, const ContactSettings& settings, int a, int b,
            double h) const;
  std::optional<Contact> meet(const Pair& pair, const BodyCandidates::List& list,
                              const BodyCandidates::Meeting& meeting,
                              const ContactMemory& memory) const;
  std::optional<Contact> cross(const Pair& pair, int edge_a, const BodyCandidates::Candidate& with,
                               const ContactMemory& memory) const;
  void find_vertices(std::span<const Body> bodies, const ContactSettings& settings,
                     const ContactMemory& memory, double h, std::vector<Contact>& contacts);
  void find_edges(std::span<const Body> bodies, const ContactSettings& settings,
                  const ContactMemory& memory, double h, std::vector<Contact>& contacts);

  BodyCandidates candidates_;
  std::vector<Moving> moving_;
  bool meet_ = true;  // more than one body, or bodies that touch themselves

  // Workspaces.
  std::vector<double> foreseen_;
  std::vector<std::optional<Contact>> found_;
  std::vector<std::vector<Contact>> chunks_;
};

}  // namespace pliant
