#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "body/nodes.h"
#include "core/archive.h"
#include "materials/material.h"

namespace pliant::clusters {

/// Particles near a place, and where they rest as seen from their centre.
struct Cluster {
  std::vector<int> member;          // particles, rising
  std::vector<Vec3> arm;            // [m] from the centre by mass; flow changes them
  Mat3 plastic = Mat3::Identity();  // of the arms since the cluster was made: F_P
  Mat3 turn = Mat3::Identity();     // of flat clusters: where their last fit left off
  double strain = 0;                // plastic strain that its matter has gathered,
  double damage = 0;                // and since something broke near it
  int born_with = 0;                // members when it was made
  int material = 0;                 // index into Matter::material
  int piece = 0;                    // that of its members, until the body parts
};

/// What a body of clusters has besides nodes and skin. Particles are the body's nodes.
struct Matter {
  // As built.
  double radius = 0;               // [m] r: particles are about this far apart
  double quantum = 0;              // [kg] masses are whole multiples: their sum is exact
  double strayed = 0.15;           // [r] members this far from their fit, where it has flowed,
                                   // get another cluster
  std::vector<Material> material;  // complete
  std::vector<std::optional<PlasticLaw>> law;  // per material; nothing = elastic

  // State.
  std::vector<int> piece;        // per particle: connected part of the body
  std::vector<int> material_of;  // per particle
  std::vector<Cluster> clusters;
  std::int64_t frame = 0;  // counts calls of adapt(): draws other random numbers in each
  std::int64_t removed = 0, seeded = 0;  // particles, since the start

  int particles() const { return int(piece.size()); }
  bool flows() const;
  bool breaks() const;
  void archive(Archive& archive);
};

/// How many clusters each particle belongs to.
std::vector<int> memberships(const Matter& matter);

/// Clusters of each particle: cluster[start[p]] .. cluster[start[p + 1]), rising.
struct ClustersOf {
  std::vector<int> start, cluster;
  explicit ClustersOf(const Matter& matter);
  bool share(int p, int q) const;
};

/// [m^3] of each cluster: every particle's volume in equal parts to its clusters. They sum to the
/// body's volume, however clusters overlap.
std::vector<double> volumes(const Matter& matter, const Nodes& nodes);

/// The best affine map of a cluster's arms to its members, by mass.
struct Fit {
  double mass = 0;              // [kg]
  Vec3 centre = Vec3::Zero();   // [m]
  Mat3 map = Mat3::Identity();  // of flat clusters their turn
  double response = 0;          // [1/(kg m^2)] trace of the inverse of the second moments by mass
  bool flat = false;  // too few or too thin for three directions: kept in shape, without a law
};
Fit fit(const Cluster& cluster, const Nodes& nodes);

/// Moves the arms so that their sum by mass is zero: after members or masses have changed.
void centre_arms(Cluster& cluster, const std::vector<double>& mass);

}  // namespace pliant::clusters
