#include "scene/attach.h"

#include <Eigen/LU>
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numbers>

#include "scene/doubts.h"
#include "scene/json.h"

namespace pliant {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Nodes of which the vertices are made, rising.
std::vector<int> carriers(const Skin& skin, const std::vector<int>& vertices, int nodes) {
  std::vector<char> carries(std::size_t(nodes), 0);
  for (const int v : vertices)
    skin.weights.for_each(v, [&](int node, double weight) {
      if (std::abs(weight) > 1e-9) carries[node] = 1;
    });
  std::vector<int> chosen;
  for (int i = 0; i < nodes; ++i)
    if (carries[i]) chosen.push_back(i);
  return chosen;
}

/// Throws for unknown groups.
std::vector<int> chosen_vertices(const Region& region, const Skin& skin) {
  return select(region, skin.rest, skin.triangles, skin.groups);
}

std::vector<int> choose_nodes(const Region& region, const Body& body, const std::string& where,
                              BuildLog& log) {
  const Skin& skin = body.drawn_skin();
  std::vector<int> chosen;
  try {
    if (region.is_of_surface())
      chosen = carriers(skin, chosen_vertices(region, skin), body.nodes.size());
    else chosen = select(region, body.nodes.position, {}, {});
    if (chosen.empty()) {
      chosen = carriers(skin, chosen_vertices(region, skin), body.nodes.size());
      if (!chosen.empty())
        log.notes.push_back(fmt::format(
            "{}: no node lies in the region of {}; it takes the {} that carry the surface there",
            body.name, where, chosen.size()));
    }
  } catch (const InputError& error) {
    log.problem(where + "/region/group", error);
    return {};
  }
  if (chosen.empty()) report_empty(region, body.nodes.position, "node", where, log);
  return chosen;
}

std::vector<int> choose_vertices(const Region& region, const Body& body, const std::string& where,
                                 BuildLog& log) {
  std::vector<int> chosen;
  try {
    chosen = chosen_vertices(region, body.drawn_skin());
  } catch (const InputError& error) {
    log.problem(where + "/region/group", error);
    return {};
  }
  if (chosen.empty()) report_empty(region, body.drawn_skin().rest, "vertex", where, log);
  return chosen;
}

std::vector<int> whole_triangles(const Skin& skin, const std::vector<int>& vertices) {
  std::vector<char> chosen(skin.rest.size(), 0);
  for (const int v : vertices) chosen[v] = 1;
  std::vector<int> triangles;
  for (std::size_t i = 0; i < skin.triangles.size(); ++i) {
    const Triangle& t = skin.triangles[i];
    if (chosen[t[0]] && chosen[t[1]] && chosen[t[2]]) triangles.push_back(int(i));
  }
  return triangles;
}

/// Per chosen vertex its part of the surface; sums to one. Triangles of which all vertices are
/// chosen count, where there are any: what lies beyond the edge of a face is none of its area.
std::vector<double> area_shares(const Skin& skin, const std::vector<int>& vertices) {
  std::vector<double> area(skin.rest.size(), 0);
  const auto add = [&](const Triangle& t) {
    const double third =
        (skin.rest[t[1]] - skin.rest[t[0]]).cross(skin.rest[t[2]] - skin.rest[t[0]]).norm() / 6;
    for (const int v : t) area[v] += third;
  };
  const std::vector<int> whole = whole_triangles(skin, vertices);
  for (const int t : whole) add(skin.triangles[std::size_t(t)]);
  if (whole.empty())
    for (const Triangle& t : skin.triangles) add(t);
  double sum = 0;
  for (const int v : vertices) sum += area[v];
  std::vector<double> shares;
  for (const int v : vertices)
    shares.push_back(sum > 0 ? area[v] / sum : 1.0 / double(vertices.size()));
  return shares;
}

/// Forces at the vertices that sum to nothing and to this moment [N m]: as if the surface were
/// turned a little. Empty where the vertices lie on a line.
std::vector<Vec3> turning_forces(const Vec3& moment, const std::vector<int>& vertices,
                                 const Skin& skin) {
  const std::vector<double> share = area_shares(skin, vertices);
  Vec3 middle = Vec3::Zero();
  for (std::size_t i = 0; i < vertices.size(); ++i) middle += share[i] * skin.rest[vertices[i]];
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3 arm = skin.rest[vertices[i]] - middle;
    inertia += share[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  const Eigen::FullPivLU<Mat3> turn(inertia);
  if (turn.rank() < 3) return {};
  const Vec3 angle = turn.solve(moment);
  std::vector<Vec3> forces;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    forces.push_back(share[i] * angle.cross(skin.rest[vertices[i]] - middle));
  return forces;
}

Handle hold(const std::vector<int>& nodes, const std::optional<double>& release, const Body& body) {
  Handle handle;
  handle.nodes = nodes;
  for (const int node : nodes) handle.rest.push_back(body.nodes.position[node]);
  handle.release = release.value_or(never);
  return handle;
}

/// A handle on the skin where the method holds that, on nodes otherwise.
Handle grab(const Region& region, const std::optional<double>& release, const Body& body,
            const std::string& where, BuildLog& log) {
  if (!body.method->holds_skin())
    return hold(choose_nodes(region, body, where, log), release, body);
  Handle handle = hold({}, release, body);
  handle.vertices = choose_vertices(region, body, where, log);
  for (const int v : handle.vertices) handle.vertex_rest.push_back(body.drawn_skin().rest[v]);
  return handle;
}

/// Unit normals at chosen vertices, of triangles whose vertices are all chosen; where there are
/// none, of all around.
std::vector<Vec3> normals_at(const std::vector<int>& vertices, const Skin& skin) {
  std::vector<Vec3> of_chosen(skin.rest.size(), Vec3::Zero()), of_all(of_chosen);
  const auto add = [&](const Triangle& t, std::vector<Vec3>& sum) {
    const Vec3 area = (skin.rest[t[1]] - skin.rest[t[0]]).cross(skin.rest[t[2]] - skin.rest[t[0]]);
    for (const int v : t) sum[v] += area;
  };
  for (const Triangle& t : skin.triangles) add(t, of_all);
  for (const int t : whole_triangles(skin, vertices)) add(skin.triangles[t], of_chosen);
  std::vector<Vec3> normals;
  for (const int v : vertices)
    normals.push_back((of_chosen[v].isZero(0) ? of_all[v] : of_chosen[v]).normalized());
  return normals;
}

/// Holds the surface along some axes.
Handle guide(const PinDescription& pin, const Body& body, const std::string& where, BuildLog& log) {
  Handle handle = hold({}, pin.release, body);
  const Skin& skin = body.drawn_skin();
  const std::vector<int> vertices = choose_vertices(pin.region, body, where, log);
  const bool along_normal = pin.axes == PinDescription::normal;
  const std::vector<Vec3> normals = along_normal ? normals_at(vertices, skin) : std::vector<Vec3>();
  const auto add = [&](int vertex, const Vec3& direction) {
    handle.rollers.vertex.push_back(vertex);
    handle.rollers.place.push_back(skin.rest[vertex]);
    handle.rollers.direction.push_back(direction);
  };
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (along_normal) add(vertices[i], normals[i]);
    else
      for (const char* axis = axes_names[pin.axes]; *axis != 0; ++axis)
        add(vertices[i], Vec3::Unit(*axis - 'x'));
  }
  return handle;
}

Vec3 middle_of(const Handle& handle) {
  const std::vector<Vec3>& held = handle.nodes.empty() ? handle.vertex_rest : handle.rest;
  return held.empty() ? Vec3(Vec3::Zero()) : bounds(held).centre();
}

void add_load(const LoadDescription& description, const std::string& where, Body& body,
              BuildLog& log) {
  Load load;
  load.start = description.start;
  load.end = description.end.value_or(never);
  if (description.acceleration) {
    load.kind = Load::Kind::acceleration;
    load.vector = *description.acceleration;
    load.nodes = choose_nodes(description.region, body, where, log);
  } else {
    load.vertices = choose_vertices(description.region, body, where, log);
    if (load.vertices.empty()) return;
    if (description.force) {
      load.kind = Load::Kind::force;
      load.vector = *description.force;
      load.share = area_shares(body.drawn_skin(), load.vertices);
    } else if (description.moment) {
      load.kind = Load::Kind::moment;
      load.force = turning_forces(*description.moment, load.vertices, body.drawn_skin());
      if (load.force.empty())
        log.problem(where + "/region", "is a point or a line, which no moment can turn",
                    "a moment needs vertices that span an area");
    } else {
      load.kind = Load::Kind::pressure;
      load.pressure = description.pressure.value_or(0);
      load.triangles = whole_triangles(body.drawn_skin(), load.vertices);
      if (load.triangles.empty())
        log.problem(
            where + "/region",
            fmt::format("holds {} vertices but no whole triangle for the pressure to act on",
                        load.vertices.size()));
      load.vertices.clear();
    }
  }
  body.loads.push_back(std::move(load));
}

}  // namespace

void report_empty(const Region& region, const std::vector<Vec3>& points, const char* what,
                  const std::string& where, BuildLog& log) {
  if (region.is_of_surface())
    return log.problem(
        where + "/region",
        fmt::format("holds no {} of the body: no triangle of its surface is meant", what),
        region.normal ? "a larger \"within\" takes in more directions" : "");
  double nearest = never;
  for (const Vec3& p : points) nearest = std::min(nearest, region.distance(p));
  log.problem(where + "/region",
              fmt::format("holds no {} of the body; the nearest is {:.3g} m away", what, nearest),
              region.in == 0
                  ? "regions are in metres in the world, where the body is at the start; "
                    "\"in\": \"file\" takes the coordinates of the model file"
                  : "its coordinates are those of the model file, in the file's unit");
}

void attach(BodyDescription& description, const std::string& where, Body& body, BuildLog& log) {
  const Box box = bounds(body.skin.rest);
  for (PinDescription& pin : description.pins) pin.region.settle(box, description.frame);
  for (HandleDescription& moved : description.handles) moved.region.settle(box, description.frame);
  for (LoadDescription& load : description.loads) load.region.settle(box, description.frame);
  for (std::size_t i = 0; i < description.pins.size(); ++i) {
    const PinDescription& pin = description.pins[i];
    const std::string place = fmt::format("{}/pins/{}", where, i);
    body.handles.push_back(pin.axes == PinDescription::all
                               ? grab(pin.region, pin.release, body, place, log)
                               : guide(pin, body, place, log));
  }
  for (std::size_t i = 0; i < description.handles.size(); ++i) {
    HandleDescription& moved = description.handles[i];
    Handle handle =
        grab(moved.region, moved.release, body, fmt::format("{}/handles/{}", where, i), log);
    handle.motion = motion_of(moved.motion, middle_of(handle));
    moved.motion.pivot = handle.motion.pivot;
    body.handles.push_back(std::move(handle));
  }
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    add_load(description.loads[i], fmt::format("{}/loads/{}", where, i), body, log);
  doubt_handles(description, body, log);
}

Motion motion_of(const MotionDescription& description, const Vec3& middle) {
  Motion motion;
  motion.pivot = description.pivot.value_or(middle);
  for (const KeyDescription& key : description.keyframes)
    motion.keys.push_back({key.time, key.move, rotation(key.rotate)});
  if (description.spin)
    motion.spin = Motion::Spin{description.spin->axis.normalized(),
                               description.spin->degrees_per_second * std::numbers::pi / 180,
                               description.spin->start, description.spin->end.value_or(never)};
  return motion;
}

void set_in_motion(const BodyDescription& description, Body& body) {
  const Vec3 spin = description.spin * (std::numbers::pi / 180);
  if (description.velocity.isZero(0) && spin.isZero(0)) return;
  const Vec3 centre = centre_of_mass(body.nodes);
  for (int i = 0; i < body.nodes.size(); ++i)
    body.nodes.velocity[i] = description.velocity + spin.cross(body.nodes.position[i] - centre);
}

int nearest_vertex(const Skin& skin, const Vec3& point) {
  int best = -1;
  double least = never;
  for (int v = 0; v < int(skin.rest.size()); ++v) {
    const double d = (skin.rest[v] - point).squaredNorm();
    if (d < least) {
      least = d;
      best = v;
    }
  }
  return best;
}

}  // namespace pliant
