#include "formats/xml.h"

#include <doctest/doctest.h>

#include "formats/base64.h"
#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

static std::string refused(const std::string& text) {
  return refusal([&] {
    XmlTags tags(text, "a");
    XmlTag tag;
    while (tags.next(tag)) {
    }
  });
}

TEST_CASE("tags come with names, attributes and lines") {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!-- <no> -->\n<a  b = \"1 > 0\"\n c='\"'/>text &amp; <d>\n</d>";
  XmlTags tags(text, "a");
  XmlTag tag;
  REQUIRE(tags.next(tag));
  CHECK(tag.name == "a");
  CHECK(tag.opens);
  CHECK(tag.closes);
  CHECK(tag.line == 3);
  CHECK(tag.end_line == 4);
  CHECK(tag.attribute("b") == "1 > 0");
  CHECK(tag.attribute("c") == "\"");
  CHECK(tag.attribute("d").empty());
  CHECK(text.substr(tag.end, 4) == "text");
  REQUIRE(tags.next(tag));
  CHECK(tag.name == "d");
  CHECK(tag.opens);
  CHECK(!tag.closes);
  CHECK(tag.attributes.empty());
  REQUIRE(tags.next(tag));
  CHECK(tag.name == "d");
  CHECK(!tag.opens);
  CHECK(tag.closes);
  CHECK(tag.line == 5);
  CHECK(!tags.next(tag));
}

TEST_CASE("XML that we do not read is refused with its line") {
  CHECK(has(refused("\n<!DOCTYPE x [<!ENTITY y \"z\">]>"), "line 2 has a document type"));
  CHECK(has(refused("\n<![CDATA[x]]>"), "line 2 has a document type or CDATA"));
  CHECK(has(refused("\n<!-- x"), "line 2 starts a comment that has no end"));
  CHECK(has(refused("\n<?x"), "line 2 starts an instruction that has no end"));
  CHECK(has(refused("\n<a b=\"1>"), "line 2 starts a tag that has no end"));
  CHECK(has(refused("\n<a b>"), "line 2 has \"b\" where an attribute must be"));
  CHECK(has(refused("\n<a b=1>"), "line 2 gives the attribute \"b\" no value in quotes"));
  CHECK(has(refused("\n<a b=>"), "no value in quotes"));
  CHECK(has(refused("\n< >"), "line 2 has a tag without a name"));
  CHECK(has(refused("<"), "has no end"));
  CHECK(has(refused("</>"), "without a name"));
}

TEST_CASE("base64 gives back what was encoded, whatever its length") {
  std::string bytes;
  for (int n = 0; n < 40; ++n) {
    CHECK(decode_base64(in_base64(bytes), 1000) == bytes);
    CHECK(decode_base64(in_base64(bytes) + in_base64("more"), 1000) == bytes + "more");
    CHECK(decode_base64(in_base64(bytes), 7) == bytes.substr(0, 7));
    bytes += char(n * 77 + 200);
  }
  CHECK(decode_base64(" TW\nFu ", 9) == "Man");
  CHECK(decode_base64("TWFu*TWFu", 9) == "Man");
  CHECK(decode_base64("TWF", 9).empty());
  CHECK(decode_base64("T=Fu", 9).empty());
  CHECK(decode_base64("====", 9).empty());
}
