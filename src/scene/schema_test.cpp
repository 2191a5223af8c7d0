#include "scene/schema.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using nlohmann::json;
using namespace pliant;

TEST_CASE(
    "the schema refuses unknown fields everywhere and knows ranges, units, short forms and what is "
    "required") {
  const json schema = json::parse(scene_schema());
  CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
  CHECK(schema["required"] == json{"bodies"});

  const json& body = schema["properties"]["bodies"]["items"]["oneOf"];
  CHECK(body[0]["type"] == "string");
  CHECK(body[1]["oneOf"].size() == 8);
  const json& fields = body[1]["properties"];
  CHECK(fields["method"]["oneOf"][0]["enum"][0] == "tets");
  const json& poisson = fields["material"]["oneOf"][1]["properties"]["poisson"];
  CHECK(poisson["exclusiveMinimum"] == -1);
  CHECK(poisson["maximum"] == 0.5);
  const json& place = fields["place"];
  CHECK(place["minItems"] == 3);
  CHECK(place["description"].get<std::string>().find("in m") != std::string::npos);
  CHECK(fields["loads"]["items"]["oneOf"].size() == 4);

  int objects = 0;
  std::vector<const json*> rest = {&schema};
  while (!rest.empty()) {
    const json& one = *rest.back();
    rest.pop_back();
    if (one.is_object() && one.value("type", json()) == "object") {
      ++objects;
      CHECK(one.contains("additionalProperties"));
      CHECK(one["additionalProperties"] != true);
    }
    if (one.is_structured())
      for (const json& inner : one) rest.push_back(&inner);
  }
  CHECK(objects > 30);
}

TEST_CASE(
    "every link of the reference page leads to a section, and each section stands there once") {
  const std::string page = scene_reference();
  CHECK(page.find("| `young` | number | Pa |") != std::string::npos);
  CHECK(page.find("| `rubber` |") != std::string::npos);
  int links = 0;
  for (std::size_t at = page.find("](#"); at != std::string::npos; at = page.find("](#", at + 1)) {
    std::string title = page.substr(at + 3, page.find(')', at) - at - 3);
    std::replace(title.begin(), title.end(), '-', ' ');
    const std::size_t section = page.find("\n## " + title + "\n");
    CAPTURE(title);
    REQUIRE(section != std::string::npos);
    CHECK(page.find("\n## " + title + "\n", section + 1) == std::string::npos);
    ++links;
  }
  CHECK(links > 20);
}
