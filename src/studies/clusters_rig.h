#pragma once

#include <optional>
#include <string>

#include "methods/clusters/clusters_method.h"
#include "world/world.h"

namespace pliant {

/// What a body of clusters is made of, in the words of its experiments.
struct ClustersSetup {
  double radius = 0.1;                                // [m]
  double young = 3e5, poisson = 0.45, damping = 1.5;  // [Pa], 1, [1/s]
  double yield = 0.02, flow = 30, hardening = 0;      // yield as strain; flow 0 = elastic
  std::optional<double> stiffness = {};               // K: the paper's law
  std::optional<int> iterations = {};
  bool resample = true;
  double edge = 0.7;  // longest of the skin, in radii
  int substeps = 20;
  double fps = 60;
};

/// The paper's words: four iterations in each of 60 steps a second, `rate` of flow in a step.
ClustersSetup as_in_paper(double yield, double rate, double stiffness, double hardening = 0);

Body clusters_body(const TriangleMesh& surface, const ClustersSetup& setup);
const clusters::ClustersMethod& clusters_of(const World& world);

/// One surface round the union of closed ones.
TriangleMesh united(const TriangleMesh& parts, double edge);
/// Puts another surface beside those that are there.
void add(TriangleMesh& parts, const TriangleMesh& more, const Pose& at);

/// A plane at y = 0.
Collider ground(double friction = 0.6);

/// What became of a body of clusters while it was played.
struct Watched {
  std::string broken = {};  // what was first wrong with the surface
  bool mass_kept = true;    // to the bit
  int mixed = 0;            // clusters that were of several pieces
  int pieces = 1, most_pieces = 1;
  int particles_before = 0, fewest = 0, most = 0;
  double volume = 1;           // of the skin at the end, against the first one
  double volume_error = 0;     // largest of all frames
  double largest_stretch = 0;  // |F_P|: sqrt(3) where nothing has flowed
  double seeding = 0;          // mean share of particles beside which others may be made
  double seconds = 0;          // of the program

  bool sound() const { return broken.empty() && mass_kept && mixed == 0; }
  std::string told() const;
};

/// A world whose first body is of clusters, looked at after every frame.
class Show {
 public:
  Show(Body body, const ClustersSetup& setup, const Vec3& gravity = {0, -9.81, 0});

  World world;
  Body& body() { return world.bodies[0]; }
  const Watched& watched() const { return watched_; }
  int frames() const { return frames_; }
  /// Share of the particles beside which others may be made now.
  double seeding() const;

  void play(double seconds);
  /// Holds the particles at one end along an axis (side -1 or 1), up to `depth` [m] from it.
  Handle& grab(int axis, int side, double depth);
  void let_go() { body().handles.clear(); }
  Box bounds() { return pliant::bounds(body().skin.position); }
  double height() { return bounds().extent().y(); }

 private:
  void look();

  double fps_;
  double mass_ = 0, volume_ = 0;
  int frames_ = 0;
  Watched watched_;
};

/// Of lines along y through the middle of a skin (the inner `long_share` of its length along x and
/// `wide_share` of its width along z): the share that passes through matter once only. Less than 1
/// where a fold has stayed open.
double solid_share(const Skin& skin, double long_share = 0.8, double wide_share = 0.5);

}  // namespace pliant
