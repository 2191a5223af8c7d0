#include "studies/model_bench.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/random.h"
#include "formats/formats.h"
#include "geometry/intake/intake.h"
#include "geometry/sample/cell_grid.h"
#include "methods/tets/tets.h"
#include "studies/stopwatch.h"
#include "world/world.h"

// Each model falls on a floor half its height below. Rows "x4" and "x16": its triangles cut into so
// many flat ones, at equal cells, so that the motion is about the same and only what is drawn
// becomes finer. Rows "drawn": contact touches what is drawn, only if asked for by --rows.

namespace pliant {
namespace {

constexpr double frame = 1.0 / 60;
constexpr int frames = 120;  // from the drop to where it lies

struct NamedSurface {
  std::string name;
  TriangleMesh mesh;
};

/// Every triangle in four, by the middles of its edges.
TriangleMesh quartered(const TriangleMesh& mesh) {
  TriangleMesh fine;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
    const Vec3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    const int first = int(fine.points.size());
    fine.points.insert(fine.points.end(), {a, b, c, ab, bc, ca});
    for (const Triangle& part : {Triangle{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      fine.triangles.push_back({first + part[0], first + part[1], first + part[2]});
  }
  return take_in(fine).mesh;  // welds
}

/// A scanned cloak, as it were: open in front, above and below, rough, of 124 000 triangles.
TriangleMesh cloak() {
  constexpr int across = 310, up = 200;
  constexpr double rough = 2e-4;  // [m] a tenth of its edges
  TriangleMesh mesh;
  for (int j = 0; j <= up; ++j)
    for (int i = 0; i <= across; ++i) {
      const double turn = 5.2 * i / across, height = double(j) / up;
      const double noise = rough * (2 * random_unit(7, std::uint64_t(mesh.points.size())) - 1);
      const double radius = 0.32 - 0.18 * height + 0.02 * std::sin(7 * turn) * (1 - height) + noise;
      mesh.points.push_back({radius * std::cos(turn), height, -radius * std::sin(turn)});
    }
  for (int j = 0; j < up; ++j)
    for (int i = 0; i < across; ++i) {
      const int a = j * (across + 1) + i, b = a + across + 1;
      mesh.triangles.push_back({a, a + 1, b});
      mesh.triangles.push_back({b, a + 1, b + 1});
    }
  return mesh;
}

std::vector<NamedSurface> surfaces_of(const std::vector<std::filesystem::path>& places) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& place : places) {
    if (!std::filesystem::exists(place)) throw InputError(place.string(), "", "does not exist");
    if (!std::filesystem::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(place))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<NamedSurface> surfaces;
  for (const std::filesystem::path& file : files) {
    TriangleMesh mesh = take_in(read_model(file).surface).mesh;
    if (bounds(mesh.points).extent().minCoeff() > 0)  // else it is flat, and no body
      surfaces.push_back({file.stem().string(), std::move(mesh)});
  }
  return surfaces;
}

World drop(const TriangleMesh& surface, double cell, double contact_detail) {
  World world;
  Solid solid;
  solid.name = "model";
  solid.surface = surface;
  const Box box = bounds(surface.points);
  solid.material = completed({}, box.extent().maxCoeff(), world.gravity.norm());
  solid.contact_detail = contact_detail;
  tets::Settings settings;
  settings.cell_size = cell;
  world.bodies.push_back(settings.create(solid));
  Collider& floor = world.colliders.emplace_back();
  floor.shape = PlaneShape{};
  floor.placement.position = {0, box.low.y() - 0.5 * box.extent().y(), 0};
  world.substeps = advise_substeps(world, frame).substeps;
  return world;
}

BenchRow row_of(const std::string& name, const TriangleMesh& surface, double cell, double detail) {
  World world = drop(surface, cell, detail);
  const Body& body = world.bodies[0];
  double total = 0, elastic = 0, find = 0, solve = 0, longest = 0, unconverged = 0;
  for (int f = 0; f < frames; ++f) {
    StepReport report = world.step(frame);
    double all = 0;
    for (const double seconds : report.times.seconds) all += 1e3 * seconds;
    total += all / frames;
    longest = std::max(longest, all);
    elastic += 1e3 * (report.times[Phase::advance] + report.times[Phase::finish]) / frames;
    find += 1e3 * report.times[Phase::find_contacts] / frames;
    solve += 1e3 * report.times[Phase::solve_contacts] / frames;
    unconverged += report.unconverged_substeps;
  }
  BenchRow row{.name = name, .threads = 1, .figures = {}, .hash = hex(state_hash(world))};
  row.add("drawn", double(body.drawn_skin().triangles.size()));
  row.add("touched", double(body.skin.triangles.size()));
  row.add("outside/cell", body.drawn ? body.drawn->outside / body.spacing : 0);
  row.add("substeps", world.substeps);
  row.add("ms/frame", total);
  row.add("longest", longest);
  row.add("elastic", elastic);
  row.add("find", find);
  row.add("solve", solve);
  row.add("find/elastic", find / elastic);
  row.add("unconverged", unconverged);
  row.add("volume", volume(body.drawn_skin()) / volume(surface));
  return row;
}

}  // namespace

std::vector<BenchRow> run_models(const BenchWish& wish) {
  constexpr double as_drawn = 1e9;
  const bool wants_drawn =
      std::any_of(wish.rows.begin(), wish.rows.end(),
                  [](const std::string& r) { return r.find("drawn") != std::string::npos; });
  const int before = threads();
  set_threads(1);
  std::vector<BenchRow> rows;
  std::vector<NamedSurface> surfaces = surfaces_of(wish.models);
  surfaces.push_back({"cloak", cloak()});
  for (const NamedSurface& surface : surfaces) {
    const double cell = cell_size_for(surface.mesh, tets::Settings::default_cells);
    TriangleMesh mesh = surface.mesh;
    for (const char* finer : {"", " x4", " x16"}) {
      if (*finer) {
        if (wish.quick || surface.name == "cloak") break;
        mesh = quartered(mesh);
      }
      const std::string name = surface.name + finer;
      if (wish.wants(name)) rows.push_back(row_of(name, mesh, cell, 1));
      const std::string drawn = name + " drawn";
      if (wants_drawn && wish.wants(drawn)) rows.push_back(row_of(drawn, mesh, cell, as_drawn));
    }
  }
  set_threads(before);
  return rows;
}

}  // namespace pliant
