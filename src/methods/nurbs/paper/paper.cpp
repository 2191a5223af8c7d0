#include "methods/nurbs/paper/paper.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.h"
#include "core/formatted.h"
#include "core/parallel.h"
#include "methods/nurbs/paper/rays.h"
#include "methods/nurbs/paper/stitches.h"

namespace pliant::nurbs::paper {
namespace {

constexpr double cutoff_over_depth = 1.3;
constexpr int least_points = 1500, points_per_part = 30;
// Points that share a bundle.
constexpr int bundle_size = 8;
// Control points that samples see less than this share of the mean: their part's polynomial says
// where they are, with this stiffness in Young's moduli times the size.
constexpr double unseen = 1e-5;
constexpr double unseen_stiffness = 1e-3;

RayPoints cast_rays(const PartSurface& surface, const Settings& settings) {
  const RayCaster caster(surface, settings.inside == Settings::Inside::orientation);
  const Box box = bounds(surface.drawn.mesh.points);
  RayPoints points;
  if (settings.rays) {
    const Eigen::Vector3i counts = settings.rays->array().round().cast<int>();
    points = cast_grid(caster, box, 0, counts[0], counts[1], counts[2]);
  } else {
    points = cast_evenly(caster, box, std::max(least_points, points_per_part * surface.parts()));
  }
  if (points.place.empty()) throw InputError("", "", "no ray finds anything inside its faces");
  return points;
}

double choose_cutoff(const Blending& blending, const std::vector<Vec3>& places,
                     const Settings& settings) {
  if (settings.cutoff) return *settings.cutoff;
  const double depth = blending.least_cutoff(places);
  if (!settings.sparsity) return cutoff_over_depth * depth;
  return blending.cutoff_for(*settings.sparsity, (1 + 1e-6) * depth, places);
}

/// At every place; returns how many no part reaches.
int blend_all(const Blending& blending, double cutoff, const std::vector<Vec3>& places,
              const std::vector<int>& own, std::vector<Blend>& blends) {
  blends.resize(places.size());
  std::vector<char> is_reached(places.size());
  parallel_for(int(places.size()), 16, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      is_reached[i] = blending.at(places[i], own[i], cutoff, blends[i]);
  });
  return int(std::count(is_reached.begin(), is_reached.end(), 0));
}

/// Energy points, sorted so that those of the same parts, which have the same nodes, lie together.
void add_points(const RayPoints& rays, const std::vector<Blend>& blends,
                const Projection& projection, Kinematics& made) {
  std::vector<int> order(rays.place.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return blends[a].part < blends[b].part; });
  struct Row {
    std::vector<int> node;
    std::vector<double> value;
    std::vector<Vec3> gradient;
  };
  std::vector<Row> rows(order.size());
  parallel_for(int(order.size()), 32, [&](int begin, int end) {
    Spread sum(int(made.node.size()));
    for (int k = begin; k < end; ++k) {
      sum.clear();
      projection.add(rays.place[order[k]], blends[order[k]], 1, sum);
      sum.take(rows[k].node, rows[k].value, rows[k].gradient);
    }
  });
  galerkin::Points& points = made.points;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Row& row = rows[k];
    points.node.insert(points.node.end(), row.node.begin(), row.node.end());
    points.value.insert(points.value.end(), row.value.begin(), row.value.end());
    points.gradient.insert(points.gradient.end(), row.gradient.begin(), row.gradient.end());
    points.start.push_back(int(points.node.size()));
    points.rest.push_back(rays.place[order[k]]);
    points.volume.push_back(rays.volume[order[k]]);
    if (points.size() % bundle_size == 0) points.bundle.push_back(points.size());
  }
  if (points.bundle.back() != points.size()) points.bundle.push_back(points.size());
  made.consistency =
      consistency(points, made.node, std::cbrt(rays.total / double(order.size()))).worst();
}

/// What blended polynomials leave of each sample's own place.
void add_errors(const std::vector<SurfaceSample>& samples, const std::vector<Blend>& blends,
                const Projection& projection, double per_area, Kinematics& made) {
  std::vector<ErrorRow> rows(samples.size());
  parallel_for(int(samples.size()), 32, [&](int begin, int end) {
    Spread sum(int(made.node.size()));
    for (int s = begin; s < end; ++s) {
      sum.clear();
      projection.add(samples[s].place, blends[s], 1, sum);
      sum.add(samples[s].row, -1);
      rows[s].weight = per_area * samples[s].area;
      rows[s].place = samples[s].place;
      sum.take(rows[s].node, rows[s].coefficient);
    }
  });
  std::move(rows.begin(), rows.end(), std::back_inserter(made.error));
}

/// Control points of surface that trims took away.
int hold_unseen(const std::vector<SurfaceSample>& samples, const Projection& projection,
                double size, Kinematics& made) {
  std::vector<double> seen(made.node.size(), 0);
  for (const SurfaceSample& sample : samples)
    for (std::size_t k = 0; k < sample.row.pole.size(); ++k)
      seen[sample.row.pole[k]] += sample.area * sample.row.weight[k] * sample.row.weight[k];
  const double mean = std::accumulate(seen.begin(), seen.end(), 0.0) / double(seen.size());
  std::vector<char> is_done(seen.size(), 0);
  Spread sum(int(seen.size()));
  int held = 0;
  for (int part = 0; part < int(made.net.nodes.size()); ++part)
    for (const int node : made.net.nodes[part]) {
      if (seen[node] > unseen * mean || is_done[node]) continue;
      is_done[node] = 1;
      ++held;
      sum.clear();
      projection.add(made.node[node], {{part}, {1.0}}, 1, sum);
      sum.add(node, -1);
      ErrorRow row;
      row.weight = unseen_stiffness * size;
      row.place = made.node[node];
      sum.take(row.node, row.coefficient);
      made.error.push_back(std::move(row));
    }
  return held;
}

void report(const RayPoints& rays, const Clusters& clusters, const std::vector<Blend>& blends,
            double cutoff, int held, Kinematics& made) {
  double active = 0;
  for (const Blend& blend : blends) active += double(blend.part.size()) / double(blends.size());
  made.notes.push_back("kinematics of the paper: " + std::to_string(clusters.of.size()) +
                       " parts in " + std::to_string(clusters.members.size()) + " clusters, " +
                       formatted("%.1f", active) + " blended at a point; cut-off " +
                       formatted("%.3g", cutoff) + " m");
  made.notes.push_back(std::to_string(rays.rays) + " rays along " + "xyz"[rays.axis] + ", volume " +
                       formatted("%.4g", rays.volume_of_rays) + " m^3, taken as " +
                       formatted("%.4g", rays.total));
  if (held > 0)
    made.notes.push_back(std::to_string(held) + " control points that no sample sees follow");
}

}  // namespace

Kinematics make_paper_kinematics(const std::vector<NurbsPatch>& patches, const Settings& settings) {
  Kinematics made;
  made.net = join_poles(patches, settings.connect != Settings::Connect::none);
  made.node = made.net.point;
  made.clock.end("net");
  const std::vector<SurfaceSample> samples =
      sample_parts(made.net, settings.metric == Settings::Metric::parameter);
  if (samples.empty()) throw InputError("", "", "its faces have no area");
  made.samples = int(samples.size());
  made.clock.end("samples");
  const PartSurface drawn(made.net.patches);
  const RayPoints rays = cast_rays(drawn, settings);
  made.occupied = rays.total;
  made.least_spacing = std::cbrt(rays.total / double(rays.place.size()));
  made.clock.end("rays");

  const Blending blending(drawn);
  const double cutoff = choose_cutoff(blending, rays.place, settings);
  std::vector<Blend> inside, on_surface;
  const int unreached =
      blend_all(blending, cutoff, rays.place, std::vector<int>(rays.place.size(), -1), inside);
  std::vector<Vec3> places;
  std::vector<int> own;
  for (const SurfaceSample& sample : samples) {
    places.push_back(sample.place);
    own.push_back(sample.part);
  }
  blend_all(blending, cutoff, places, own, on_surface);
  made.clock.end("weights");
  const Clusters clusters = choose_clusters(inside, rays.volume, drawn.parts(),
                                            settings.origins == Settings::Origins::lightest);
  const Projection projection(samples, clusters, settings.order, settings.pull);
  made.clock.end("projection");
  add_points(rays, inside, projection, made);
  made.clock.end("energy points");

  const double size = std::cbrt(rays.total);
  add_errors(samples, on_surface, projection,
             2 * settings.stability / settings.length.value_or(size), made);
  const int held = hold_unseen(samples, projection, size, made);
  made.clock.end("error energy");
  if (settings.connect == Settings::Connect::stitch) {
    std::vector<ErrorRow> seams = stitch(made.net, drawn, projection);
    made.seams = int(seams.size());
    std::move(seams.begin(), seams.end(), std::back_inserter(made.error));
    made.clock.end("seams");
  }
  report(rays, clusters, inside, cutoff, held, made);
  if (unreached > 0)
    made.notes.push_back(std::to_string(unreached) +
                         " points lie deeper than the cut-off and follow the nearest part alone");
  return made;
}

}  // namespace pliant::nurbs::paper
