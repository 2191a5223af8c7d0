#include "methods/nurbs/kinematics.h"

#include <algorithm>

#include "core/errors.h"
#include "core/parallel.h"
#include "methods/nurbs/energy_points.h"
#include "methods/nurbs/paper/paper.h"
#include "methods/nurbs/seams.h"
#include "methods/nurbs/spread.h"

namespace pliant::nurbs {
namespace {

// Error energy: of surface and particles in Young's moduli per radius, and of control points, where
// it only decides those that no sample sees.
constexpr double sample_error = 2;
constexpr double control_error = 1e-3;
// More nodes than this have matrices that do not fit: 16 million numbers.
constexpr int most_nodes = 4000;

/// Calls work(i, fit, spread) for all places that have a fit, in parallel.
template <class Work>
void fit_all(const Fitter& fitter, const Occupancy& solid, const std::vector<Vec3>& places,
             bool through_solid, Fitter::Wanted wanted, int nodes, const Work& work) {
  // Places in one voxel share a search through the solid.
  std::vector<std::pair<int, int>> order;
  for (int i = 0; i < int(places.size()); ++i) order.emplace_back(solid.near(places[i]), i);
  std::sort(order.begin(), order.end());
  parallel_for(int(places.size()), 64, [&](int begin, int end) {
    Fitter::Fit fit(fitter);
    Spread spread(nodes);
    for (int k = begin; k < end; ++k) {
      const int i = order[k].second;
      if (!fitter.at(places[i], through_solid, wanted, fit)) continue;
      spread.clear();
      work(i, fit, spread);
    }
  });
}

/// A row of a fit over the nodes; empty where there is none.
struct NodeRow {
  std::vector<int> node;
  std::vector<double> value;
  std::vector<Vec3> gradient;
};

double affine_error(const NodeRow& row, const std::vector<Vec3>& node) {
  double sum = -1;
  Mat3 identity = -Mat3::Identity();
  for (std::size_t k = 0; k < row.node.size(); ++k) {
    sum += row.value[k];
    identity += node[row.node[k]] * row.gradient[k].transpose();
  }
  return std::max(std::abs(sum), identity.norm());
}

void add_points(const EnergyPoints& blocks, const std::vector<NodeRow>& rows, Kinematics& made) {
  galerkin::Points& points = made.points;
  std::size_t next = 1;  // bundle
  for (int p = 0; p < int(rows.size()); ++p) {
    if (p == blocks.bundle[next]) {
      if (points.bundle.back() != points.size()) points.bundle.push_back(points.size());
      ++next;
    }
    const NodeRow& row = rows[p];
    if (row.node.empty()) {
      ++made.unfitted;
      continue;
    }
    points.node.insert(points.node.end(), row.node.begin(), row.node.end());
    points.value.insert(points.value.end(), row.value.begin(), row.value.end());
    points.gradient.insert(points.gradient.end(), row.gradient.begin(), row.gradient.end());
    points.start.push_back(int(points.node.size()));
    points.rest.push_back(blocks.place[p]);
    points.volume.push_back(blocks.volume[p]);
    made.consistency = std::max(made.consistency, affine_error(row, made.node));
  }
  if (points.bundle.back() != points.size()) points.bundle.push_back(points.size());
}

/// Energies of what the fit leaves, |fit - own|^2, `own` a row over the nodes for each place;
/// weight(place, radius of the fit) [m].
template <class Weight>
void add_errors(const Fitter& fitter, const std::vector<Sample>& samples, const Occupancy& solid,
                const std::vector<Vec3>& places, const std::vector<const PatchRow*>& own,
                bool through_solid, const Weight& weight, Kinematics& made) {
  std::vector<ErrorRow> rows(places.size());
  fit_all(fitter, solid, places, through_solid, Fitter::Wanted::values, int(made.node.size()),
          [&](int i, const Fitter::Fit& fit, Spread& spread) {
            for (std::size_t s = 0; s < fit.sample.size(); ++s)
              spread.add(samples[fit.sample[s]].row, fit.value[s]);
            spread.add(*own[i], -1);
            spread.take(rows[i].node, rows[i].coefficient);
            rows[i].weight = weight(i, fit.radius);
            rows[i].place = places[i];
          });
  for (ErrorRow& row : rows)
    if (row.node.empty()) ++made.unfitted;
    else made.error.push_back(std::move(row));
}

std::vector<NodeRow> fit_points(const Fitter& fitter, const std::vector<Sample>& samples,
                                const Occupancy& solid, const std::vector<Vec3>& places,
                                int nodes) {
  std::vector<NodeRow> rows(places.size());
  fit_all(fitter, solid, places, true, Fitter::Wanted::gradients, nodes,
          [&](int i, const Fitter::Fit& fit, Spread& spread) {
            for (std::size_t s = 0; s < fit.sample.size(); ++s)
              spread.add(samples[fit.sample[s]].row, fit.value[s], fit.gradient[s]);
            spread.take(rows[i].node, rows[i].value, rows[i].gradient);
          });
  return rows;
}

/// Of the area: samples that are as close as they may be, whatever the thickness asks for.
double thin_share(const std::vector<Sample>& samples, const Lengths& lengths) {
  double thin = 0, all = 0;
  for (const Sample& sample : samples) {
    all += sample.area;
    if (sample.spacing <= lengths.least) thin += sample.area;
  }
  return all > 0 ? thin / all : 0;
}

void check_count(int nodes) {
  if (nodes > most_nodes)
    throw InputError("", "",
                     "would have " + std::to_string(nodes) + " unknown points, at most " +
                         std::to_string(most_nodes) + " are possible",
                     "larger \"spans\" and \"density\" make fewer");
}

}  // namespace

Kinematics make_kinematics(const std::vector<NurbsPatch>& patches, const TriangleMesh& surface,
                           const KinematicsSettings& settings, const LoosePoints& loose) {
  Kinematics made;
  if (settings.paper) {
    if (loose.size() > 0)
      throw InputError("", "",
                       "has a triangle mesh among its parts, which the paper's kinematics "
                       "cannot follow",
                       "leave out \"kinematics\"");
    made = paper::make_paper_kinematics(patches, *settings.paper);
    check_count(int(made.node.size()));
    return made;
  }
  const Occupancy solid(surface, settings.voxels);
  made.pieces = solid.pieces;
  made.left_out = solid.left_out;
  made.voxels = solid.size();
  made.voxel = solid.edge;
  made.occupied = solid.volume();
  made.clock.end("inside");
  const double side = bounds(surface.points).extent().maxCoeff();
  const Lengths lengths{least_length * side, settings.coarsest * side};
  made.lengths = lengths;
  made.net = make_net(patches, solid, lengths, settings.spans);
  made.node = made.net.point;
  made.node.insert(made.node.end(), loose.place.begin(), loose.place.end());
  check_count(int(made.node.size()));
  made.clock.end("net");
  std::vector<Sample> samples = surface_samples(made.net, solid, lengths, settings.density);
  add_loose_samples(loose, int(made.net.point.size()), solid, lengths, settings.density, samples);
  if (samples.empty()) throw InputError("", "", "its faces have no area");
  made.samples = int(samples.size());
  const auto [closest, widest] =
      std::minmax_element(samples.begin(), samples.end(),
                          [](const Sample& a, const Sample& b) { return a.spacing < b.spacing; });
  made.closest = closest->spacing;
  made.widest = widest->spacing;
  made.thin_share = thin_share(samples, lengths);
  made.thin_below = lengths.least / settings.density;
  const Interior interior = fill_interior(samples, solid, lengths);
  made.particles = int(interior.particle.size());
  for (std::size_t p = 0; p < interior.particle.size(); ++p) {
    Sample sample{.place = interior.particle[p], .spacing = interior.spacing[p]};
    sample.row = {{int(made.node.size())}, {1}};
    sample.area = sample.spacing * sample.spacing;
    samples.push_back(std::move(sample));
    made.node.push_back(interior.particle[p]);
  }
  made.least_spacing =
      *std::min_element(interior.voxel_spacing.begin(), interior.voxel_spacing.end());
  made.clock.end("samples");

  const int nodes = int(made.node.size());
  check_count(nodes);
  const Fitter fitter(samples, solid, interior.voxel_spacing);
  std::vector<double> thickness = interior.voxel_spacing;
  for (double& length : thickness) length /= settings.density;
  const EnergyPoints blocks = energy_points(solid, thickness);
  add_points(blocks, fit_points(fitter, samples, solid, blocks.place, nodes), made);
  if (made.points.size() == 0) throw InputError("", "", "its faces are too far from each other");
  made.clock.end("energy points");

  std::vector<Vec3> places;
  std::vector<const PatchRow*> own;
  for (const Sample& sample : samples) {
    places.push_back(sample.place);
    own.push_back(&sample.row);
  }
  add_errors(
      fitter, samples, solid, places, own, true,
      [&](int s, double radius) { return sample_error * samples[s].area / radius; }, made);
  std::vector<PatchRow> alone;
  for (int n = 0; n < int(made.net.point.size()); ++n) alone.push_back({{n}, {1}});
  own.clear();
  for (const PatchRow& row : alone) own.push_back(&row);
  add_errors(
      fitter, samples, solid, made.net.point, own, false,
      [](int, double radius) { return control_error * radius; }, made);
  made.clock.end("error energy");
  if (settings.stitch > 0) {
    std::vector<ErrorRow> seams = stitch_seams(made.net, samples, fitter, nodes, settings.stitch);
    made.seams = int(seams.size());
    std::move(seams.begin(), seams.end(), std::back_inserter(made.error));
    made.clock.end("seams");
  }
  return made;
}

}  // namespace pliant::nurbs
