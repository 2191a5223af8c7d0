#include "contact/compliant_island.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

/// Bodies of so few nodes are asked what unit loads do.
constexpr int few_nodes = 8;
/// Contacts; blocks grow with the square. Larger islands are solved by asking the bodies.
constexpr int most_rows = 1500;

constexpr std::size_t row_grain = 8;

bool moves_directly(const Body& body) { return body.method->moves_by_mobility(); }

Mat3 block_at(const float* block) {
  return Eigen::Map<const Eigen::Matrix3f>(block).cast<double>();
}

}  // namespace

bool CompliantIsland::applies(std::span<Body> bodies, const ContactRows& rows,
                              const ContactRows::Island& begin, const ContactRows::Island& end) {
  if (end.row - begin.row > most_rows) return false;
  bool any = false;
  for (int k = begin.part; k < end.part; ++k) {
    Body& body = bodies[rows.parts[k].body];
    if (moves_directly(body)) continue;
    const bool compliant = body.method->compliance() != nullptr;
    if (!compliant && body.nodes.size() > few_nodes) return false;
    any = any || compliant;
  }
  return any;
}

void CompliantIsland::build(std::span<Body> bodies, const ContactRows& rows,
                            const ContactRows::Island& begin, const ContactRows::Island& end,
                            std::span<const Vec3> impulse) {
  bodies_ = bodies;
  rows_ = &rows;
  begin_ = begin;
  end_ = end;
  first_ = begin.row;
  const auto count = std::size_t(end.row - begin.row);
  x_.assign(count, Vec3::Zero());
  own_.assign(count, Mat3::Zero());
  shift_.assign(std::size_t(end.slot - begin.slot), Vec3::Zero());
  base_.clear();
  for (int s = begin.slot; s < end.slot; ++s)
    base_.push_back(bodies[rows.body[s]].nodes.position[rows.node[s]]);
  part_count_ = end.part - begin.part;
  if (int(parts_.size()) < part_count_) parts_.resize(std::size_t(part_count_));
  for (int k = 0; k < part_count_; ++k) {
    const ContactRows::Part& from = rows.parts[begin.part + k];
    parts_[k].body = from.body;
    parts_[k].begin = from.begin;
    parts_[k].end = from.end;
    parts_[k].direct = moves_directly(bodies[from.body]);
    build_part(parts_[k]);
  }
  place_start_.assign(count + 1, 0);
  for (int k = 0; k < part_count_; ++k)
    if (!parts_[k].direct)
      for (const int row : parts_[k].rows) ++place_start_[std::size_t(row) + 1];
  for (std::size_t r = 0; r < count; ++r) place_start_[r + 1] += place_start_[r];
  places_.resize(std::size_t(place_start_.back()));
  std::vector<int>& next = row_place_;
  next.assign(place_start_.begin(), place_start_.end() - 1);
  for (int k = 0; k < part_count_; ++k)
    if (!parts_[k].direct)
      for (int i = 0; i < int(parts_[k].rows.size()); ++i)
        places_[std::size_t(next[parts_[k].rows[i]]++)] = {k, i};
  place_rows();
  foresee();
  find_own();
  for (int r = 0; r < int(count); ++r) {
    Vec3 moved = Vec3::Zero();
    for (int k = rows.start[first_ + r]; k < rows.start[first_ + r + 1]; ++k)
      moved += rows.a[k] * shift_[std::size_t(rows.slot[k] - begin.slot)];
    x_[r] += moved;
  }
  for (int r = begin.row; r < end.row; ++r)
    if (!impulse[r].isZero(0)) push(r, impulse[r]);
}

/// x from where the nodes are.
void CompliantIsland::place_rows() {
  const ContactRows& rows = *rows_;
  for (int r = begin_.row; r < end_.row; ++r) {
    Vec3 sum = Vec3::Zero();
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const int s = rows.slot[k];
      sum += rows.a[k] * bodies_[rows.body[s]].nodes.position[rows.node[s]];
    }
    x_[std::size_t(r - first_)] = sum;
  }
}

void CompliantIsland::fill_from_compliance(const Part& part, BodyCompliance& compliance) {
  const int touched = part.end - part.begin;
  turn_ = compliance.turn;
  // Also what was pressed in the last substep, and is what the positions answer.
  for (int n = 0; n < int(compliance.answered.size()); ++n) {
    if (compliance.answered[n].isZero(0)) continue;
    if (std::binary_search(nodes_.begin(), nodes_.begin() + touched, n)) continue;
    nodes_.push_back(n);
  }
  compliance.fill(nodes_, answers_);
  const auto count = nodes_.size();
  for (std::size_t j = 0; j < count; ++j) {
    const Vec3& load = compliance.answered[nodes_[j]];
    if (load.isZero(0)) continue;
    const Eigen::Vector3f local = (turn_.transpose() * load).cast<float>();
    for (int i = 0; i < touched; ++i) {
      const Eigen::Map<const Eigen::Matrix3f> block(answers_.data() +
                                                    9 * (count * j + std::size_t(i)));
      const Eigen::Vector3f moved = block * local;
      shift_[std::size_t(part.begin - begin_.slot + i)] -= turn_ * moved.cast<double>();
    }
  }
}

void CompliantIsland::try_unit_loads(const Part& part) {
  Nodes& nodes = bodies_[part.body].nodes;
  const auto count = nodes_.size();
  turn_.setIdentity();
  answers_.assign(9 * count * count, 0);
  for (std::size_t j = 0; j < count; ++j)
    for (int axis = 0; axis < 3; ++axis) {
      nodes.load[nodes_[j]] = Vec3::Unit(axis);
      bodies_[part.body].method->respond(nodes);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec3 moved = nodes.position[nodes_[i]] - nodes.free[nodes_[i]];
        for (int r = 0; r < 3; ++r)
          answers_[9 * (count * j + i) + std::size_t(3 * axis + r)] = float(moved[r]);
      }
      nodes.load[nodes_[j]].setZero();
    }
  nodes.position = nodes.free;
}

void CompliantIsland::build_part(Part& part) {
  const ContactRows& rows = *rows_;
  if (part.direct) return;
  part.rows.clear();
  nodes_.clear();
  for (int s = part.begin; s < part.end; ++s) {
    nodes_.push_back(rows.node[s]);
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
      part.rows.push_back(rows.row[k] - first_);
  }
  std::sort(part.rows.begin(), part.rows.end());
  part.rows.erase(std::unique(part.rows.begin(), part.rows.end()), part.rows.end());
  BodyCompliance* compliance = bodies_[part.body].method->compliance();
  if (compliance) fill_from_compliance(part, *compliance);
  else try_unit_loads(part);

  const auto nodes = nodes_.size(), touching = part.rows.size();
  const auto entries = [&](int row, const auto& work) {
    for (int k = rows.start[first_ + row]; k < rows.start[first_ + row + 1]; ++k)
      if (rows.slot[k] >= part.begin && rows.slot[k] < part.end)
        work(std::size_t(rows.slot[k] - part.begin), float(rows.a[k]));
  };
  part.blocks.resize(9 * touching * touching);
  const Eigen::Matrix3f R = turn_.cast<float>();
  const auto fill_row = [&](std::size_t i, std::vector<float>& answer) {
    answer.assign(9 * nodes, 0);  // of all nodes to the impulse of row i
    entries(part.rows[i], [&](std::size_t node, float a) {
      const float* column = answers_.data() + 9 * nodes * node;
      float* to = answer.data();
      for (std::size_t k = 0; k < 9 * nodes; ++k) to[k] += a * column[k];
    });
    for (std::size_t j = i; j < touching; ++j) {
      Eigen::Matrix3f sum = Eigen::Matrix3f::Zero();
      entries(part.rows[j], [&](std::size_t node, float a) {
        sum += a * Eigen::Map<const Eigen::Matrix3f>(answer.data() + 9 * node);
      });
      const Eigen::Matrix3f turned = R * sum * R.transpose();
      Eigen::Map<Eigen::Matrix3f>(part.blocks.data() + 9 * (touching * i + j)) = turned;
      Eigen::Map<Eigen::Matrix3f>(part.blocks.data() + 9 * (touching * j + i)) = turned.transpose();
    }
  };
  const auto chunks = (touching + row_grain - 1) / row_grain;
  if (row_answers_.size() < chunks) row_answers_.resize(chunks);
  parallel_for(int(touching), int(row_grain), [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      fill_row(std::size_t(i), row_answers_[std::size_t(begin) / row_grain]);
  });
}

void CompliantIsland::find_own() {
  const ContactRows& rows = *rows_;
  for (Mat3& own : own_) own.setZero();
  for (int k = 0; k < part_count_; ++k) {
    const Part& part = parts_[k];
    if (part.direct) {
      for (int s = part.begin; s < part.end; ++s) {
        const double mobility = bodies_[part.body].nodes.mobility[rows.node[s]];
        for (int e = rows.slot_start[s]; e < rows.slot_start[s + 1]; ++e)
          own_[std::size_t(rows.row[e] - first_)].diagonal().array() +=
              mobility * rows.row_a[e] * rows.row_a[e];
      }
      continue;
    }
    const auto touching = part.rows.size();
    for (std::size_t i = 0; i < touching; ++i)
      own_[std::size_t(part.rows[i])] += block_at(part.blocks.data() + 9 * (touching * i + i));
  }
}

void CompliantIsland::push(int row, const Vec3& change) {
  const ContactRows& rows = *rows_;
  const int r = row - first_;
  for (int k = place_start_[r]; k < place_start_[r + 1]; ++k) {
    const Part& part = parts_[places_[k].part];
    const float dx = float(change.x()), dy = float(change.y()), dz = float(change.z());
    const auto count = part.rows.size();
    const float* block = part.blocks.data() + 9 * count * std::size_t(places_[k].at);
    for (std::size_t j = 0; j < count; ++j, block += 9) {
      Vec3& x = x_[std::size_t(part.rows[j])];
      x[0] += double(block[0] * dx + block[3] * dy + block[6] * dz);
      x[1] += double(block[1] * dx + block[4] * dy + block[7] * dz);
      x[2] += double(block[2] * dx + block[5] * dy + block[8] * dz);
    }
  }
  for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    const int s = rows.slot[k];
    const Body& body = bodies_[rows.body[s]];
    if (!moves_directly(body)) continue;
    const Vec3 moved = body.nodes.mobility[rows.node[s]] * rows.a[k] * change;
    for (int e = rows.slot_start[s]; e < rows.slot_start[s + 1]; ++e)
      x_[std::size_t(rows.row[e] - first_)] += rows.row_a[e] * moved;
  }
}

void CompliantIsland::foresee() {
  const ContactRows& rows = *rows_;
  for (int k = 0; k < part_count_; ++k) {
    const Part& part = parts_[k];
    BodyCompliance* compliance = bodies_[part.body].method->compliance();
    if (!compliance) continue;
    const std::vector<Vec3>& moves = compliance->pending();
    for (int s = part.begin; s < part.end; ++s) {
      const Vec3& pending = moves[rows.node[s]];
      for (int e = rows.slot_start[s]; e < rows.slot_start[s + 1]; ++e)
        x_[std::size_t(rows.row[e] - first_)] += rows.row_a[e] * pending;
    }
  }
}

void CompliantIsland::ask_bodies(std::span<const Vec3> impulse) {
  const ContactRows& rows = *rows_;
  parallel_for(part_count_, 1, [&](int k, int) {
    const Part& part = parts_[k];
    Body& body = bodies_[part.body];
    for (int s = part.begin; s < part.end; ++s) {
      Vec3 sum = Vec3::Zero();
      for (int e = rows.slot_start[s]; e < rows.slot_start[s + 1]; ++e)
        sum += rows.row_a[e] * impulse[rows.row[e]];
      const int n = rows.node[s];
      body.nodes.load[n] = sum;
      if (part.direct)
        body.nodes.position[n] = base_[std::size_t(s - begin_.slot)] + body.nodes.mobility[n] * sum;
    }
    if (part.direct) return;
    if (body.method->compliance()) body.method->correct(body.nodes);
    else body.method->respond(body.nodes);
  });
  place_rows();
}

}  // namespace pliant
