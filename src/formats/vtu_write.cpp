#include "formats/vtu_write.h"

#include <cstdint>
#include <fmt/format.h>

#include "core/assert.h"
#include "formats/bytes.h"
#include "formats/part_file.h"

namespace pliant {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '"') result += "&quot;";
    else result += c;
  }
  return result;
}

/// The arrays behind the XML, each after its length, and where they start.
class Appended {
 public:
  std::string declare(const char* type, const std::string& name, int components,
                      std::uint64_t bytes) {
    const std::string text = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type, escaped(name), components, offset_);
    offset_ += 8 + bytes;
    return text;
  }

 private:
  std::uint64_t offset_ = 0;
};

}  // namespace

void write_vtu(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const PointField> fields) {
  const std::uint64_t count = points.size(), cells = triangles.size();
  Appended arrays;
  std::string xml = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
      count, cells);
  xml += arrays.declare("Float32", "Points", 3, 12 * count);
  xml += "</Points>\n<Cells>\n";
  xml += arrays.declare("Int32", "connectivity", 1, 12 * cells);
  xml += arrays.declare("Int32", "offsets", 1, 4 * cells);
  xml += arrays.declare("UInt8", "types", 1, cells);
  xml += "</Cells>\n<PointData>\n";
  for (const PointField& field : fields) {
    ASSERT(field.values.size() == count * std::size_t(field.components), "one row per point");
    xml += arrays.declare("Float32", field.name, field.components, 4 * field.values.size());
  }
  xml += "</PointData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";

  PartFile file(path);
  file.append(xml);
  std::string bytes;
  put(bytes, std::uint64_t(12 * count));
  for (const Eigen::Vector3f& p : points)
    for (int k = 0; k < 3; ++k) put(bytes, p[k]);
  put(bytes, std::uint64_t(12 * cells));
  for (const Triangle& t : triangles)
    for (const int corner : t) put(bytes, std::int32_t(corner));
  put(bytes, std::uint64_t(4 * cells));
  for (std::uint64_t t = 1; t <= cells; ++t) put(bytes, std::int32_t(3 * t));
  put(bytes, std::uint64_t(cells));
  bytes.append(std::size_t(cells), char(5));  // VTK_TRIANGLE
  for (const PointField& field : fields) {
    put(bytes, std::uint64_t(4 * field.values.size()));
    for (const float value : field.values) put(bytes, value);
  }
  file.append(bytes);
  file.append("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

void write_pvd(const std::filesystem::path& path, std::span<const PvdEntry> entries) {
  PartFile file(path);
  file.append(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
  for (const PvdEntry& entry : entries)
    file.append(fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", entry.time,
                            entry.part, escaped(entry.file)));
  file.append("</Collection>\n</VTKFile>\n");
  file.commit();
}

}  // namespace pliant
