#include "studies/tet_equilibrium.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace pliant {
namespace {

/// The nearest matrix without negative eigenvalues: then every Newton step goes downhill.
Mat9 projected(const Mat9& H) {
  if (Eigen::LLT<Mat9>(H).info() == Eigen::Success) return H;  // nearly always
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(H);
  if (eigen.eigenvalues()[0] >= 0) return H;
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace

TetEnergy::TetEnergy(const TetMesh& rest, const NeoHookean& law, const std::vector<char>& held)
    : tets_(rest.tets), law_(law), mass_share_(rest.points.size(), 0), now_(rest.points) {
  int free = 0;
  for (const char is_held : held) unknown_.push_back(is_held ? -1 : free++);
  for (std::size_t t = 0; t < tets_.size(); ++t) {
    const Tet& tet = tets_[t];
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = rest.points[tet[k + 1]] - rest.points[tet[0]];
    const Mat3 B = edges.inverse();
    volume_.push_back(edges.determinant() / 6);
    for (const int node : tet) mass_share_[node] += volume_.back() / 4;
    // F = sum of corner k times row b_k: column j of F takes b_k[j] of corner k.
    Eigen::Matrix<double, 9, 12>& to_F = to_F_.emplace_back(Eigen::Matrix<double, 9, 12>::Zero());
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k) {
        to_F.block<3, 3>(3 * j, 3 * (k + 1)) = B(k, j) * Mat3::Identity();
        to_F.block<3, 3>(3 * j, 0) -= B(k, j) * Mat3::Identity();
      }
    }
  }
}

void TetEnergy::set_weight(double density, const Vec3& gravity) {
  density_ = density;
  gravity_ = gravity;
}

void TetEnergy::set_inertia(double density, double h, const std::vector<Vec3>& predicted) {
  inertia_ = density / (h * h);
  predicted_ = predicted;
}

VecX TetEnergy::unknowns(const std::vector<Vec3>& positions) {
  now_ = positions;
  VecX x(3 * std::count_if(unknown_.begin(), unknown_.end(), [](int u) { return u >= 0; }));
  for (std::size_t n = 0; n < unknown_.size(); ++n)
    if (unknown_[n] >= 0) x.segment<3>(3 * unknown_[n]) = positions[n];
  return x;
}

void TetEnergy::positions(const VecX& x, std::vector<Vec3>& positions) const {
  for (std::size_t n = 0; n < unknown_.size(); ++n)
    if (unknown_[n] >= 0) positions[n] = x.segment<3>(3 * unknown_[n]);
}

Mat3 TetEnergy::deformation(const std::vector<Vec3>& p, int tet) const {
  Eigen::Matrix<double, 12, 1> corners;
  for (int k = 0; k < 4; ++k) corners.segment<3>(3 * k) = p[tets_[tet][k]];
  const Eigen::Matrix<double, 9, 1> F = to_F_[tet] * corners;
  return Eigen::Map<const Mat3>(F.data());
}

double TetEnergy::elastic_energy(const std::vector<Vec3>& p) const {
  double sum = 0;
  for (int t = 0; t < int(tets_.size()); ++t) sum += volume_[t] * law_.energy(deformation(p, t));
  return sum;
}

double TetEnergy::value(const VecX& x) const {
  positions(x, now_);
  double sum = elastic_energy(now_);
  for (std::size_t n = 0; n < now_.size(); ++n) {
    if (unknown_[n] < 0) continue;
    sum -= density_ * mass_share_[n] * gravity_.dot(now_[n]);
    if (inertia_ > 0)
      sum += 0.5 * inertia_ * mass_share_[n] * (now_[n] - predicted_[n]).squaredNorm();
  }
  return sum;
}

void TetEnergy::gradient(const VecX& x, VecX& g) const {
  positions(x, now_);
  g.setZero();
  for (int t = 0; t < int(tets_.size()); ++t) {
    const Mat3 P = law_.stress(deformation(now_, t));
    const Eigen::Matrix<double, 12, 1> force = volume_[t] * to_F_[t].transpose() * P.reshaped();
    for (int k = 0; k < 4; ++k)
      if (const int u = unknown_[tets_[t][k]]; u >= 0)
        g.segment<3>(3 * u) += force.segment<3>(3 * k);
  }
  for (std::size_t n = 0; n < now_.size(); ++n) {
    if (unknown_[n] < 0) continue;
    g.segment<3>(3 * unknown_[n]) -= density_ * mass_share_[n] * gravity_;
    if (inertia_ > 0)
      g.segment<3>(3 * unknown_[n]) += inertia_ * mass_share_[n] * (now_[n] - predicted_[n]);
  }
}

/// The pattern with every entry zero, and for each tet and pair of its unknowns the place of their
/// entry: later Hessians are filled in place.
void TetEnergy::lay_out(Eigen::Index size, SparseMatrix& H) const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(78 * tets_.size() + std::size_t(size));
  for (Eigen::Index i = 0; i < size; ++i) entries.emplace_back(i, i, 0.0);
  for_each_pair(
      [&](int, int, int, int row, int column) { entries.emplace_back(row, column, 0.0); });
  H.resize(size, size);
  H.setFromTriplets(entries.begin(), entries.end());
  place_.assign(144 * tets_.size(), -1);
  for_each_pair([&](int t, int a, int b, int row, int column) {
    place_[std::size_t(144 * t + 12 * a + b)] = int(&H.coeffRef(row, column) - H.valuePtr());
  });
  pattern_ = H;
}

template <class Work>
void TetEnergy::for_each_pair(const Work& work) const {
  for (int t = 0; t < int(tets_.size()); ++t)
    for (int a = 0; a < 12; ++a)
      for (int b = 0; b < 12; ++b) {
        const int row = unknown_[tets_[t][a / 3]], column = unknown_[tets_[t][b / 3]];
        if (row < 0 || column < 0 || 3 * row + a % 3 < 3 * column + b % 3) continue;
        work(t, a, b, 3 * row + a % 3, 3 * column + b % 3);
      }
}

void TetEnergy::hessian(const VecX& x, SparseMatrix& H) const {
  positions(x, now_);
  if (place_.empty()) lay_out(x.size(), H);
  H = pattern_;
  double* values = H.valuePtr();
  for (int t = 0; t < int(tets_.size()); ++t) {
    const Eigen::Matrix<double, 9, 12> half =
        projected(law_.stiffness(deformation(now_, t))) * to_F_[t];
    const Eigen::Matrix<double, 12, 12> K = volume_[t] * to_F_[t].transpose() * half;
    const int* place = &place_[std::size_t(144 * t)];
    for (int i = 0; i < 144; ++i)
      if (place[i] >= 0) values[place[i]] += K(i / 12, i % 12);
  }
  for (std::size_t n = 0; n < now_.size(); ++n)
    for (int k = 0; unknown_[n] >= 0 && k < 3; ++k)
      H.coeffRef(3 * unknown_[n] + k, 3 * unknown_[n] + k) += inertia_ * mass_share_[n];
}

NewtonReport find_equilibrium(TetEnergy& energy, std::vector<Vec3>& positions,
                              const NewtonSettings& settings) {
  VecX x = energy.unknowns(positions);
  const NewtonReport report = minimise(energy, x, settings);
  energy.positions(x, positions);
  return report;
}

}  // namespace pliant
