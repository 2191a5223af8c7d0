#include "statics/figures.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "body/skin_stress.h"
#include "geometry/query/neighbours.h"
#include "scene/json.h"

namespace pliant {
namespace {

/// Of the body's extent: so near to what is held, stress has no limit that refinement finds, and so
/// near to a force it depends on how that is spread over the vertices.
constexpr double near_support = 0.05;
/// Of all vertices: a force on more is on the body and not on a part of it.
constexpr double everywhere = 0.3;

/// Places at rest whose surroundings say little.
std::vector<Vec3> singular_places(const Body& body) {
  std::vector<Vec3> places;
  const Skin& skin = body.drawn_skin();
  for (const Handle& handle : body.handles) {
    places.insert(places.end(), handle.rest.begin(), handle.rest.end());
    places.insert(places.end(), handle.vertex_rest.begin(), handle.vertex_rest.end());
  }
  for (const Load& load : body.loads)
    if (double(load.vertices.size()) < everywhere * skin.size())
      for (const int v : load.vertices) places.push_back(skin.rest[v]);
  return places;
}

void raise(Peak& peak, double value, const Vec3& place) {
  if (value > peak.value) peak = {value, place};
}

void find_stress(const Body& body, StaticFigures& figures) {
  std::vector<double> stress;
  if (!field(body, "von_mises", stress)) return;
  const Skin& skin = body.drawn_skin();
  const double reach = near_support * body.extent;
  const Neighbours singular(singular_places(body), reach);
  std::vector<int> found;
  int worst = 0;
  for (int v = 0; v < skin.size(); ++v) {
    singular.within(skin.rest[v], reach, found);
    if (found.empty() && stress[v] > figures.stress.value) worst = v;
    raise(found.empty() ? figures.stress : figures.stress_beside, stress[v], skin.rest[v]);
  }
  std::vector<double> at_nodes;
  if (body.method->field("von_mises", body.nodes, at_nodes))
    skin.weights.for_each(worst, [&](int node, double w) {
      figures.blunt_stress += w * at_nodes[std::size_t(node)];
    });
  double area = 0;
  for (const Triangle& t : skin.triangles) {
    const double here =
        (skin.rest[t[1]] - skin.rest[t[0]]).cross(skin.rest[t[2]] - skin.rest[t[0]]).norm();
    area += here;
    for (const int v : t) figures.mean_stress += here * stress[v] / 3;
  }
  if (area > 0) figures.mean_stress /= area;
}

/// The forces of one support as they are collected.
struct Collected {
  Support support;
  std::vector<Vec3> place, force;

  void add(const Vec3& at, const Vec3& pull) {
    place.push_back(at);
    force.push_back(pull);
  }
  Support sum() {
    if (!place.empty()) support.centre = bounds(place).centre();
    for (std::size_t i = 0; i < place.size(); ++i) {
      support.force += force[i];
      support.moment += (place[i] - support.centre).cross(force[i]);
    }
    return support;
  }
};

std::vector<Support> supports_of(const Body& body, const BodyDescription& description,
                                 double time) {
  Holding holding;
  if (!body.method->holding(body.nodes, holding)) return {};
  const Skin& skin = body.drawn_skin();
  std::vector<int> owner(body.nodes.position.size(), -1);  // the later one where two hold a node
  std::vector<Collected> all(body.handles.size());
  std::size_t vertex = 0, roller = 0;
  for (std::size_t h = 0; h < body.handles.size(); ++h) {
    const Handle& handle = body.handles[h];
    const std::size_t pins = description.pins.size();
    all[h].support.name =
        h < pins ? fmt::format("pins/{}", h) : fmt::format("handles/{}", h - pins);
    if (time > handle.release) continue;
    for (const int node : handle.nodes) owner[node] = int(h);
    if (body.method->holds_skin())
      for (const int v : handle.vertices)
        all[h].add(skin.position[v], holding.at_vertices[vertex++]);
    for (const int v : handle.rollers.vertex)
      all[h].add(skin.position[v], holding.at_rollers[roller++]);
  }
  for (int n = 0; n < body.nodes.size(); ++n)
    if (owner[n] >= 0) all[owner[n]].add(body.nodes.position[n], holding.at_nodes[n]);
  std::vector<Support> supports;
  for (Collected& collected : all) supports.push_back(collected.sum());
  return supports;
}

std::optional<double> least_yield_strength(const BodyDescription& body) {
  std::optional<double> least = body.material.values.yield_strength;
  for (const RegionMaterial& region : body.regions)
    if (const std::optional<double>& here = region.material.values.yield_strength)
      least = std::min(least.value_or(*here), *here);
  return least;
}

/// 0.0000123 m as "12.3 um".
std::string in_prefix(double value, const char* unit) {
  static constexpr std::pair<double, const char*> prefixes[] = {
      {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
  for (const auto& [size, letter] : prefixes)
    if (std::abs(value) >= size) return fmt::format("{:.4g} {}{}", value / size, letter, unit);
  return fmt::format("{:.3g} {}", value, unit);
}

std::string place(const Vec3& p) {
  const auto clean = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
  return fmt::format("({:.4g}, {:.4g}, {:.4g})", clean(p.x()), clean(p.y()), clean(p.z()));
}

/// A vector of which small parts are what rounding and solvers leave.
std::string vector(const Vec3& v) {
  const double noise = 1e-4 * v.cwiseAbs().maxCoeff();
  const auto clean = [&](double x) { return std::abs(x) < noise ? 0.0 : x; };
  return fmt::format("({:.5g}, {:.5g}, {:.5g})", clean(v.x()), clean(v.y()), clean(v.z()));
}

std::string told_error(const std::optional<double>& error) {
  return error ? fmt::format(", about {:.2g} % off", std::max(0.1, 100 * *error)) : "";
}

std::string json(const Vec3& v) {
  return fmt::format("[{:.9g}, {:.9g}, {:.9g}]", v.x(), v.y(), v.z());
}

std::string json(const Peak& peak, const std::optional<double>& error = std::nullopt) {
  return fmt::format("{{\"value\": {:.9g}, \"at\": {}{}}}", peak.value, json(peak.place),
                     error ? fmt::format(", \"estimated_error\": {:.3g}", *error) : "");
}

}  // namespace

std::vector<StaticFigures> static_figures(BuiltScene& scene) {
  std::vector<StaticFigures> all;
  for (std::size_t b = 0; b < scene.world.bodies.size(); ++b) {
    Body& body = scene.world.bodies[b];
    drive(body, scene.world.gravity, scene.world.time);
    StaticFigures figures;
    figures.body = body.name;
    const Skin& skin = body.drawn_skin();
    for (int v = 0; v < skin.size(); ++v)
      raise(figures.displacement, (skin.position[v] - skin.rest[v]).norm(), skin.rest[v]);
    find_stress(body, figures);
    figures.yield_strength = least_yield_strength(scene.resolved.bodies[b]);
    figures.supports = supports_of(body, scene.resolved.bodies[b], scene.world.time);
    all.push_back(std::move(figures));
  }
  return all;
}

std::vector<std::string> told(const StaticFigures& figures) {
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{}: largest displacement {} at {} m{}", figures.body,
                              in_prefix(figures.displacement.value, "m"),
                              place(figures.displacement.place),
                              told_error(figures.displacement_error)));
  lines.push_back(fmt::format("{}: largest von Mises stress {} at {} m{}", figures.body,
                              in_prefix(figures.stress.value, "Pa"), place(figures.stress.place),
                              told_error(figures.stress_error)));
  if (figures.stress_beside.value > figures.stress.value)
    lines.push_back(fmt::format(
        "{}: {} at {} m, beside what holds or pushes: it may grow with every refinement",
        figures.body, in_prefix(figures.stress_beside.value, "Pa"),
        place(figures.stress_beside.place)));
  if (const std::optional<double> safety = figures.safety())
    lines.push_back(fmt::format("{}: safety factor {:.3g} against yielding at {}", figures.body,
                                *safety, in_prefix(*figures.yield_strength, "Pa")));
  for (const Support& support : figures.supports)
    lines.push_back(fmt::format("{}: {} holds with {} N and {} N m about {} m", figures.body,
                                support.name, vector(support.force), vector(support.moment),
                                place(support.centre)));
  return lines;
}

std::string static_csv(const std::vector<StaticFigures>& bodies) {
  std::string text = "body,figure,value,unit,x,y,z,estimated_error\n";
  const auto row = [&](const StaticFigures& of, const std::string& figure, double value,
                       const char* unit, const Vec3& at, const std::optional<double>& error) {
    text += fmt::format("{},{},{:.9g},{},{:.9g},{:.9g},{:.9g},{}\n", of.body, figure, value, unit,
                        at.x(), at.y(), at.z(), error ? fmt::format("{:.3g}", *error) : "");
  };
  for (const StaticFigures& of : bodies) {
    row(of, "largest displacement", of.displacement.value, "m", of.displacement.place,
        of.displacement_error);
    row(of, "largest von Mises stress", of.stress.value, "Pa", of.stress.place, of.stress_error);
    row(of, "largest von Mises stress beside supports and loads", of.stress_beside.value, "Pa",
        of.stress_beside.place, {});
    if (const std::optional<double> safety = of.safety())
      row(of, "safety factor", *safety, "1", of.stress.place, of.stress_error);
    for (const Support& support : of.supports)
      for (int axis = 0; axis < 3; ++axis) {
        const char letter = "xyz"[axis];
        row(of, fmt::format("{} force {}", support.name, letter), support.force[axis], "N",
            support.centre, {});
        row(of, fmt::format("{} moment {}", support.name, letter), support.moment[axis], "N m",
            support.centre, {});
      }
  }
  return text;
}

std::string static_json(const std::vector<StaticFigures>& bodies, const std::string& indent) {
  std::string text = "[";
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const StaticFigures& of = bodies[b];
    text += fmt::format(
        "{0}\n{1}  {{\"body\": {2},\n{1}   \"largest_displacement_m\": {3},\n"
        "{1}   \"largest_von_mises_Pa\": {4},\n{1}   "
        "\"largest_von_mises_beside_supports_and_loads_Pa\": {5},\n"
        "{1}   \"mean_von_mises_Pa\": {6:.9g}",
        b > 0 ? "," : "", indent, quote(of.body), json(of.displacement, of.displacement_error),
        json(of.stress, of.stress_error), json(of.stress_beside), of.mean_stress);
    if (const std::optional<double> safety = of.safety())
      text += fmt::format(",\n{}   \"yield_strength_Pa\": {:.9g}, \"safety_factor\": {:.9g}",
                          indent, *of.yield_strength, *safety);
    text += fmt::format(",\n{}   \"supports\": [", indent);
    for (std::size_t s = 0; s < of.supports.size(); ++s) {
      const Support& support = of.supports[s];
      text += fmt::format(
          "{}\n{}     {{\"name\": {}, \"force_N\": {}, \"moment_N_m\": {}, \"about\": {}}}",
          s > 0 ? "," : "", indent, quote(support.name), json(support.force), json(support.moment),
          json(support.centre));
    }
    text += "]}";
  }
  return text + "]";
}

}  // namespace pliant
