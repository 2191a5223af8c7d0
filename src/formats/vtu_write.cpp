#include "formats/vtu_write.h"

#include <cstdint>
#include <fmt/format.h>
#include <numeric>

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

/// Cells of one kind.
struct Cells {
  int type = 0;  // VTK's number
  int corners = 1;
  std::span<const int> points;  // of one cell after the other
  std::uint64_t count() const { return points.size() / std::size_t(corners); }
};

void declare_fields(std::string& xml, Appended& arrays, std::span<const VtuField> fields,
                    std::uint64_t count) {
  for (const VtuField& field : fields) {
    ASSERT(field.values.size() == count * std::size_t(field.components), "one row for each");
    xml += arrays.declare("Float32", field.name, field.components, 4 * field.values.size());
  }
}

void put_fields(std::string& bytes, std::span<const VtuField> fields) {
  for (const VtuField& field : fields) {
    put(bytes, std::uint64_t(4 * field.values.size()));
    for (const float value : field.values) put(bytes, value);
  }
}

void write(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
           const Cells& cells, std::span<const VtuField> of_points,
           std::span<const VtuField> of_cells) {
  const std::uint64_t count = points.size(), corners = cells.points.size();
  Appended arrays;
  std::string xml = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n"
      "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
      count, cells.count());
  xml += arrays.declare("Float32", "Points", 3, 12 * count);
  xml += "</Points>\n<Cells>\n";
  xml += arrays.declare("Int32", "connectivity", 1, 4 * corners);
  xml += arrays.declare("Int32", "offsets", 1, 4 * cells.count());
  xml += arrays.declare("UInt8", "types", 1, cells.count());
  xml += "</Cells>\n<PointData>\n";
  declare_fields(xml, arrays, of_points, count);
  xml += "</PointData>\n<CellData>\n";
  declare_fields(xml, arrays, of_cells, cells.count());
  xml += "</CellData>\n</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_";

  PartFile file(path);
  file.append(xml);
  std::string bytes;
  put(bytes, std::uint64_t(12 * count));
  for (const Eigen::Vector3f& p : points)
    for (int k = 0; k < 3; ++k) put(bytes, p[k]);
  put(bytes, std::uint64_t(4 * corners));
  for (const int corner : cells.points) put(bytes, std::int32_t(corner));
  put(bytes, std::uint64_t(4 * cells.count()));
  for (std::uint64_t c = 1; c <= cells.count(); ++c)
    put(bytes, std::int32_t(c * std::uint64_t(cells.corners)));
  put(bytes, std::uint64_t(cells.count()));
  bytes.append(std::size_t(cells.count()), char(cells.type));
  put_fields(bytes, of_points);
  put_fields(bytes, of_cells);
  file.append(bytes);
  file.append("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

template <std::size_t corners>
Cells cells_of(int type, std::span<const std::array<int, corners>> cells) {
  return {
      type, int(corners), {cells.empty() ? nullptr : cells.front().data(), corners * cells.size()}};
}

}  // namespace

void write_vtu(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
               std::span<const Triangle> triangles, std::span<const VtuField> fields) {
  write(path, points, cells_of(5, triangles), fields, {});
}

void write_vtu_tets(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
                    std::span<const Tet> tets, std::span<const VtuField> of_points,
                    std::span<const VtuField> of_tets) {
  write(path, points, cells_of(10, tets), of_points, of_tets);
}

void write_vtu_cloud(const std::filesystem::path& path, std::span<const Eigen::Vector3f> points,
                     std::span<const VtuField> fields) {
  std::vector<int> each(points.size());
  std::iota(each.begin(), each.end(), 0);
  write(path, points, {1, 1, each}, fields, {});
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
