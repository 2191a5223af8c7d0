#include "picture/normals.h"

#include <doctest/doctest.h>

#include "geometry/mesh/primitives.h"

namespace pliant {
namespace {

using Eigen::Vector3f;

std::vector<Vector3f> floats(const TriangleMesh& mesh) {
  std::vector<Vector3f> points;
  for (const Vec3& p : mesh.points) points.push_back(p.cast<float>());
  return points;
}

}  // namespace

TEST_CASE("a box keeps flat faces, a sphere gets the normals of a sphere") {
  const TriangleMesh box = box_mesh({1, 1, 1}, 0.25);
  for (const Vector3f& n : corner_normals(floats(box), box.triangles, 50))
    CHECK(n.cwiseAbs().maxCoeff() > 0.9999f);

  const TriangleMesh ball = sphere_mesh(1, 0.15);
  const std::vector<Vector3f> points = floats(ball);
  const std::vector<Vector3f> normals = corner_normals(points, ball.triangles, 50);
  for (std::size_t c = 0; c < normals.size(); ++c)
    CHECK(normals[c].dot(points[ball.triangles[c / 3][c % 3]]) > 0.99f);
}

TEST_CASE("seams and turned triangles do not show") {
  TriangleMesh ball = sphere_mesh(1, 0.2);
  const std::vector<Vector3f> whole = corner_normals(floats(ball), ball.triangles, 50);
  TriangleMesh soup;  // every triangle has its own points
  for (const Triangle& t : ball.triangles) {
    const int first = int(soup.points.size());
    for (const int p : t) soup.points.push_back(ball.points[p]);
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  std::swap(soup.triangles[7][1], soup.triangles[7][2]);
  const std::vector<Vector3f> loose = corner_normals(floats(soup), soup.triangles, 50);
  for (std::size_t c = 0; c < whole.size(); ++c)
    if (c / 3 != 7) CHECK((whole[c] - loose[c]).norm() < 1e-4f);
  CHECK((whole[21] + loose[21]).norm() < 1e-4f);
}

TEST_CASE("broken triangles leave finite normals at their neighbours") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 1, 1}, {0, 2, 3}};
  const std::vector<Vector3f> normals = corner_normals(points, triangles, 50);
  for (int c = 0; c < 3; ++c) CHECK((normals[c] - Vector3f::UnitZ()).norm() < 1e-6f);
}

}  // namespace pliant
