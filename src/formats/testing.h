#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "core/errors.h"
#include "core/random.h"
#include "geometry/mesh/triangle_mesh.h"

// What the tests of this room share.
namespace pliant::testing {

/// A folder of our own that goes away with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("pliant_formats_" + std::to_string(::getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// The message of the InputError that `call` throws; empty when it throws none.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Random points, with -0, tiny and huge numbers among them, and random triangles.
inline TriangleMesh random_mesh(std::uint64_t seed) {
  std::uint64_t counter = 0;
  const auto unit = [&] { return random_unit(seed, counter++); };
  const auto coordinate = [&] {
    const double kind = unit();
    if (kind < 0.05) return -0.0;
    if (kind < 0.10) return (unit() - 0.5) * 1e-300;
    if (kind < 0.15) return 5e-324;
    if (kind < 0.20) return (unit() - 0.5) * 1e300;
    return (unit() - 0.5) * 4;
  };
  TriangleMesh mesh;
  const int points = 3 + int(unit() * 40);
  for (int i = 0; i < points; ++i) {
    const double x = coordinate(), y = coordinate(), z = coordinate();
    mesh.points.emplace_back(x, y, z);
  }
  const int triangles = 1 + int(unit() * 60);
  while (int(mesh.triangles.size()) < triangles) {
    const int a = int(unit() * points), b = int(unit() * points), c = int(unit() * points);
    if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
  }
  return mesh;
}

/// Bit for bit: -0 is not 0 here.
inline bool same_bits(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [](const Vec3& p, const Vec3& q) {
           return std::string_view(reinterpret_cast<const char*>(p.data()), 24) ==
                  std::string_view(reinterpret_cast<const char*>(q.data()), 24);
         });
}

}  // namespace pliant::testing
