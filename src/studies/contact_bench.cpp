#include "studies/contact_bench.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/hash.h"
#include "core/parallel.h"
#include "geometry/mesh/fish.h"
#include "geometry/mesh/primitives.h"
#include "methods/tets/tets.h"
#include "studies/model_bench.h"
#include "world/world.h"

// Piles of soft bodies of five shapes, made as they are by default, each with about 3200 triangles
// of skin, as they land on the floor and each other, half a second later, when they bump and roll
// over each other, and after another one, as they lie: what the parts of a step cost, and how that
// grows with the pile. In a larger pile each body also has more neighbours; what grows with the
// number of bodies alone is seen in piles that stand apart. They roll on for long; at rest, and as
// close together as they can be, they are in a tray whose floor is as large as their number, and in
// a trough, a tray of one row, where most of them have the same neighbours however many there are.

namespace pliant {
namespace {

constexpr double frame = 1.0 / 60;

TriangleMesh shape(int kind) {
  switch (kind) {
    case 0:
      return box_mesh({0.32, 0.32, 0.32}, 0.0185);
    case 1:
      return sphere_mesh(0.2, 0.0235);
    case 2:
      return torus_mesh(0.17, 0.08, 0.0235);
    case 3:
      return capsule_mesh(0.12, 0.2, 0.021);
    default:
      return cylinder_mesh(0.16, 0.3, 0.022);
  }
}

void add_body(World& world, Solid&& solid, double young) {
  solid.material = elastic_material(young, 0.4, 1000, 6);
  world.bodies.push_back(tets::Settings().create(solid));
}

void add_floor(World& world) {
  world.colliders.emplace_back().shape = PlaneShape{};
  world.substeps = advise_substeps(world, frame).substeps;
}

/// How the columns of a pile of two layers stand: in a square, or in a row.
enum class Ground { square, row };
struct Columns {
  int count, across, deep;
  Vec3 next() const { return Vec3(0, 0, across + 3); }  // [m] to a pile that it never meets
  explicit Columns(int bodies, Ground ground = Ground::square)
      : count((bodies + 1) / 2),
        across(ground == Ground::row ? count : int(std::ceil(std::sqrt(count)))),
        deep((count + across - 1) / across) {}
};

/// In two layers on a floor, turned at random: as high for many bodies as for few, but wider. As
/// many equal ones as are asked for stand in a row, too far from each other to meet.
World pile(int count, int piles, Ground ground = Ground::square) {
  World world;
  const Columns columns(count, ground);
  const int across = columns.across;
  for (int k = 0; k < piles * count; ++k) {
    const int b = k % count;
    Solid solid;
    solid.name = fmt::format("body {}", k + 1);
    solid.surface = shape(b % 5);
    const int layer = b / columns.count, column = b % columns.count;
    const Vec3 place(0.45 * (column % across) + 0.1 * (layer % 2), 0.3 + 0.45 * layer,
                     0.45 * (column / across) + 0.07 * (layer % 3));
    const Mat3 turn =
        (Eigen::AngleAxisd(0.9 * b, Vec3::UnitY()) * Eigen::AngleAxisd(0.5 * b, Vec3::UnitX()))
            .toRotationMatrix();
    const Vec3 aside = (k - b) / count * columns.next();
    for (Vec3& p : solid.surface.points) p = turn * p + place + aside;
    add_body(world, std::move(solid), 8e4);
  }
  add_floor(world);
  return world;
}

/// Walls round a pile that stands there, each on its own side of it.
void add_tray(World& world, const Columns& columns) {
  constexpr double cell = 0.5, thick = 0.4, high = 3;
  const Vec3 low(-0.5 * cell, 0, -0.5 * cell);
  const Vec3 size(columns.across * cell, high, columns.deep * cell);
  for (const int axis : {0, 2})
    for (const double side : {-0.5, 0.5}) {
      Collider& wall = world.colliders.emplace_back();
      Vec3 half = 0.5 * size + Vec3(thick, 0, thick), at = low + 0.5 * size;
      half[axis] = 0.5 * thick;
      at[axis] += side * (size[axis] + thick);
      wall.shape = BoxShape{half};
      wall.placement.position = at;
    }
}

/// A fish with thin fins that lands on its side: how much dearer it is when it meets itself too.
World fish(Touches touch) {
  World world;
  Solid solid;
  solid.name = "fish";
  solid.surface = fish_mesh(1, 0.016);
  for (Vec3& p : solid.surface.points) p = Vec3(p.x(), p.z() + 0.4, -p.y());
  add_body(world, std::move(solid), 1e5);
  add_floor(world);
  world.contact.settings.touch = touch;
  return world;
}

/// How many pairs of bodies touch.
int touching_pairs(const World& world) {
  std::set<std::pair<int, int>> pairs;
  for (const Contact& c : world.contact.contacts())
    if (c.b.body >= 0 && !c.is_self()) pairs.insert(std::minmax(c.a.body, c.b.body));
  return int(pairs.size());
}

BenchRow row_of(World& world, const std::string& name, int threads_used, int frames) {
  const int count = int(world.bodies.size());
  set_threads(threads_used);
  double total = 0, elastic = 0, find = 0, solve = 0, iterations = 0, contacts = 0, pairs = 0;
  for (int f = 0; f < frames; ++f) {
    StepReport report = world.step(frame);
    for (const double seconds : report.times.seconds) total += 1e3 * seconds / frames;
    elastic += 1e3 * (report.times[Phase::advance] + report.times[Phase::finish]) / frames;
    find += 1e3 * report.times[Phase::find_contacts] / frames;
    solve += 1e3 * report.times[Phase::solve_contacts] / frames;
    iterations += double(report.contact_iterations) / frames / world.substeps;
    contacts += double(report.contacts) / frames;
    pairs += double(touching_pairs(world)) / frames;
  }
  double triangles = 0;
  for (const Body& body : world.bodies) triangles += double(body.skin.triangles.size());
  BenchRow row{
      .name = name, .threads = threads_used, .figures = {}, .hash = hex(state_hash(world))};
  row.add("skin triangles", triangles);
  row.add("substeps", world.substeps);
  row.add("pairs/body", pairs / count);
  row.add("contacts", contacts);
  row.add("iterations", iterations);
  row.add("ms/frame", total);
  row.add("elastic", elastic);
  row.add("find", find);
  row.add("solve", solve);
  row.add("find/elastic", find / elastic);
  row.add("ms/body", total / count);
  row.add("ms/each", total / (count + pairs));
  return row;
}

/// Rows of the next frames, the same for each, so that their hashes are the same.
void measure(World& world, const std::string& name, int frames, std::vector<BenchRow>& rows) {
  Archive saved = Archive::saving();
  world.archive(saved);
  const std::vector<std::byte> bytes = saved.take_bytes();
  for (const int used : {1, 2}) {
    Archive loaded = Archive::loading(bytes);
    world.archive(loaded);
    rows.push_back(row_of(world, name, used, frames));
  }
}

std::vector<BenchRow> run_piles(const BenchWish& wish) {
  if (!wish.models.empty()) return run_models(wish);
  const int before = threads();
  std::vector<BenchRow> rows;
  struct Heap {
    int count, piles;
    const char* name;
    Touches touch = Touches::all;
  };
  struct Moment {
    const char* name;
    int at, frames;
  };
  // All of it but the first frame, in which is found out what of bodies can touch themselves.
  constexpr Moment whole{"whole", 1, 179};
  constexpr Moment moments[] = {{"landing", 20, 10}, {"bumping", 60, 10}, {"lying", 120, 10}};
  for (const auto& [count, piles, name, touch] : {Heap{5, 1, "5"},
                                                  {10, 1, "10"},
                                                  {20, 1, "20"},
                                                  {40, 1, "40"},
                                                  {5, 8, "5x8"},
                                                  {20, 1, "20-others", Touches::bodies}}) {
    if (wish.quick && count * piles > 10) break;
    const auto follow = [&](std::span<const Moment> some) {
      const auto row = [&](const Moment& moment) {
        return fmt::format("{}-{}", moment.name, name);
      };
      const auto wants = [&](const Moment& moment) { return wish.wants(row(moment)); };
      if (std::none_of(some.begin(), some.end(), wants)) return;
      World world = pile(count, piles);
      world.contact.settings.touch = touch;
      int now = 0;
      for (const Moment& moment : some) {
        if (!wants(moment)) continue;
        set_threads(before);
        for (; now < moment.at; ++now) world.step(frame);
        measure(world, row(moment), moment.frames, rows);
        now += moment.frames;
      }
    };
    if (!wish.quick && piles == 1) follow({&whole, 1});
    follow(std::span(moments).first(wish.quick ? 1 : std::size(moments)));
  }
  struct Tray {
    int count;
    const char* name;
    Ground ground = Ground::row;
  };
  for (const auto& [count, name, ground] : {Tray{20, "tray-20", Ground::square},
                                            {40, "tray-40", Ground::square},
                                            {5, "trough-5"},
                                            {10, "trough-10"},
                                            {20, "trough-20"},
                                            {40, "trough-40"}}) {
    if (wish.quick || !wish.wants(name)) continue;
    World world = pile(count, 1, ground);
    world.contact.settings.touch = Touches::all;
    add_tray(world, Columns(count, ground));
    set_threads(before);
    for (int f = 0; f < 180; ++f) world.step(frame);
    measure(world, name, 10, rows);
  }
  for (const auto& [name, touch] :
       {std::pair("fish", Touches::all), {"fish-others", Touches::bodies}}) {
    if (wish.quick || !wish.wants(name)) continue;
    World world = fish(touch);
    for (int f = 0; f < 15; ++f) world.step(frame);
    measure(world, name, 10, rows);
  }
  set_threads(before);
  return rows;
}

constexpr Benchmark all[] = {
    {"contact",
     "piles of 5 to 40 bodies: cost per phase, in the three seconds from their fall to where they "
     "lie (whole), and as they land, bump and lie. 5x8: eight piles of 5, side by side. Tray: at "
     "rest between walls; trough: likewise, in a row, so that neighbours are about as many for "
     "many bodies as for few. A fish that lands. Others: without self-contact, which is there by "
     "default. Pairs: of bodies that touch each other; each: body or such a pair. With --models: "
     "each of them dropped by itself, and a scanned cloak; x4, x16: its triangles cut in so many "
     "at equal cells",
     run_piles}};

}  // namespace

std::span<const Benchmark> contact_benchmarks() { return all; }

}  // namespace pliant
