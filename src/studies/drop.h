#pragma once

#include <string>
#include <vector>

#include "materials/material.h"
#include "studies/study.h"
#include "world/world.h"

namespace pliant {

/// One body of any method that falls on the floor by half its own height: what `pliant papers
/// M-drops` judges and `pliant bench meshless` times.
struct Drop {
  std::string shape = "sphere";  // sphere, torus (tilted) or box, 20 cm across
  Material material;             // complete
  std::string method = "meshless";
  int nodes = 300;   // about how many; 0: the method's default
  int substeps = 0;  // 0: as advised
  int frames = 90;   // of 1/60 s
  /// Looks at the energy after each substep, with speeds from positions, centred in time.
  bool weighs_energy = false;
};

/// What was seen of it, at the end of each frame or over all of them.
struct DropResult {
  std::vector<double> height;          // [m] of the centre of mass
  std::vector<double> ms, ms_contact;  // wall time of the frame; of it finding and solving contacts
  double fall = 0;                     // [m] height of the drop
  double least_volume = 1, last_volume = 1;
  double energy_gain = 0;  // largest rise above the least so far, as a share of the fall's energy;
                           // only where it is weighed
  double penetration = 0;  // [m]
  int inverted = 0;        // points inside out at the end
  int unsolved = 0;        // substeps whose contacts did not converge
  int substeps = 0;        // of a frame
  int nodes = 0;
  bool finite = true;

  double mean_ms() const;
  double contact_share() const;
};

World drop_world(const Drop& drop);
DropResult watch(const Drop& drop);

// What `pliant papers` asks of them.
PaperRow drops(bool quick);          // volume, inversion, contacts: every preset, three shapes
PaperRow drop_paths(bool quick);     // the centre of mass against that of tets
PaperRow softest_drops(bool quick);  // nu 0.3, as soft as what stops a fall within its own size
PaperRow spin(bool quick);           // a free ball keeps turning

/// Largest distance between the two paths of the centre of mass, as a share of the fall.
double path_difference(const DropResult& a, const DropResult& b);

}  // namespace pliant
