#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact_rows.h"

namespace pliant {

/// The contacts of an island in which bodies solve for their motion, as a problem of their own:
///
///   x(p) = x_now + C (p - p_now),      C = W B W^T, a 3 x 3 block per pair of contacts
///
/// x the relative positions of the contacts, p their impulses, B how the bodies give way:
/// compliance matrices where they have them (body/body_compliance.h), unit loads tried out on
/// bodies of few nodes (rigid ones), mobility for the rest. It knows what an impulse moves; what
/// the impulses have to be is the iteration's affair. Blocks are kept per body, among the contacts
/// that touch it.
class CompliantIsland {
 public:
  /// Whether this is how the island must be solved, and can be.
  static bool applies(std::span<Body> bodies, const ContactRows& rows,
                      const ContactRows::Island& begin, const ContactRows::Island& end);

  /// Takes the island as its bodies are now. `impulse`, per row of all islands, is what x() answers
  /// from then on.
  void build(std::span<Body> bodies, const ContactRows& rows, const ContactRows::Island& begin,
             const ContactRows::Island& end, std::span<const Vec3> impulse);

  const Vec3& x(int row) const { return x_[std::size_t(row - first_)]; }  // [m]
  const Mat3& own(int row) const {  // [1/kg] what its own impulse moves a contact by
    return own_[std::size_t(row - first_)];
  }
  /// Changes an impulse: all contacts that feel it move.
  void push(int row, const Vec3& change);

  /// Gives the impulses to the bodies, which answer as they really do; x() is then where they are.
  void ask_bodies(std::span<const Vec3> impulse);
  /// x() is then where they will be when they are in balance with these impulses.
  void foresee();

 private:
  struct Part {
    int body = 0;
    int begin = 0, end = 0;     // slots
    bool direct = false;        // moves by mobility
    std::vector<int> rows;      // that touch it, from 0, rising
    std::vector<float> blocks;  // [row][row][9] by columns: how the second answers the first
  };
  void build_part(Part& part);
  void fill_from_compliance(const Part& part, BodyCompliance& compliance);
  void try_unit_loads(const Part& part);
  void place_rows();
  void find_own();

  std::span<Body> bodies_;
  const ContactRows* rows_ = nullptr;
  ContactRows::Island begin_, end_;
  int first_ = 0;
  std::vector<Part> parts_;
  int part_count_ = 0;
  std::vector<Vec3> x_;
  std::vector<Mat3> own_;
  struct Place {
    int part, at;  // where a row stands among those of a part
  };
  std::vector<Place> places_;
  std::vector<int> place_start_;

  // Of the part that is being built: answers among its nodes, by columns, in its frame.
  std::vector<int> nodes_;
  std::vector<float> answers_;
  std::vector<std::vector<float>> row_answers_;  // by chunk of rows
  Mat3 turn_ = Mat3::Identity();
  std::vector<Vec3> base_;   // [m] by slot of the island: where it was,
  std::vector<Vec3> shift_;  // and what is missing to where it is without any load
  std::vector<int> row_place_;
};

}  // namespace pliant
