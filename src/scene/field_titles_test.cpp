#include "scene/field_titles.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <set>

#include "geometry/mesh/primitives.h"
#include "methods/make_body.h"
#include "methods/registry.h"

using namespace pliant;

TEST_CASE("every field of every method has a title, and those methods that its line names") {
  std::set<std::pair<std::string, std::string>> told, there;  // field and method
  for (const MethodKind& kind : registered_methods()) {
    for (const FieldTitle& title : field_titles()) {
      const std::string methods = title.methods;
      if (methods == "all" ||
          (", " + methods + ",").find(fmt::format(", {},", kind.name)) != std::string::npos)
        told.insert({title.name, kind.name});
    }
    Solid ball;
    ball.surface = sphere_mesh(0.25, 0.1);
    for (const std::string& name : field_names(make_body(kind.name, ball)))
      there.insert({name, kind.name});
  }
  CHECK(told == there);
}
