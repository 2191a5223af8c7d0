#include "geometry/intake/face_meetings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/disjoint_sets.h"
#include "geometry/query/segments.h"
#include "geometry/query/self_intersections.h"
#include "geometry/query/winding_number.h"

namespace pliant {
namespace {

// Borders that meet run alike: the cosine between them is at least this.
constexpr double alike = 0.95;
// Of `reach`: so long at least, both together.
constexpr double passing = 6;
// Of `reach`: two borders this close meet whatever the way between them looks like.
constexpr double touching = 1e-3;
// A free border lies at about a half; deep inside a solid and in its hull it is one and more.
constexpr double buried_winding = 0.8;

/// All borders as segments.
struct Segments {
  explicit Segments(const std::vector<FaceBorder>& borders) {
    for (int row = 0; row < int(borders.size()); ++row) {
      const std::vector<Vec3>& points = borders[row].points;
      for (std::size_t i = 0; i < points.size(); ++i) {
        const int p = int(mesh.points.size());
        mesh.points.push_back(points[i]);
        if (i == 0) continue;
        mesh.triangles.push_back({p - 1, p, p});
        row_of.push_back(row);
        face.push_back(borders[row].face);
      }
    }
  }
  int size() const { return int(face.size()); }
  const Vec3& start(int s) const { return mesh.points[mesh.triangles[s][0]]; }
  const Vec3& end(int s) const { return mesh.points[mesh.triangles[s][1]]; }
  Vec3 middle(int s) const { return 0.5 * (start(s) + end(s)); }
  Vec3 way(int s) const { return end(s) - start(s); }
  double length(int s) const { return way(s).norm(); }
  Vec3 nearest(int s, const Vec3& p) const {
    const double square = way(s).squaredNorm();
    const double t = square > 0 ? std::clamp((p - start(s)).dot(way(s)) / square, 0.0, 1.0) : 0;
    return start(s) + t * way(s);
  }

  TriangleMesh mesh;  // of triangles without area
  std::vector<int> row_of, face;
};

class Look {
 public:
  Look(const std::vector<FaceBorder>& borders, const TriangleMesh& surface,
       const std::vector<int>& face, double reach)
      : surface_(surface),
        face_(face),
        reach_(reach),
        segments_(borders),
        segment_tree_(segments_.mesh),
        tree_(surface),
        winding_(surface) {}

  FaceMeetings found(const std::vector<int>& overlapping) {
    match_borders();
    is_free_.assign(std::size_t(segments_.size()), 0);
    for (int s = 0; s < segments_.size(); ++s)
      if (segments_.length(s) > 0) look_at(s);
    gather_free();
    for (const auto& [faces, meeting] : meetings_) found_.pairs.push_back(meeting);
    std::stable_sort(found_.pairs.begin(), found_.pairs.end(),
                     [](const FaceMeeting& a, const FaceMeeting& b) { return a.gap > b.gap; });
    for (const auto& [first, second] : rests_) found_.rests.push_back({first, second});
    for (const auto& [first, second] : touches_) found_.touches.push_back({first, second});
    for (const int t : overlapping) look_through(t);
    for (const auto& [first, second] : crossings_) found_.crossings.push_back({first, second});
    return std::move(found_);
  }

 private:
  void match_borders() {
    for (int s = 0; s < segments_.size(); ++s) {
      const double length = segments_.length(s);
      match_.push_back(length > 0 ? nearest_border(s) : std::pair<int, double>{0, 0});
      const auto [other, gap] = match_.back();
      if (other == 0) continue;
      FaceMeeting& meeting = meetings_[std::minmax(segments_.face[s], other)];
      std::tie(meeting.first, meeting.second) = std::minmax(segments_.face[s], other);
      meeting.length += length;
      meeting.gap = std::max(meeting.gap, gap);
    }
    // Borders that only pass by do not meet.
    std::erase_if(meetings_, [&](const auto& entry) {
      return entry.second.gap > 0.2 * reach_ && entry.second.length < passing * reach_;
    });
  }

  void look_at(int s) {
    const double length = segments_.length(s);
    found_.length += length;
    const int face = segments_.face[s], under = face_below(s);
    if (meetings_.contains(std::minmax(face, match_[s].first))) {
      found_.met += length;
    } else if (under > 0) {
      rests_.insert({face, under});
      found_.resting += length;
    } else if (winding_.at(segments_.middle(s)) > buried_winding) {
      found_.buried += length;
    } else {
      found_.open += length;
      is_free_[s] = 1;
    }
  }

  /// The face whose border runs along here, and how far away; of the same face only where nobody
  /// else's does. 0 = nobody.
  std::pair<int, double> nearest_border(int s) {
    const Vec3 place = segments_.middle(s), along = segments_.way(s).normalized();
    std::pair<int, double> other{0, 1e300}, own{0, 1e300};
    for (const int candidate : near(place)) {
      if (segments_.row_of[candidate] == segments_.row_of[s]) continue;
      if (std::abs(segments_.way(candidate).dot(along)) <= alike * segments_.length(candidate))
        continue;
      const Vec3 way = segments_.nearest(candidate, place) - place;
      const double gap = way.norm();
      // Where a border goes on past the end of another one it does not meet it.
      if (gap > touching * reach_ && std::abs(way.dot(along)) > 0.5 * gap) continue;
      auto& best = segments_.face[candidate] == segments_.face[s] ? own : other;
      if (gap <= reach_ && gap < best.second) best = {segments_.face[candidate], gap};
    }
    return other.first > 0 ? other : own;
  }

  const std::vector<int>& near(const Vec3& place) {
    near_.clear();
    segment_tree_.triangles_in({place - Vec3::Constant(reach_), place + Vec3::Constant(reach_)},
                               near_);
    return near_;
  }

  /// The nearest other face that the middle of a segment lies on, of those whose borders it does
  /// not meet; all of them touch.
  int face_below(int s) {
    const Vec3 place = segments_.middle(s);
    below_.clear();
    tree_.triangles_in({place - Vec3::Constant(reach_), place + Vec3::Constant(reach_)}, below_);
    int best = 0;
    double least = reach_;
    for (const int t : below_) {
      if (face_[t] == segments_.face[s] || face_[t] == 0) continue;
      const double distance = closest_on_triangle(place, surface_, t).distance;
      // One whose rim we are beyond is a neighbour past its end, not below.
      if (distance >= reach_ || is_past_rim(place, t, distance)) continue;
      touches_.insert(std::minmax(face_[t], segments_.face[s]));
      // Past its end a border is still near the neighbours that it has met, and rests on none.
      if (meetings_.contains(std::minmax(face_[t], segments_.face[s]))) continue;
      if (distance < least) least = distance, best = face_[t];
    }
    return best;
  }

  bool is_past_rim(const Vec3& place, int t, double distance) const {
    const Triangle& corner = surface_.triangles[t];
    const std::vector<Vec3>& x = surface_.points;
    const Vec3 normal =
        (x[corner[1]] - x[corner[0]]).cross(x[corner[2]] - x[corner[0]]).normalized();
    const double height = std::abs(normal.dot(place - x[corner[0]]));
    return distance > touching * reach_ && height < 0.5 * distance;
  }

  /// Rows of free segments; rows whose ends meet bound the same hole. What is shorter than `reach`
  /// is a corner where faces end, and no hole.
  void gather_free() {
    std::vector<FaceMeetings::Run> runs;
    for (int s = 0; s < segments_.size(); ++s) {
      if (!is_free_[s]) continue;
      const bool goes_on =
          s > 0 && is_free_[s - 1] && segments_.row_of[s - 1] == segments_.row_of[s];
      if (!goes_on) runs.push_back({0, {segments_.start(s)}});
      runs.back().points.push_back(segments_.end(s));
    }
    DisjointSets sets(int(runs.size()));
    for (int a = 0; a < int(runs.size()); ++a)
      for (int b = a + 1; b < int(runs.size()); ++b)
        if (ends_meet(runs[a].points, runs[b].points)) sets.join(a, b);
    std::vector<double> length(runs.size(), 0);
    for (int r = 0; r < int(runs.size()); ++r)
      for (std::size_t i = 1; i < runs[r].points.size(); ++i)
        length[sets.root(r)] += (runs[r].points[i] - runs[r].points[i - 1]).norm();
    std::vector<int> number(runs.size(), -1);
    for (int r = 0; r < int(runs.size()); ++r) {
      const int root = sets.root(r);
      if (length[root] < 2 * reach_) continue;
      if (number[root] < 0) number[root] = found_.holes++;
      runs[r].hole = number[root];
      found_.free.push_back(std::move(runs[r]));
    }
  }

  bool ends_meet(const std::vector<Vec3>& a, const std::vector<Vec3>& b) const {
    for (const Vec3& p : {a.front(), a.back()})
      for (const Vec3& q : {b.front(), b.back()})
        if ((p - q).norm() < reach_) return true;
    return false;
  }

  /// Faces that pass through the face of a triangle, further than `reach` from the borders of
  /// both: nearer, triangles of neighbours cross since they only nearly follow their border.
  void look_through(int t) {
    const Triangle& corner = surface_.triangles[t];
    Box box;
    for (const int p : corner) box.add(surface_.points[p]);
    std::vector<int> others;
    tree_.triangles_in(box, others);
    for (const int other : others) {
      if (face_[other] == face_[t] || face_[other] == 0 || face_[t] == 0) continue;
      if (crossings_.contains(std::minmax(face_[t], face_[other]))) continue;
      for (int k = 0; k < 3; ++k) {
        const Vec3& from = surface_.points[corner[k]];
        const Vec3 step = surface_.points[corner[(k + 1) % 3]] - from;
        const Triangle& wall = surface_.triangles[other];
        const double share = cross_triangle(surface_.points[wall[0]], surface_.points[wall[1]],
                                            surface_.points[wall[2]], from, step, false);
        if (share <= 1 && !is_near_border(from + share * step, face_[t], face_[other]))
          crossings_.insert(std::minmax(face_[t], face_[other]));
      }
    }
  }

  bool is_near_border(const Vec3& place, int first, int second) {
    const std::vector<int>& found = near(place);
    return std::any_of(found.begin(), found.end(), [&](int s) {
      const int face = segments_.face[s];
      return (face == first || face == second) &&
             (segments_.nearest(s, place) - place).norm() < reach_;
    });
  }

  const TriangleMesh& surface_;
  const std::vector<int>& face_;
  const double reach_;
  const Segments segments_;
  const Bvh segment_tree_;
  const Bvh tree_;
  const WindingNumber winding_;
  std::vector<int> near_, below_;
  std::vector<char> is_free_;
  std::vector<std::pair<int, double>> match_;  // per segment: face and gap
  std::map<std::pair<int, int>, FaceMeeting> meetings_;
  std::set<std::pair<int, int>> rests_, touches_, crossings_;
  FaceMeetings found_;
};

}  // namespace

std::vector<int> FaceMeetings::pieces(int faces) const {
  DisjointSets sets(faces);
  for (const FaceMeeting& pair : pairs) sets.join(pair.first - 1, pair.second - 1);
  for (const Pair& pair : touches) sets.join(pair.first - 1, pair.second - 1);
  for (const Pair& pair : crossings) sets.join(pair.first - 1, pair.second - 1);
  return sets.numbers();
}

FaceMeetings face_meetings(const std::vector<FaceBorder>& borders, const TriangleMesh& surface,
                           const std::vector<int>& face, const std::vector<int>& overlapping,
                           double reach) {
  return Look(borders, surface, face, reach).found(overlapping);
}

}  // namespace pliant
