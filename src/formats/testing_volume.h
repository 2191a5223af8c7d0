#pragma once

#include <array>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <string>

#include "core/random.h"
#include "formats/cells.h"
#include "formats/testing.h"

// What the tests of volume formats share.
namespace pliant::testing {

/// A block of 2 x 2 x 2 cubes of 6 tets each. Its coordinates are exact as float, too.
inline TetMesh block() {
  constexpr int n = 2, side = n + 1;
  TetMesh mesh;
  for (int z = 0; z < side; ++z)
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) mesh.points.emplace_back(x - 0.375, 0.5 * y, 1.25 * z);
  // Each tet walks from one corner of the cube to the opposite one, along the axes in some order.
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  constexpr int step[3] = {1, side, side * side};
  for (int cube = 0; cube < n * n * n; ++cube) {
    const int start = cube % n + side * (cube / n % n) + side * side * (cube / (n * n));
    for (int o = 0; o < 6; ++o) {
      Tet tet{start};
      for (int k = 0; k < 3; ++k) tet[k + 1] = tet[k] + step[orders[o][k]];
      if (o >= 3) std::swap(tet[2], tet[3]);
      mesh.tets.push_back(tet);
    }
  }
  return mesh;
}

/// The tets, which must be there, without a warning.
template <class Parse>
void check_is_block(const Parse& parse, const std::string& bytes) {
  std::vector<std::string> warnings;
  const Solid solid = parse(bytes, "a", &warnings);
  const TetMesh expected = block();
  CHECK(warnings.empty());
  REQUIRE(std::holds_alternative<TetMesh>(solid));
  const TetMesh& found = std::get<TetMesh>(solid);
  CHECK(same_bits(found.points, expected.points));
  CHECK(found.tets == expected.tets);
}

/// Cut anywhere or damaged anywhere, a file gives a mesh or an InputError, nothing else.
template <class Parse>
void check_survives(const Parse& parse, const std::string& bytes) {
  std::vector<std::string> warnings;
  const auto attempt = [&](const std::string& broken) {
    return refusal([&] { parse(broken, "a", &warnings); });
  };
  for (std::size_t n = 0; n < bytes.size(); ++n) attempt(bytes.substr(0, n));
  for (std::uint64_t i = 0; i < 2000; ++i) {
    std::string broken = bytes;
    for (std::uint64_t k = 0; k < 1 + i % 3; ++k) {
      const auto at = std::size_t(random_unit(i, 2 * k) * double(bytes.size()));
      broken[at] = char(int(random_unit(i, 2 * k + 1) * 256));
    }
    attempt(broken);
  }
}

inline std::string in_base64(const std::string& bytes) {
  const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[group >> (18 - 6 * k) & 63];
  }
  return text;
}

/// Appends a number in either byte order.
template <class T>
void put(std::string& to, T value, std::endian order) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (order != std::endian::native) std::reverse(raw, raw + sizeof(T));
  to.append(raw, sizeof(T));
}

}  // namespace pliant::testing
