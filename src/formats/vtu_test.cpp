#include "formats/vtu.h"

#include <doctest/doctest.h>

#include "formats/testing_volume.h"

using namespace pliant;
using namespace pliant::testing;

enum class Kind { ascii, base64, raw, appended_base64 };

struct Variant {
  Kind kind = Kind::ascii;
  bool long_header = false;
  std::endian order = std::endian::little;
  bool wide = false;   // 8-byte numbers instead of 4
  bool split = false;  // length and data encoded one by one
};

// Writes the tags of arrays, and what is appended behind all of them.
class VtuWriter {
 public:
  explicit VtuWriter(const Variant& variant) : v_(variant) {}
  std::string text, appended;

  template <class T, class Values>
  void array(const char* name, const char* type, const Values& values) {
    const char* const formats[] = {"ascii", "binary", "appended", "appended"};
    text += fmt::format("<DataArray type=\"{}\" Name='{}' format=\"{}\"", type, name,
                        formats[int(v_.kind)]);
    if (v_.kind == Kind::ascii) {
      text += ">\n";
      for (const T value : values) text += fmt::format("{}\n", value + T(0));
      text += "</DataArray>\n";
      return;
    }
    std::string length, data;
    for (const T value : values) put(data, value, v_.order);
    if (v_.long_header) put(length, std::uint64_t(data.size()), v_.order);
    else put(length, std::uint32_t(data.size()), v_.order);
    const std::string coded = v_.kind == Kind::raw ? length + data
                              : v_.split           ? in_base64(length) + in_base64(data)
                                                   : in_base64(length + data);
    if (v_.kind == Kind::base64) {
      text += fmt::format(">\n  {}\n</DataArray>\n", coded);
    } else {
      text += fmt::format(" offset=\"{}\"/>\n", appended.size());
      appended += coded;
    }
  }

 private:
  Variant v_;
};

static std::string written(const TetMesh& mesh, const Variant& v, bool ten = false) {
  VtuWriter out(v);
  out.text = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- a > comment <Piece> -->\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\"{}>\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<PointData>\n",
      v.order == std::endian::little ? "LittleEndian" : "BigEndian",
      v.long_header ? " header_type=\"UInt64\"" : "", mesh.points.size(), mesh.tets.size());
  std::vector<double> coordinates;
  for (const Vec3& p : mesh.points) coordinates.insert(coordinates.end(), p.begin(), p.end());
  std::vector<int> corners, ends;
  for (const Tet& t : mesh.tets) {
    corners.insert(corners.end(), t.begin(), t.end());
    if (ten) corners.insert(corners.end(), 6, t[0]);
    ends.push_back(int(corners.size()));
  }
  const std::vector<int> types(mesh.tets.size(), ten ? 24 : 10);
  out.array<float>("speed", "Float32", coordinates);
  out.text += "</PointData>\n<CellData/>\n<Points>\n";
  if (v.wide) out.array<double>("Points", "Float64", coordinates);
  else out.array<float>("Points", "Float32", coordinates);
  out.text += "</Points>\n<Cells>\n";
  if (v.wide) out.array<std::int64_t>("connectivity", "Int64", corners);
  else out.array<std::int32_t>("connectivity", "Int32", corners);
  if (v.wide) out.array<std::uint64_t>("offsets", "UInt64", ends);
  else out.array<std::uint32_t>("offsets", "UInt32", ends);
  if (v.kind == Kind::ascii) out.array<int>("types", "UInt8", types);
  else out.array<std::uint8_t>("types", "UInt8", types);
  out.text += "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  if (!out.appended.empty())
    out.text += fmt::format("<AppendedData encoding=\"{}\">\n _{}\n</AppendedData>\n",
                            v.kind == Kind::raw ? "raw" : "base64", out.appended);
  return out.text + "</VTKFile>\n";
}

static const std::string head = "<VTKFile type=\"UnstructuredGrid\">\n";
static const std::string piece = "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n";
static const std::string points =
    "<Points><DataArray type=\"Float32\" format=\"ascii\">\n0 0 0 1 0 0\n0 1 0 0 0 1\n"
    "</DataArray></Points>\n";

static std::string cells(const std::string& corners, const std::string& ends,
                         const std::string& types) {
  return "<Cells>\n<DataArray type=\"Int32\" Name=\"connectivity\">" + corners +
         "</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\">" + ends +
         "</DataArray>\n<DataArray type=\"Int32\" Name=\"types\">" + types +
         "</DataArray>\n</Cells></Piece>\n";
}

static std::string refused(const std::string& text) {
  return refusal([&] { parse_vtu(text, "a"); });
}

TEST_CASE("vtu files give the same tets however their numbers are written") {
  for (const Kind kind : {Kind::ascii, Kind::base64, Kind::raw, Kind::appended_base64})
    for (const bool long_header : {false, true})
      for (const std::endian order : {std::endian::little, std::endian::big})
        for (const bool wide : {false, true})
          for (const bool split : {false, true})
            check_is_block(parse_vtu, written(block(), {kind, long_header, order, wide, split}));
  check_is_block(parse_vtu, written(block(), {Kind::ascii}, true));
  check_is_block(parse_vtu, written(block(), {Kind::raw}, true));
}

TEST_CASE("keys inside the arrays of a vtu file are passed over") {
  const std::string key =
      "<InformationKey name=\"L2_NORM_RANGE\" location=\"vtkDataArray\" length=\"1\">\n"
      "<Value index=\"0\">1.5</Value>\n</InformationKey>\n</DataArray>";
  for (const Kind kind : {Kind::ascii, Kind::base64}) {
    std::string text = written(block(), {kind});
    for (std::size_t at = 0; (at = text.find("</DataArray>", at)) != std::string::npos;) {
      text.replace(at, 12, key);
      at += key.size();
    }
    check_is_block(parse_vtu, text);
  }
}

TEST_CASE("vtu pieces are put behind each other") {
  const std::string one = piece + points + cells("0 1 2 3", "4", "10");
  const TetMesh mesh = std::get<TetMesh>(parse_vtu(head + one + one, "a"));
  CHECK(mesh.points.size() == 8);
  CHECK(mesh.tets == std::vector<Tet>{{0, 1, 2, 3}, {4, 5, 6, 7}});
}

TEST_CASE("other vtu cells are left out with one warning, triangles alone are a surface") {
  std::vector<std::string> warnings;
  const std::string three = "<Piece NumberOfPoints=\"4\" NumberOfCells=\"3\">\n" + points;
  const Solid tets =
      parse_vtu(head + three + cells("0 1 2\n0 1 2 3\n0 1", "3 7 9", "5 10 3"), "a", &warnings);
  CHECK(std::get<TetMesh>(tets).tets == std::vector<Tet>{{0, 1, 2, 3}});
  REQUIRE(warnings.size() == 1);
  CHECK(has(warnings[0], "1 cells are neither tets nor triangles and were left out"));
  const Solid surface =
      parse_vtu(head + three + cells("0 1 2 0 3 1 0 0 0 0 2 3", "3 9 12", "5 22 5"), "a");
  CHECK(std::get<TriangleMesh>(surface).triangles ==
        std::vector<Triangle>{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}});
}

TEST_CASE("compressed vtu files are refused by name, unless their numbers are text") {
  const auto with_compressor = [](std::string text) {
    return text.insert(text.find(" version=\"1.0\" byte"), " compressor=\"vtkZLibDataCompressor\"");
  };
  const std::string text = refused(with_compressor(written(block(), {Kind::base64})));
  CHECK(has(text, "holds compressed numbers (\"vtkZLibDataCompressor\"), which cannot be read"));
  CHECK(has(text, "save the file again without compression"));
  check_is_block(parse_vtu, with_compressor(written(block(), {Kind::ascii})));
}

TEST_CASE("what is wrong with a vtu file is said with its line") {
  const std::string good = cells("0 1 2 3", "4", "10");
  CHECK(refused(head + piece + points + good).empty());
  CHECK(has(refused(""), "is an empty file"));
  CHECK(has(refused("<x/>"), "has no <VTKFile"));
  CHECK(has(refused("<VTKFile type=\"PolyData\">"), "line 1 says type \"PolyData\""));
  CHECK(has(refused("<VTKFile type=\"UnstructuredGrid\" byte_order=\"x\">"), "byte_order \"x\""));
  CHECK(has(refused("<VTKFile type=\"UnstructuredGrid\" header_type=\"Int8\">"), "header_type"));
  CHECK(has(refused(head + "<Piece NumberOfPoints=\"x\" NumberOfCells=\"1\">"),
            "line 2 says NumberOfPoints = \"x\""));
  CHECK(has(refused(head + "<Piece NumberOfPoints=\"1\">"), "line 2 says NumberOfCells = \"\""));
  CHECK(has(refused(head + points), "line 2 has Points outside of a Piece"));
  CHECK(has(refused(head + piece + good), "line 2 starts a piece without points"));
  CHECK(has(refused(head + piece + points), "line 2 starts a piece without offsets"));
  CHECK(has(refused(head + piece + points + cells("0 1 2 4", "4", "10")),
            "line 8 gives tet 0 the point \"4\"; points are numbered 0 to 3"));
  CHECK(has(refused(head + piece + points + cells("0 1 2 2", "4", "10")), "gives tet 0 no volume"));
  CHECK(has(refused(head + piece + points + cells("0 1 2", "4", "10")), "ends too early"));
  CHECK(has(refused(head + piece + points + cells("0 1 2 3", "-4", "10")), "has the offset -4"));
  CHECK(has(refused(head + piece + points + cells("0 1 2 3", "3", "10")), "with 3 corners"));
  CHECK(has(refused(head + piece + points + cells("0 1 2 3", "4", "-1")), "the type -1"));
  CHECK(has(refused(head + "<Piece NumberOfPoints=\"9999\" NumberOfCells=\"1\">" + points + good),
            "promises 9999 points"));
  std::string text = head + piece + points + good;
  text.replace(text.find("1 0 0\n"), 5, "1 0 x");
  CHECK(has(refused(text), "line 4 has \"x\" where a coordinate must be, a number"));
  text.replace(text.find("1 0 x\n"), 5, "inf 0 0");
  CHECK(has(refused(text), "line 4 gives point 1 the coordinate nan"));
  text = head + piece + points + good;
  text.replace(text.find("Float32"), 7, "String");
  CHECK(has(refused(text), "line 3 names the unknown type \"String\""));
  text = head + piece + points + good;
  text.replace(text.find("Int32"), 5, "Float32");
  CHECK(has(refused(text), "line 8 describes cells by numbers that are not whole"));
}

TEST_CASE("what is wrong with the bytes of a vtu file is said with the line of their array") {
  std::string text = written(block(), {Kind::raw});
  const std::size_t data = text.find(" _") + 2;
  text[data + 3] = 1;  // the length of "speed", which nobody reads
  check_is_block(parse_vtu, text);
  text[data + 4 + 27 * 12 + 3] = 1;
  CHECK(has(refused(text), "starts an array of 16777540 bytes, of which only"));
  text = written(block(), {Kind::raw});
  CHECK(has(refused(text.substr(0, text.find("<Append"))), "but the file has none"));
  CHECK(has(refused(text.substr(0, data)), "says offset 328, but only 0 bytes are appended"));
  text[data - 1] = 'x';
  CHECK(has(refused(text), "no underscore"));

  TetMesh mesh = block();
  mesh.points[1][0] = std::nan("");
  CHECK(has(refused(written(mesh, {Kind::base64})),
            "byte 16 of the decoded points gives point 1 the coordinate nan"));
  text = written(mesh, {Kind::raw});
  CHECK(has(refused(text), fmt::format("byte {} gives point 1", text.find(" _") + 2 + 328 + 16)));
  text = written(block(), {Kind::base64});
  const std::size_t array = text.find("Name='Points'");
  text[text.find("\n  ", array) + 40] = '*';
  CHECK(has(refused(text), "starts an array of 324 bytes, of which only 23 are there"));
}

TEST_CASE("arrays that name the same bytes again and again are refused") {
  std::string text = written(block(), {Kind::raw, false, std::endian::little, true});
  const std::size_t begin = text.find("<Piece N"), end = text.find("</UnstructuredGrid>");
  const std::string again = text.substr(begin, end - begin);
  text.insert(end, again + again);
  CHECK(has(refused(text), "with the arrays before that is more than the file has"));
}

TEST_CASE("a broken vtu file never does harm") {
  for (const Kind kind : {Kind::ascii, Kind::base64, Kind::raw, Kind::appended_base64})
    check_survives(parse_vtu, written(block(), {kind}));
}
