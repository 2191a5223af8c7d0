#include "geometry/track/corner_table.h"

#include <algorithm>
#include <utility>

#include "core/assert.h"

namespace pliant::track {

void CornerTable::take(const std::vector<Triangle>& triangles, int points) {
  const bool known = !changed_ && points == int(corner_of_.size()) && triangles == triangles_;
  changed_ = false;
  if (known) return;
  triangles_ = triangles;
  build(points);
}

void CornerTable::build(int points) {
  const int corners = 3 * int(triangles_.size());
  opposite_.assign(std::size_t(corners), -1);
  corner_of_.assign(std::size_t(points), -1);
  // Sides by the lower of their two points: each point has few, which are paired by looking.
  start_.assign(std::size_t(points) + 1, 0);
  side_.resize(std::size_t(corners));
  for (int c = 0; c < corners; ++c) ++start_[std::min(at(next(c)), at(previous(c)))];
  for (int p = 0, sum = 0; p <= points; ++p) sum += std::exchange(start_[p], sum);
  for (int c = 0; c < corners; ++c) {
    side_[start_[std::min(at(next(c)), at(previous(c)))]++] = c;
    corner_of_[at(c)] = c;
  }
  for (int p = 0, begin = 0; p < points; begin = start_[p++]) {
    for (int i = begin; i < start_[p]; ++i) {
      const int c = side_[i];
      if (opposite_[c] >= 0) continue;
      for (int j = i + 1; j < start_[p] && opposite_[c] < 0; ++j) {
        const int d = side_[j];
        if (at(next(d)) == at(previous(c)) && at(previous(d)) == at(next(c))) join(c, d);
      }
      ASSERT(opposite_[c] >= 0, "the surface must be closed");
    }
  }
}

std::vector<Triangle> CornerTable::give(std::vector<int>& kept) const {
  kept.clear();
  std::vector<Triangle> left;
  left.reserve(triangles_.size());
  for (int t = 0; t < size(); ++t) {
    if (is_dead(t)) continue;
    left.push_back(triangles_[t]);
    kept.push_back(t);
  }
  return left;
}

void CornerTable::ring(int point, std::vector<int>& points) const {
  points.clear();
  const int begin = corner_of_[point];
  int c = begin;
  do {
    points.push_back(at(next(c)));
    c = swing(c);
  } while (c != begin);
}

int CornerTable::valence(int point, int most) const {
  const int begin = corner_of_[point];
  int count = 0, c = begin;
  do {
    ++count;
    c = swing(c);
  } while (c != begin && count < most);
  return count;
}

int CornerTable::corner_opposite(int a, int b) const {
  const int begin = corner_of_[a];
  if (begin < 0) return -1;
  int c = begin;
  do {
    if (at(next(c)) == b) return previous(c);
    c = swing(c);
  } while (c != begin);
  return -1;
}

void CornerTable::split(int c, int point) {
  changed_ = true;
  ASSERT(point == int(corner_of_.size()), "a new point gets the next number");
  const int o = opposite_[c];
  const int a = at(next(c)), b = at(previous(c));
  const int left = 3 * size(), right = left + 3;  // first corners of the new triangles
  triangles_.push_back({at(c), point, b});
  triangles_.push_back({at(o), point, a});
  opposite_.resize(opposite_.size() + 6);
  triangles_[c / 3][previous(c) % 3] = point;
  triangles_[o / 3][previous(o) % 3] = point;
  join(left + 1, opposite_[next(c)]);
  join(right + 1, opposite_[next(o)]);
  join(left + 2, next(c));
  join(right + 2, next(o));
  join(left, o);
  join(right, c);
  corner_of_.push_back(previous(c));
  corner_of_[a] = next(c);
  corner_of_[b] = next(o);
}

void CornerTable::collapse(int c) {
  changed_ = true;
  const int o = opposite_[c];
  const int a = at(next(c)), b = at(previous(c)), x = at(c), y = at(o);
  int corner = corner_of_[b];
  const int begin = corner;
  do {  // by swing(), which asks for no point
    triangles_[corner / 3][corner % 3] = a;
    corner = swing(corner);
  } while (corner != begin);
  const int along_x = opposite_[previous(c)], along_y = opposite_[next(o)];
  join(opposite_[next(c)], along_x);
  join(opposite_[previous(o)], along_y);
  triangles_[c / 3] = triangles_[o / 3] = {-1, -1, -1};
  corner_of_[a] = next(along_x);
  corner_of_[x] = previous(along_x);
  corner_of_[y] = next(along_y);
  corner_of_[b] = -1;
}

void CornerTable::flip(int c) {
  changed_ = true;
  const int o = opposite_[c];
  const int a = at(next(c)), b = at(previous(c)), x = at(c), y = at(o);
  const int along_x = opposite_[next(c)], along_y = opposite_[next(o)];
  triangles_[c / 3][previous(c) % 3] = y;
  triangles_[o / 3][previous(o) % 3] = x;
  join(c, along_y);
  join(o, along_x);
  join(next(c), next(o));
  corner_of_[a] = next(c);
  corner_of_[b] = next(o);
  corner_of_[x] = c;
  corner_of_[y] = o;
}

void CornerTable::remove_valence_three(int c) {
  changed_ = true;
  const int second = swing(c), third = swing(second);
  const int point = at(c), far = at(previous(second));
  ASSERT(swing(third) == c, "three triangles at this point");
  triangles_[c / 3][c % 3] = far;
  join(next(c), opposite_[second]);
  join(previous(c), opposite_[third]);
  triangles_[second / 3] = triangles_[third / 3] = {-1, -1, -1};
  corner_of_[far] = c;
  corner_of_[at(next(c))] = next(c);
  corner_of_[at(previous(c))] = previous(c);
  corner_of_[point] = -1;
}

}  // namespace pliant::track
