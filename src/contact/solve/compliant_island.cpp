#include "contact/solve/compliant_island.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

/// Bodies of so few nodes are asked what unit loads do.
constexpr int few_nodes = 8;
/// Contacts; columns grow with their number. Larger islands are solved by asking the bodies.
constexpr int most_rows = 4000;

bool moves_directly(const Body& body) { return body.method->moves_by_mobility(); }

Mat3 block_at(const float* block, bool isotropic) {
  if (isotropic) return double(*block) * Mat3::Identity();
  return Eigen::Map<const Eigen::Matrix3f>(block).cast<double>();
}

}  // namespace

bool CompliantIsland::applies(std::span<Body> bodies, const ContactRows& rows,
                              const ContactRows::Island& begin, const ContactRows::Island& end) {
  if (end.row - begin.row > most_rows) return false;
  bool any = false;
  for (int k = begin.part; k < end.part; ++k) {
    Body& body = bodies[rows.parts[k].body];
    const bool compliant = body.method->compliance() != nullptr;
    if (!moves_directly(body) && !compliant && body.nodes.size() > few_nodes) return false;
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
  place_nodes();
  base_ = node_;
  part_count_ = end.part - begin.part;
  if (int(parts_.size()) < part_count_) parts_.resize(std::size_t(part_count_));
  for (int k = 0; k < part_count_; ++k) {
    const ContactRows::Part& from = rows.parts[begin.part + k];
    parts_[k].body = from.body;
    parts_[k].begin = from.begin;
    parts_[k].end = from.end;
    parts_[k].direct = moves_directly(bodies[from.body]);
    parts_[k].isotropic = false;
    build_part(parts_[k]);
  }
  const auto count = std::size_t(end.row - begin.row);
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
  foresee();
  find_direct_own();
  for (int r = begin.row; r < end.row; ++r)
    if (!impulse[r].isZero(0)) push(r, impulse[r]);
}

bool CompliantIsland::is_exact() const {
  return std::all_of(parts_.begin(), parts_.begin() + part_count_, [&](const BodyResponse& part) {
    return part.direct || part.isotropic || !bodies_[part.body].method->compliance();
  });
}

/// Where the bodies have them.
void CompliantIsland::place_nodes() {
  node_.clear();
  for (int s = begin_.slot; s < end_.slot; ++s)
    node_.push_back(bodies_[rows_->body[s]].nodes.position[rows_->node[s]]);
}

/// Answers among the nodes of a part, and what the load that the positions answer moves them by.
void CompliantIsland::ask_compliance(BodyResponse& part, BodyCompliance& compliance) {
  const int touched = part.end - part.begin;
  nodes_.assign(rows_->node.begin() + part.begin, rows_->node.begin() + part.end);
  // Also what was pressed in the last substep, and is what the positions answer.
  for (int n = 0; n < int(compliance.answered.size()); ++n) {
    if (compliance.answered[n].isZero(0)) continue;
    if (std::binary_search(nodes_.begin(), nodes_.begin() + touched, n)) continue;
    nodes_.push_back(n);
  }
  part.isotropic = compliance.is_isotropic();
  compliance.fill(nodes_, part.answers);
  part.turn = compliance.turn;
  part.width = nodes_.size();
  const Eigen::Matrix3f R = part.turn.cast<float>();
  for (std::size_t j = 0; j < part.width; ++j) {
    const Vec3& load = compliance.answered[nodes_[j]];
    if (load.isZero(0)) continue;
    const Eigen::Vector3f local = R.transpose() * load.cast<float>();
    for (int i = 0; i < touched; ++i) {
      if (part.isotropic) {
        node_[std::size_t(part.begin - begin_.slot + i)] -=
            double(part.answers[part.width * j + std::size_t(i)]) * load;
        continue;
      }
      const Eigen::Map<const Eigen::Matrix3f> block(part.answers.data() +
                                                    9 * (part.width * j + std::size_t(i)));
      node_[std::size_t(part.begin - begin_.slot + i)] -= (R * (block * local)).cast<double>();
    }
  }
}

void CompliantIsland::try_unit_loads(BodyResponse& part) {
  Nodes& nodes = bodies_[part.body].nodes;
  const auto count = std::size_t(part.end - part.begin);
  part.isotropic = false;
  part.turn.setIdentity();
  part.width = count;
  part.answers.assign(9 * count * count, 0);
  for (std::size_t j = 0; j < count; ++j)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3& load = nodes.load[rows_->node[std::size_t(part.begin) + j]];
      load = Vec3::Unit(axis);
      bodies_[part.body].method->respond(nodes);
      for (std::size_t i = 0; i < count; ++i) {
        const int node = rows_->node[std::size_t(part.begin) + i];
        const Vec3 moved = nodes.position[node] - nodes.free[node];
        for (int r = 0; r < 3; ++r)
          part.answers[9 * (count * j + i) + std::size_t(3 * axis + r)] = float(moved[r]);
      }
      load.setZero();
    }
  nodes.position = nodes.free;
}

void CompliantIsland::build_part(BodyResponse& part) {
  const ContactRows& rows = *rows_;
  if (part.direct) return;
  part.rows.clear();
  for (int s = part.begin; s < part.end; ++s)
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
      part.rows.push_back(rows.row[k] - first_);
  std::sort(part.rows.begin(), part.rows.end());
  part.rows.erase(std::unique(part.rows.begin(), part.rows.end()), part.rows.end());
  part.column.assign(part.rows.size(), -1);
  part.blocks.clear();
  BodyCompliance* compliance = bodies_[part.body].method->compliance();
  if (compliance) ask_compliance(part, *compliance);
  else try_unit_loads(part);
}

const float* CompliantIsland::column_of(BodyResponse& part, int at) {
  const auto width = part.numbers() * std::size_t(part.end - part.begin);
  int& column = part.column[std::size_t(at)];
  if (column < 0) {
    column = int(part.blocks.size() / width);
    part.blocks.resize(part.blocks.size() + width, 0);
    fill_column(part, at, part.blocks.data() + width * std::size_t(column));
  }
  return part.blocks.data() + width * std::size_t(column);
}

/// `blocks` is zero.
void CompliantIsland::fill_column(const BodyResponse& part, int at, float* blocks) {
  const ContactRows& rows = *rows_;
  const auto nodes = std::size_t(part.end - part.begin);
  const int row = first_ + part.rows[std::size_t(at)];
  for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    if (rows.slot[k] < part.begin || rows.slot[k] >= part.end) continue;
    const float a = float(rows.a[k]);
    const float* from =
        part.answers.data() + part.numbers() * part.width * std::size_t(rows.slot[k] - part.begin);
    for (std::size_t i = 0; i < part.numbers() * nodes; ++i) blocks[i] += a * from[i];
  }
  if (part.isotropic) return;
  const Eigen::Matrix3f R = part.turn.cast<float>();
  for (std::size_t i = 0; i < nodes; ++i) {
    Eigen::Map<Eigen::Matrix3f> block(blocks + 9 * i);
    block = (R * block * R.transpose()).eval();
  }
}

void CompliantIsland::find_direct_own() {
  const ContactRows& rows = *rows_;
  diagonal_.assign(std::size_t(end_.row - begin_.row), Mat3::Zero());
  has_diagonal_.assign(diagonal_.size(), 0);
  for (int k = 0; k < part_count_; ++k) {
    const BodyResponse& part = parts_[k];
    if (!part.direct) continue;
    for (int s = part.begin; s < part.end; ++s) {
      const double mobility = bodies_[part.body].nodes.mobility[rows.node[s]];
      for (int e = rows.slot_start[s]; e < rows.slot_start[s + 1]; ++e)
        diagonal_[std::size_t(rows.row[e] - first_)].diagonal().array() +=
            mobility * rows.row_a[e] * rows.row_a[e];
    }
  }
}

const Mat3& CompliantIsland::diagonal(int row) {
  const ContactRows& rows = *rows_;
  const auto r = std::size_t(row - first_);
  if (has_diagonal_[r]) return diagonal_[r];
  has_diagonal_[r] = 1;
  for (int i = place_start_[r]; i < place_start_[r + 1]; ++i) {
    BodyResponse& part = parts_[places_[i].part];
    const float* column = column_of(part, places_[i].at);
    for (int k = rows.start[row]; k < rows.start[row + 1]; ++k)
      if (rows.slot[k] >= part.begin && rows.slot[k] < part.end)
        diagonal_[r] +=
            rows.a[k] * block_at(column + part.numbers() * std::size_t(rows.slot[k] - part.begin),
                                 part.isotropic);
  }
  return diagonal_[r];
}

void CompliantIsland::push(int row, const Vec3& change) {
  const ContactRows& rows = *rows_;
  const int r = row - first_;
  const float dx = float(change.x()), dy = float(change.y()), dz = float(change.z());
  for (int k = place_start_[r]; k < place_start_[r + 1]; ++k) {
    BodyResponse& part = parts_[places_[k].part];
    const float* block = column_of(part, places_[k].at);
    if (part.isotropic) {
      for (int s = part.begin - begin_.slot; s < part.end - begin_.slot; ++s)
        node_[std::size_t(s)] += double(*block++) * change;
      continue;
    }
    for (int s = part.begin - begin_.slot; s < part.end - begin_.slot; ++s, block += 9) {
      Vec3& x = node_[std::size_t(s)];
      x[0] += double(block[0] * dx + block[3] * dy + block[6] * dz);
      x[1] += double(block[1] * dx + block[4] * dy + block[7] * dz);
      x[2] += double(block[2] * dx + block[5] * dy + block[8] * dz);
    }
  }
  for (int k = rows.start[row]; k < rows.start[row + 1]; ++k) {
    const int s = rows.slot[k];
    const Body& body = bodies_[rows.body[s]];
    if (moves_directly(body))
      node_[std::size_t(s - begin_.slot)] += body.nodes.mobility[rows.node[s]] * rows.a[k] * change;
  }
}

void CompliantIsland::foresee() {
  const ContactRows& rows = *rows_;
  for (int k = 0; k < part_count_; ++k) {
    const BodyResponse& part = parts_[k];
    BodyCompliance* compliance = bodies_[part.body].method->compliance();
    if (!compliance || part.direct) continue;
    const std::vector<Vec3>& moves = compliance->pending();
    for (int s = part.begin; s < part.end; ++s)
      node_[std::size_t(s - begin_.slot)] += moves[rows.node[s]];
  }
}

void CompliantIsland::ask_bodies(std::span<const Vec3> impulse) {
  const ContactRows& rows = *rows_;
  parallel_for(part_count_, 1, [&](int k, int) {
    const BodyResponse& part = parts_[k];
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
  place_nodes();
}

}  // namespace pliant
