#include "geometry/intake/intake.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.h"
#include "core/formatted.h"
#include "geometry/intake/near_points.h"
#include "geometry/intake/orientation.h"
#include "geometry/intake/thicken.h"
#include "geometry/intake/volumes.h"
#include "geometry/mesh/clean.h"
#include "geometry/mesh/sides.h"

namespace pliant {
namespace {

/// "1 hole", "3 holes".
std::string counted(std::size_t count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

/// Given triangles with this fate.
std::vector<int> with_fate(const Cleaned& cleaned, std::initializer_list<Cleaned::Fate> wanted) {
  std::vector<int> found;
  for (int t = 0; t < int(cleaned.fate.size()); ++t)
    if (std::find(wanted.begin(), wanted.end(), cleaned.fate[t]) != wanted.end())
      found.push_back(t);
  return found;
}

/// Per triangle of a cleaned mesh: the given triangle it was.
std::vector<int> sources(const Cleaned& cleaned) {
  return with_fate(cleaned, {Cleaned::Fate::kept});
}

void keep_only(TriangleMesh& mesh, const std::vector<char>& dropped, std::vector<int>& source) {
  std::vector<int> place(mesh.triangles.size(), -1);
  int count = 0;
  for (std::size_t t = 0; t < dropped.size(); ++t) {
    if (dropped[t]) continue;
    place[t] = count;
    mesh.triangles[count] = mesh.triangles[t];
    source[count++] = source[t];
  }
  mesh.triangles.resize(std::size_t(count));
  source.resize(std::size_t(count));
  for (TriangleMesh::Group& group : mesh.groups) {
    std::vector<int> left;
    for (const int t : group.triangles)
      if (place[t] >= 0) left.push_back(place[t]);
    group.triangles = std::move(left);
  }
}

/// Triangles that are there from both sides enclose nothing between them. Where they are inner
/// walls both go; where the whole surface is made of them, it is a double sheet and one side stays.
void drop_opposed(TriangleMesh& mesh, std::vector<int>& source, Defects& defects) {
  std::vector<std::pair<Triangle, int>> sorted;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) {
    Triangle key = mesh.triangles[t];
    std::sort(key.begin(), key.end());
    sorted.emplace_back(key, t);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].first == sorted[i - 1].first)
      pairs.emplace_back(sorted[i - 1].second, sorted[i].second);
  if (pairs.empty()) return;
  const bool is_double_sheet = 4 * pairs.size() > mesh.triangles.size();
  std::vector<char> dropped(mesh.triangles.size(), 0);
  for (const auto& [first, second] : pairs) {
    dropped[second] = 1;
    if (!is_double_sheet) dropped[first] = 1;
  }
  for (std::size_t t = 0; t < dropped.size(); ++t)
    if (dropped[t]) defects.opposed.push_back(source[t]);
  keep_only(mesh, dropped, source);
}

/// Points where the triangles around them fall into parts that share no edge.
std::vector<int> pinched_points(const TriangleMesh& mesh) {
  const int corners = 3 * int(mesh.triangles.size());
  std::vector<int> parent(static_cast<std::size_t>(corners));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  const auto corner_of = [&](const Side& side, int point) {
    const int t = side.index / 3, k = side.index % 3;
    return mesh.triangles[t][k] == point ? 3 * t + k : 3 * t + (k + 1) % 3;
  };
  for_each_edge(sorted_sides(mesh.triangles), [&](const Side* begin, const Side* end) {
    for (const Side* side = begin + 1; side < end; ++side)
      for (const int point : {begin->low, begin->high}) {
        const int a = root(corner_of(*begin, point)), b = root(corner_of(*side, point));
        parent[std::max(a, b)] = std::min(a, b);
      }
  });
  std::vector<int> fans(mesh.points.size(), 0);
  for (int c = 0; c < corners; ++c) fans[mesh.triangles[c / 3][c % 3]] += root(c) == c;
  std::vector<int> found;
  for (int p = 0; p < int(fans.size()); ++p)
    if (fans[p] > 1) found.push_back(p);
  return found;
}

std::vector<std::array<int, 2>> crowded_edges(const TriangleMesh& mesh) {
  std::vector<std::array<int, 2>> found;
  for_each_edge(sorted_sides(mesh.triangles), [&](const Side* begin, const Side* end) {
    if (end - begin > 2) found.push_back({begin->low, begin->high});
  });
  return found;
}

/// A used point a thousand times farther from the middle than nine of ten others; -1 = none.
int find_stray(const std::vector<Vec3>& points) {
  if (points.size() < 8) return -1;
  std::vector<double> coordinate(points.size());
  Vec3 middle;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < points.size(); ++i) coordinate[i] = points[i][axis];
    const auto half = coordinate.begin() + std::ptrdiff_t(points.size() / 2);
    std::nth_element(coordinate.begin(), half, coordinate.end());
    middle[axis] = *half;
  }
  int farthest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    coordinate[i] = (points[i] - middle).norm();
    if (coordinate[i] > (points[farthest] - middle).norm()) farthest = int(i);
  }
  const double far = (points[farthest] - middle).norm();
  const auto usual = coordinate.begin() + std::ptrdiff_t(points.size() * 7 / 8);
  std::nth_element(coordinate.begin(), usual, coordinate.end());
  return far > 1000 * *usual && *usual > 0 ? farthest : -1;
}

void refuse_one_sided(const TriangleMesh& mesh, const std::vector<int>& one_sided) {
  double all = 0, none = 0;
  for (int t = 0; t < int(mesh.triangles.size()); ++t) all += area_vector(mesh, t).norm();
  for (const int t : one_sided) none += area_vector(mesh, t).norm();
  if (2 * none > all)
    throw InputError("", "",
                     "is one-sided, as a Moebius strip or a Klein bottle is: it has no inside",
                     "a soft body needs a surface with two sides");
}

/// The sentences. What matters most for the body comes first.
std::vector<std::string> report(const Defects& d, const IntakeSettings& settings) {
  std::vector<std::string> text;
  const auto add = [&](std::string sentence) { text.push_back(std::move(sentence)); };
  const Topology& t = d.topology;
  if (d.is_sheet)
    add("the surface is an open sheet with hardly anything inside: the cells along it carry it, "
        "with a "
        "twentieth of their weight; \"thickness\" would make a solid of it");
  else if (!t.closed && !d.holes.empty())
    add("the surface is open: " + counted(d.holes.size(), "hole") + " with " +
        counted(std::size_t(t.open_edges), "open edge") + "; inside is told by winding number");
  if (!d.turned.empty()) {
    std::string sentence =
        counted(d.turned.size(), "triangle") + " faced the wrong way and were turned";
    if (d.turned_parts > 0)
      sentence += " (" + counted(std::size_t(d.turned_parts), "part") + " inside out)";
    add(std::move(sentence));
  }
  if (!d.one_sided.empty())
    add(counted(d.one_sided.size(), "triangle") +
        " belong to a one-sided part, which has no inside of its own");
  if (!d.crowded.empty())
    add(counted(d.crowded.size(), "edge") +
        " with more than two triangles (not a manifold); inside is told by winding number");
  if (!d.pinched.empty())
    add(counted(d.pinched.size(), "point") + " where parts touch in nothing but that point");
  if (!d.flat.empty()) add(counted(d.flat.size(), "triangle") + " without area were left out");
  if (!d.repeated.empty())
    add(counted(d.repeated.size(), "triangle") + " that were there already were left out");
  if (!d.opposed.empty())
    add(counted(d.opposed.size(), "triangle") + " that were there from both sides were left out");
  if (d.moved > 0 && settings.weld > 0)
    add(counted(std::size_t(d.moved), "point") + " within " + formatted("%.3g", settings.weld) +
        " m of another were welded to it");
  if (d.unused > 0) add(counted(std::size_t(d.unused), "point") + " of no triangle touch nothing");
  if (t.shells > 100)
    add("the surface consists of " + counted(std::size_t(t.shells), "separate part"));
  return text;
}

}  // namespace

Intake take_in(const TriangleMesh& surface, const IntakeSettings& settings) {
  Intake result;
  Defects& defects = result.defects;
  TriangleMesh gathered = surface;
  Box used;  // a loose point far away must not spoil the measure
  for (const Triangle& t : surface.triangles)
    for (const int p : t) used.add(surface.points[p]);
  const double size = used.extent().maxCoeff();
  defects.moved = gather_near_points(gathered.points, std::max(settings.weld, rounding * size));
  Cleaned cleaned = clean(gathered);
  result.mesh = std::move(cleaned.mesh);
  result.vertex = std::move(cleaned.kept);
  defects.welded = cleaned.welded;
  defects.unused = cleaned.unused;
  defects.flat = with_fate(cleaned, {Cleaned::Fate::flat, Cleaned::Fate::collapsed});
  defects.repeated = with_fate(cleaned, {Cleaned::Fate::repeated});
  if (result.mesh.triangles.empty())
    throw InputError("", "", "has zero volume: none of its triangles has an area");

  std::vector<int> source = sources(cleaned);
  drop_opposed(result.mesh, source, defects);
  const Orientation orientation = orient(result.mesh);
  for (const int t : orientation.turned) defects.turned.push_back(source[t]);
  for (const int t : orientation.one_sided) defects.one_sided.push_back(source[t]);
  defects.turned_parts = orientation.turned_parts;
  refuse_one_sided(result.mesh, orientation.one_sided);

  defects.topology = topology(result.mesh);
  defects.crowded = crowded_edges(result.mesh);
  defects.pinched = pinched_points(result.mesh);
  defects.holes = boundary_loops(result.mesh);
  const bool is_open = !defects.topology.closed;
  if (is_open && settings.thickness > 0) {
    result.mesh = thickened(result.mesh, settings.thickness);
    result.warnings.push_back("the surface is open and became a solid " +
                              formatted("%.3g", settings.thickness) +
                              " m thick behind its surface");
    defects.holes.clear();
    defects.topology = topology(result.mesh);
  } else if (is_open) {
    // A ball has 0.094 times the area to the power of 3/2, and nothing has more.
    const double inside = counted_volume(result.mesh, WindingNumber(result.mesh), 4096);
    defects.is_sheet = inside < 0.03 * std::pow(area(result.mesh), 1.5);
  }
  defects.stray = find_stray(result.mesh.points);
  for (std::string& sentence : report(defects, settings))
    result.warnings.push_back(std::move(sentence));
  if (defects.stray >= 0) {
    const auto given = std::find(result.vertex.begin(), result.vertex.end(), defects.stray);
    defects.stray = given == result.vertex.end() ? -1 : int(given - result.vertex.begin());
    result.warnings.push_back("the surface has a point far away from all others: vertex " +
                              std::to_string(defects.stray + 1));
  }
  return result;
}

}  // namespace pliant
