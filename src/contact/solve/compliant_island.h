#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/solve/contact_rows.h"

namespace pliant {

/// The contacts of an island in which bodies solve for their motion, as a problem of their own:
///
///   x(p) = x_now + C (p - p_now),      C = W B W^T
///
/// x the relative positions of the contacts, p their impulses, W how contacts hang on nodes, B how
/// the bodies give way: compliance matrices where they have them (body/body_compliance.h), unit
/// loads tried out on bodies of few nodes (rigid ones), mobility for the rest. It knows what an
/// impulse moves; what the impulses have to be is the iteration's affair.
///
/// Impulses move nodes, and contacts are where their nodes are: nodes are as fine as a body can
/// answer, contacts as fine as its skin is drawn. How nodes answer a contact is found when it first
/// presses: most contacts that lists hold never do.
class CompliantIsland {
 public:
  /// Whether this is how the island must be solved, and can be.
  static bool applies(std::span<Body> bodies, const ContactRows& rows,
                      const ContactRows::Island& begin, const ContactRows::Island& end);

  /// Takes the island: x() is where its bodies are, pushed by these impulses (per row of all
  /// islands).
  void build(std::span<Body> bodies, const ContactRows& rows, const ContactRows::Island& begin,
             const ContactRows::Island& end, std::span<const Vec3> impulse);

  /// Whether all bodies answer exactly as this says: then there is nothing left over to find.
  bool is_exact() const;

  Vec3 x(int row) const {  // [m]
    Vec3 sum = Vec3::Zero();
    for (int k = rows_->start[row]; k < rows_->start[row + 1]; ++k)
      sum += rows_->a[k] * node_[std::size_t(rows_->slot[k] - begin_.slot)];
    return sum;
  }
  const Mat3& diagonal(int row);  // [1/kg] block of C: what its own impulse moves a contact by
  /// Changes an impulse: all nodes that feel it move.
  void push(int row, const Vec3& change);

  /// Gives the impulses to the bodies, which answer as they really do; x() is then where they are.
  void ask_bodies(std::span<const Vec3> impulse);
  /// x() is then where they will be when they are in balance with these impulses.
  void foresee();

 private:
  struct BodyResponse {  // how one body of the island answers
    int body = 0;
    int begin = 0, end = 0;   // slots
    bool direct = false;      // moves by mobility
    bool isotropic = false;   // one number a block, not nine
    std::vector<int> rows;    // that touch it, from 0, rising
    std::vector<int> column;  // per row: where its column is in `blocks`; -1 = not made
    std::vector<float>
        blocks;  // [column][slot][numbers()] by columns: how nodes answer a row's impulse
    std::vector<float>
        answers;            // [node][node][numbers()] in its frame, of its slots and, behind them,
    std::size_t width = 0;  // of others that the positions answer; so many in all
    Mat3 turn = Mat3::Identity();

    std::size_t numbers() const { return isotropic ? 1 : 9; }  // of a block
  };
  void build_part(BodyResponse& part);
  void ask_compliance(BodyResponse& part, BodyCompliance& compliance);
  void try_unit_loads(BodyResponse& part);
  void place_nodes();
  void find_direct_own();
  /// [slot][9] of the part: how its nodes answer an impulse of row `at`.
  const float* column_of(BodyResponse& part, int at);
  void fill_column(const BodyResponse& part, int at, float* blocks);

  std::span<Body> bodies_;
  const ContactRows* rows_ = nullptr;
  ContactRows::Island begin_, end_;
  int first_ = 0;
  std::vector<BodyResponse> parts_;
  int part_count_ = 0;
  std::vector<Vec3> node_;  // [m] by slot of the island: where it is
  std::vector<Mat3> diagonal_;
  std::vector<char> has_diagonal_;
  struct Place {
    int part, at;  // where a row stands among those of a part
  };
  std::vector<Place> places_;
  std::vector<int> place_start_;

  std::vector<int> nodes_;  // of the part that is being built
  std::vector<Vec3> base_;  // [m] by slot of the island: where it was
  std::vector<int> row_place_;
};

}  // namespace pliant
