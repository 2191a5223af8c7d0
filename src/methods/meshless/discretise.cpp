#include "methods/meshless/discretise.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.h"
#include "core/parallel.h"
#include "geometry/mesh/topology.h"
#include "geometry/query/bvh.h"
#include "geometry/query/winding_number.h"
#include "geometry/sample/cell_grid.h"
#include "geometry/sample/five_tets.h"

namespace pliant::meshless {
namespace {

// In cells.
constexpr double on_surface = 1e-6;  // counts as inside
constexpr double snapped = 0.25;     // outside, but drawn onto the surface
constexpr double too_close = 0.2;    // two particles so near are one
constexpr double lonely = 0.75;      // a point farther from all particles becomes one

constexpr int samples = 4;  // per edge of an octant
constexpr double smallest_fill = 0.01;

/// The surface with what is asked about it.
struct Inside {
  const TriangleMesh& surface;
  Bvh bvh{surface};
  WindingNumber winding{surface};
  double sign = volume(surface) < 0 ? -1 : 1;

  bool operator()(const Vec3& p) const { return sign * winding.at(p) > 0.5; }
};

std::vector<char> full_cells(const CellGrid& grid) {
  std::vector<char> full(grid.cells.size(), 1);
  for (std::size_t i = 0; i < grid.fill.size(); ++i)
    if (grid.fill[i] != 1) full[i / 5] = 0;
  return full;
}

Vec3 corner_of(const CellGrid& grid, int cell) {
  return grid.origin + grid.cell.cwiseProduct(grid.cells[cell].cast<double>());
}

/// Grid nodes inside, on, or just outside the surface; the last are moved onto it.
std::vector<Vec3> place_particles(const CellGrid& grid, const std::vector<char>& full,
                                  const Inside& inside, double spacing) {
  enum State : char { unknown, kept, moved, dropped };
  std::vector<Vec3> place = grid.tets.points;
  std::vector<char> state(place.size(), unknown);
  for (std::size_t c = 0; c < full.size(); ++c)
    if (full[c])
      for (int t = 0; t < 5; ++t)
        for (const int node : grid.tets.tets[5 * c + t]) state[node] = kept;
  parallel_for(int(place.size()), 16, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      if (state[n] == kept) continue;
      const SurfacePoint near =
          inside.bvh.closest_point(inside.surface, place[n], snapped * spacing);
      const bool is_near = near.triangle >= 0;
      if (inside(place[n]) || (is_near && near.distance < on_surface * spacing)) {
        state[n] = kept;
      } else {
        state[n] = is_near ? moved : dropped;
        if (is_near) place[n] = near.point;
      }
    }
  });
  const Neighbours all(place, spacing);
  std::vector<int> near;
  std::vector<Vec3> particles;
  for (int n = 0; n < int(place.size()); ++n) {
    if (state[n] == moved) {
      all.within(place[n], too_close * spacing, near);
      for (const int other : near)
        if (state[other] == kept || (state[other] == moved && other < n)) state[n] = dropped;
    }
    if (state[n] != dropped) particles.push_back(place[n]);
  }
  return particles;
}

/// Share of a box inside the surface, and the middle of that share.
struct Filling {
  double fill = 0;
  Vec3 middle = Vec3::Zero();
};

Filling filling(const Inside& inside, const Vec3& low, const Vec3& size) {
  const Vec3 centre = low + 0.5 * size;
  if (inside.bvh.closest_point(inside.surface, centre, 0.5 * size.norm()).triangle < 0)
    return {inside(centre) ? 1.0 : 0.0, centre};
  Filling result;
  for (int k = 0; k < samples; ++k)
    for (int j = 0; j < samples; ++j)
      for (int i = 0; i < samples; ++i) {
        const Vec3 p = low + size.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5)) / samples;
        if (!inside(p)) continue;
        result.fill += 1;
        result.middle += p;
      }
  if (result.fill > 0) result.middle /= result.fill;
  result.fill /= samples * samples * samples;
  return result;
}

/// Quadrature points of one cell.
struct CellPoints {
  std::vector<Vec3> place;
  std::vector<double> volume;
};

CellPoints gauss_points(const Vec3& corner, const Vec3& cell) {
  const double gauss = 0.5 / std::sqrt(3.0);
  CellPoints points;
  for (int v = 0; v < 8; ++v) {
    const Vec3 side = 2 * cube_corner(v).cast<double>() - Vec3::Ones();
    points.place.push_back(corner + cell.cwiseProduct(Vec3(Vec3::Constant(0.5) + gauss * side)));
    points.volume.push_back(cell.prod() / 8);
  }
  return points;
}

CellPoints octant_points(const Inside& inside, const Vec3& corner, const Vec3& cell) {
  CellPoints points;
  double total = 0, slivers = 0;
  for (int v = 0; v < 8; ++v) {
    const Vec3 half = 0.5 * cell;
    const Filling filled =
        filling(inside, corner + half.cwiseProduct(cube_corner(v).cast<double>()), half);
    total += filled.fill;
    if (filled.fill < smallest_fill) {
      slivers += filled.fill * half.prod();
      continue;
    }
    points.place.push_back(filled.middle);
    points.volume.push_back(filled.fill * half.prod());
  }
  if (total == 8) return gauss_points(corner, cell);  // the surface only touches it
  if (!points.volume.empty())
    *std::max_element(points.volume.begin(), points.volume.end()) += slivers;
  return points;
}

/// Scales the volumes in cut cells, or all of them where that cannot do it, so that they sum to
/// `wanted`.
void rescale(double wanted, const std::vector<char>& is_cut, std::vector<double>& volume) {
  double whole = 0, cut = 0;
  for (std::size_t p = 0; p < volume.size(); ++p) (is_cut[p] ? cut : whole) += volume[p];
  const double factor = cut > 0 ? (wanted - whole) / cut : 0;
  const bool only_cut = factor > 0.5 && factor < 2;
  for (std::size_t p = 0; p < volume.size(); ++p)
    if (!only_cut) volume[p] *= wanted / (whole + cut);
    else if (is_cut[p]) volume[p] *= factor;
}

/// Points in parts of the body that have no particle of their own: thin ears and fingers.
void add_lonely(double spacing, const std::vector<Vec3>& places, std::vector<Vec3>& particles) {
  std::vector<Vec3> wanted;
  std::vector<int> scratch;
  if (particles.empty()) particles.push_back(places.front());
  const Neighbours known(particles, spacing);
  for (const Vec3& p : places)
    if (known.nearest(p, lonely * spacing, scratch) >= lonely * spacing) wanted.push_back(p);
  if (wanted.empty()) return;
  const Neighbours among(wanted, spacing);
  std::vector<char> taken(wanted.size(), 0);
  for (int i = 0; i < int(wanted.size()); ++i) {
    among.within(wanted[i], 0.5 * spacing, scratch);
    if (std::any_of(scratch.begin(), scratch.end(), [&](int other) { return taken[other]; }))
      continue;
    taken[i] = 1;
    particles.push_back(wanted[i]);
  }
}

/// Particles that no point feels would have no mass. True when there were any.
bool drop_unused(const galerkin::Points& points, std::vector<Vec3>& particles) {
  std::vector<char> used(particles.size(), 0);
  for (const int n : points.node) used[n] = 1;
  std::vector<Vec3> kept;
  for (std::size_t n = 0; n < particles.size(); ++n)
    if (used[n]) kept.push_back(particles[n]);
  if (kept.size() == particles.size()) return false;
  particles = std::move(kept);
  return true;
}

}  // namespace

double spacing_for(const TriangleMesh& surface, int count) {
  const double coarsest = cell_size_for(surface, 1);
  double low = cell_size_for(surface, 100 * count + 1000), high = coarsest;
  const double room = std::max(std::abs(volume(surface)), 1e-3 * std::pow(low, 3));
  // Particles: one per cell inside, half a one per cell face of the surface.
  const auto particles = [&](double s) {
    return room / (s * s * s) + 0.5 * area(surface) / (s * s);
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (particles(middle) > count ? low : high) = middle;
  }
  return high;
}

void add_functions(const Neighbours& particles, const std::vector<Vec3>& places,
                   const Support& support, galerkin::Points& points) {
  std::vector<Shape> shapes(places.size());
  parallel_for(int(places.size()), 16, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) shapes[p] = shape_at(particles, places[p], support);
  });
  for (std::size_t p = 0; p < places.size(); ++p) {
    const Shape& shape = shapes[p];
    points.node.insert(points.node.end(), shape.node.begin(), shape.node.end());
    points.value.insert(points.value.end(), shape.value.begin(), shape.value.end());
    points.gradient.insert(points.gradient.end(), shape.gradient.begin(), shape.gradient.end());
    points.start.push_back(int(points.node.size()));
    points.rest.push_back(places[p]);
  }
}

void add_spreads(const std::vector<Vec3>& particles, galerkin::Points& points) {
  std::vector<double> share(particles.size(), 0);  // of the body's volume, per particle
  for (int p = 0; p < points.size(); ++p) {
    const int count = points.start[p + 1] - points.start[p];
    for (int k = points.start[p]; k < points.start[p + 1]; ++k)
      share[points.node[k]] += points.volume[p] / count;
  }
  points.spread.resize(points.node.size());
  for (int p = 0; p < points.size(); ++p) {
    Vec3 sum = Vec3::Zero();
    for (int k = points.start[p]; k < points.start[p + 1]; ++k) {
      const int n = points.node[k];
      points.spread[k] = share[n] * (particles[n] - points.rest[p]);
      sum += points.spread[k];
    }
    // Positions count relative to the point's own, itself a sum of values times positions.
    for (int k = points.start[p]; k < points.start[p + 1]; ++k)
      points.spread[k] -= points.value[k] * sum;
  }
}

Discretisation discretise(const TriangleMesh& surface, double spacing, const Support& support) {
  const CellGrid grid = fill_with_cells(surface, spacing);
  const Inside inside{surface};
  const double step = std::cbrt(grid.cell.prod());
  const std::vector<char> full = full_cells(grid);

  std::vector<CellPoints> of_cell(grid.cells.size());
  parallel_for(int(grid.cells.size()), 1, [&](int c, int) {
    of_cell[c] = full[c] ? gauss_points(corner_of(grid, c), grid.cell)
                         : octant_points(inside, corner_of(grid, c), grid.cell);
  });

  Discretisation made;
  made.cell = grid.cell;
  galerkin::Points& points = made.points;
  std::vector<Vec3> places;
  std::vector<char> is_cut;
  for (std::size_t c = 0; c < of_cell.size(); ++c) {
    if (of_cell[c].place.empty()) continue;
    ++made.cells;
    made.cut_cells += full[c] ? 0 : 1;
    places.insert(places.end(), of_cell[c].place.begin(), of_cell[c].place.end());
    points.volume.insert(points.volume.end(), of_cell[c].volume.begin(), of_cell[c].volume.end());
    is_cut.resize(places.size(), char(!full[c]));
    points.bundle.push_back(int(places.size()));
  }
  // The concave side of an open sheet looks like a little inside.
  const double found = std::accumulate(points.volume.begin(), points.volume.end(), 0.0);
  const double room = double(grid.cells.size()) * grid.cell.prod();
  if (places.empty() || (!is_closed(surface) && found < 0.2 * room))
    throw InputError("", "", "encloses no volume", "a soft body needs a surface with an inside");
  if (is_closed(surface)) {
    made.enclosed = std::abs(volume(surface));
    rescale(made.enclosed, is_cut, points.volume);
  }
  made.particles = place_particles(grid, full, inside, step);
  add_lonely(step, places, made.particles);
  do {
    points.start = {0};
    points.node.clear();
    points.value.clear();
    points.gradient.clear();
    points.rest.clear();
    add_functions(Neighbours(made.particles, step), places, support, points);
  } while (drop_unused(points, made.particles));
  return made;
}

}  // namespace pliant::meshless
