#include "play/recorded_bulk.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "formats/vtu_write.h"

namespace pliant {
namespace {

void put_floats(std::vector<std::byte>& buffer, const std::vector<double>& values) {
  put(buffer, std::int32_t(values.size()));
  for (const double value : values) put(buffer, float(value));
}

void put_floats(std::vector<std::byte>& buffer, const std::vector<Vec3>& values) {
  put(buffer, std::int32_t(values.size()));
  for (const Vec3& v : values)
    for (int k = 0; k < 3; ++k) put(buffer, float(v[k]));
}

[[noreturn]] void refuse() {
  throw IoError("the recording is damaged: what is inside a body does not fit together");
}

/// Numbers of VTK's rows and columns of a symmetric tensor.
constexpr int rows[] = {0, 1, 2, 0, 1, 0}, columns[] = {0, 1, 2, 1, 2, 2};

/// Largest first [Pa].
Vec3 principal(const std::array<float, 6>& stress) {
  Mat3 whole;
  for (int k = 0; k < 6; ++k)
    whole(rows[k], columns[k]) = whole(columns[k], rows[k]) = double(stress[std::size_t(k)]);
  return Eigen::SelfAdjointEigenSolver<Mat3>(whole, Eigen::EigenvaluesOnly).eigenvalues().reverse();
}

float von_mises(const Vec3& s) {
  return float(std::sqrt(
      0.5 * (std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2))));
}

std::span<const float> flat(std::span<const Eigen::Vector3f> vectors) {
  return {vectors.empty() ? nullptr : vectors.front().data(), 3 * vectors.size()};
}

}  // namespace

void put_bulk_header(std::vector<std::byte>& buffer, const Body& body, bool wanted) {
  Bulk bulk;
  const bool there = wanted && body.method->bulk(body.nodes, bulk);
  const auto kind = !there                        ? RecordedBulk::Kind::none
                    : body.method->changes_body() ? RecordedBulk::Kind::changes
                                                  : RecordedBulk::Kind::stays;
  put(buffer, std::int32_t(kind));
  put_array(buffer, bulk.tets);
}

void put_bulk_frame(std::vector<std::byte>& buffer, const Body& body) {
  Bulk bulk;
  if (!body.method->bulk(body.nodes, bulk)) return;
  put_floats(buffer, bulk.position);
  put_floats(buffer, bulk.velocity);
  put_floats(buffer, bulk.J);
  put(buffer, std::int32_t(bulk.stress.size()));
  for (const Mat3& stress : bulk.stress)
    for (int k = 0; k < 6; ++k) put(buffer, float(stress(rows[k], columns[k])));
  put_floats(buffer, bulk.plastic_strain);
}

RecordedBulk RecordedBulk::of_header(Cursor& cursor) {
  RecordedBulk bulk;
  const auto kind = cursor.take<std::int32_t>();
  if (kind < 0 || kind > std::int32_t(Kind::changes)) refuse();
  bulk.kind = Kind(kind);
  cursor.take_array(bulk.tets);
  return bulk;
}

void RecordedBulk::take_frame(Cursor& cursor) {
  cursor.take_array(points);
  cursor.take_array(velocity);
  cursor.take_array(J);
  cursor.take_array(stress);
  cursor.take_array(plastic_strain);
  const std::size_t known = tets.empty() ? points.size() : tets.size();
  if (velocity.size() != points.size() || J.size() != known || stress.size() != known ||
      (!plastic_strain.empty() && plastic_strain.size() != known))
    refuse();
  for (const Tet& tet : tets)
    for (const int corner : tet)
      if (corner < 0 || corner >= int(points.size())) refuse();
}

std::uint64_t bulk_bytes(const Body& body) {
  Bulk bulk;
  if (!body.method->bulk(body.nodes, bulk)) return 0;
  return 24 * bulk.position.size() + 28 * bulk.J.size() + 4 * bulk.plastic_strain.size();
}

void write_bulk(const std::filesystem::path& path, const RecordedBulk& bulk,
                std::span<const Eigen::Vector3f> at_first) {
  std::vector<Eigen::Vector3f> displacement;
  if (bulk.kind == RecordedBulk::Kind::stays && at_first.size() == bulk.points.size())
    for (std::size_t p = 0; p < at_first.size(); ++p)
      displacement.push_back(bulk.points[p] - at_first[p]);
  std::vector<float> stresses, sizes, principals;
  for (const std::array<float, 6>& stress : bulk.stress) {
    stresses.insert(stresses.end(), stress.begin(), stress.end());
    const Vec3 values = principal(stress);
    sizes.push_back(von_mises(values));
    for (int k = 0; k < 3; ++k) principals.push_back(float(values[k]));
  }
  std::vector<VtuField> of_points, of_elements;
  if (!displacement.empty()) of_points.push_back({"displacement", 3, flat(displacement)});
  of_points.push_back({"velocity", 3, flat(bulk.velocity)});
  of_elements.push_back({"J", 1, bulk.J});
  of_elements.push_back({"von_mises", 1, sizes});
  of_elements.push_back({"stress", 6, stresses});
  of_elements.push_back({"principal_stress", 3, principals});
  if (!bulk.plastic_strain.empty())
    of_elements.push_back({"plastic_strain", 1, bulk.plastic_strain});
  if (!bulk.tets.empty()) {
    write_vtu_tets(path, bulk.points, bulk.tets, of_points, of_elements);
    return;
  }
  of_points.insert(of_points.end(), of_elements.begin(), of_elements.end());
  write_vtu_cloud(path, bulk.points, of_points);
}

}  // namespace pliant
