// PC2: "POINTCACHE2\0", version 1, points, first frame, step, frames; then floats. Lowest byte
// first. MDD: frames, points, times; then floats. Highest byte first.
#include "formats/point_cache.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>

#include "core/errors.h"
#include "formats/bytes.h"
#include "formats/frame_file.h"

namespace pliant {
namespace {

template <class T>
void put_in_order(std::string& to, T value, std::endian order) {
  put(to, value);
  if (order == std::endian::big) std::reverse(to.end() - sizeof(T), to.end());
}

void write_frames(const std::filesystem::path& path, const std::string& header, int points,
                  int frames, std::endian order, FramePoints positions, const std::string& job) {
  FrameFile file(path, job);
  file.append(header);
  std::string bytes;
  for (int frame = 0; frame < frames; ++frame) {
    if (file.has_next()) {
      file.take_next();
      continue;
    }
    const std::span<const Eigen::Vector3f> at = positions(frame);
    if (int(at.size()) != points)
      throw InputError("", "",
                       fmt::format("frame {} has {} points, frame 0 has {}: a point cache cannot "
                                   "hold that",
                                   frame, at.size(), points));
    bytes.clear();
    for (const Eigen::Vector3f& p : at)
      for (int k = 0; k < 3; ++k) put_in_order(bytes, p[k], order);
    file.append(bytes);
    file.end_frame();
  }
  file.commit();
}

}  // namespace

void write_pc2(const std::filesystem::path& path, int points, int frames, FramePoints positions,
               const std::string& job) {
  std::string header("POINTCACHE2\0", 12);
  put(header, std::int32_t(1));
  put(header, std::int32_t(points));
  put(header, 0.0f);
  put(header, 1.0f);
  put(header, std::int32_t(frames));
  write_frames(path, header, points, frames, std::endian::little, positions, job);
}

void write_mdd(const std::filesystem::path& path, int points, std::span<const double> times,
               FramePoints positions, const std::string& job) {
  std::string header;
  put_in_order(header, std::int32_t(times.size()), std::endian::big);
  put_in_order(header, std::int32_t(points), std::endian::big);
  for (const double time : times) put_in_order(header, float(time), std::endian::big);
  write_frames(path, header, points, int(times.size()), std::endian::big, positions, job);
}

}  // namespace pliant
