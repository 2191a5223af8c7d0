#include "materials/material.h"

#include <cstring>
#include <doctest/doctest.h>
#include <set>

using namespace pliant;

namespace {

/// A reader that changes nothing and keeps what it is told.
struct Listener : Fields {
  struct Number {
    std::string name;
    Range range;
  };
  std::vector<Number> ranges;
  std::vector<std::string> complaints;
  std::string bare;

  void numbers(const char* name, std::span<double>, bool*, const Range& range) override {
    ranges.push_back({name, range});
  }
  void integer(const char*, int&, bool*, const Range&) override {}
  void flag(const char*, bool&, const Note&) override {}
  void text(const char*, std::string&, bool*, const Note&) override {}
  void file(const char*, std::string&, bool*, const Note&) override {}
  void choice(const char*, int&, std::span<const char* const>, const Note&) override {}
  void object(const char*, bool*, const Note&, const std::function<void(Fields&)>&) override {}
  void list(const char*, Elements&, const Note&) override {}
  void map(const char*, Elements&, const Note&) override {}
  void shorthand(const char* field) override { bare = field; }
  void shorthand_names_member() override {}
  void exactly_one(std::span<const char* const>) override {}
  void at_most_one(std::span<const char* const>) override {}
  void check(bool fine, const char* field, const std::string& what) override {
    if (!fine) complaints.push_back(std::string(field) + " " + what);
  }

  const Range& range(const std::string& name) const {
    for (const Number& number : ranges)
      if (number.name == name) return number.range;
    FAIL("no such field: " << name);
    return ranges.front().range;
  }
};

bool allows(const Range& range, double value) {
  return value > range.above && value >= range.at_least && value < range.below &&
         value <= range.at_most;
}

}  // namespace

TEST_CASE("every preset lies in the ranges a user must keep, under a name of its own") {
  Listener listener;
  Material material;
  describe(listener, material);
  std::set<std::string> names;
  for (const MaterialPreset& preset : material_presets()) {
    INFO(preset.name);
    CHECK(names.insert(preset.name).second);
    CHECK(std::strlen(preset.help) > 10);
    CHECK(allows(listener.range("young"), preset.young));
    CHECK(allows(listener.range("poisson"), preset.poisson));
    CHECK(allows(listener.range("density"), preset.density));
    CHECK(allows(listener.range("damping"), preset.damping));
    CHECK(allows(listener.range("friction"), preset.friction));
  }
  CHECK(names.size() >= 14);
}

TEST_CASE("impossible materials are out of range") {
  Listener listener;
  Material material;
  describe(listener, material);
  CHECK_FALSE(allows(listener.range("young"), 0));
  CHECK_FALSE(allows(listener.range("poisson"), 0.51));
  CHECK_FALSE(allows(listener.range("poisson"), -1));
  CHECK(allows(listener.range("poisson"), 0.5));
  CHECK_FALSE(allows(listener.range("density"), 0));
  CHECK_FALSE(allows(listener.range("damping"), -1));
  CHECK_FALSE(allows(listener.range("friction"), 11));
}

TEST_CASE("a material may be a bare preset name, and an unknown one lists the known ones") {
  Listener listener;
  Material material;
  material.preset = "ruber";
  describe(listener, material);
  CHECK(listener.bare == "preset");
  REQUIRE(listener.complaints.size() == 1);
  CHECK(listener.complaints[0].find("ruber") != std::string::npos);
  CHECK(listener.complaints[0].find("soft_rubber") != std::string::npos);
  Listener content;
  material.preset = "rubber";
  describe(content, material);
  CHECK(content.complaints.empty());
}

TEST_CASE("given values beat the preset, the preset beats the defaults") {
  Material material;
  material.preset = "rubber";
  material.density = 700;
  const Material full = completed(material, 1, 9.81);
  const MaterialPreset* rubber = find_material_preset("rubber");
  REQUIRE(full.is_complete());
  CHECK(*full.density == 700);
  CHECK(*full.young == rubber->young);
  CHECK(*full.poisson == rubber->poisson);
}

TEST_CASE("without any word about stiffness a body sags by about a twentieth") {
  const Material full = completed({}, 2, 9.81);
  REQUIRE(full.is_complete());
  CHECK(*full.poisson == 0.45);
  CHECK(*full.density == 1000);
  CHECK(*full.damping == 2);
  CHECK(*full.friction == 0.5);
  CHECK(*full.density * 9.81 * 2 / *full.young == doctest::Approx(0.05));
  CHECK(*completed({}, 2, 0).young == *full.young);  // weightless: as on Earth
}
