#include "play/disk_use.h"

#include <fmt/format.h>

#include "play/film_length.h"
#include "play/recorded_bulk.h"
#include "play/recorded_net.h"

namespace pliant {
namespace {

constexpr double giga = 1e9;

std::string in_gigabytes(std::uint64_t bytes) {
  return fmt::format("{:.{}f} GB", double(bytes) / giga, double(bytes) < 9.95 * giga ? 1 : 0);
}

}  // namespace

DiskUse disk_use(const BuiltScene& scene) {
  const OutputsDescription& outputs = scene.resolved.outputs;
  const std::uint64_t frames = std::uint64_t(*scene.resolved.frames) + 1;
  const std::uint64_t values = outputs.color_by == "body" ? 0 : 1;
  DiskUse use;
  for (const Body& body : scene.world.bodies) {
    const std::uint64_t vertices = body.drawn_skin().position.size();
    const std::uint64_t triangles = body.drawn_skin().triangles.size();
    use.recording += frames * vertices * 4 * (3 + values + outputs.fields.size()) + 12 * triangles;
    // Surfaces that change their triangles may do so in every frame: triangles, sources, places.
    if (!body.skin.provenance.empty()) use.recording += frames * (16 * triangles + 16 * vertices);
    if (body.control_net) use.recording += frames * used_nodes(*body.control_net) * sizeof(Vec3);
    if (outputs.volume) use.recording += frames * bulk_bytes(body);
    if (outputs.ply) use.surfaces += frames * (vertices * 4 * (3 + values) + 13 * triangles);
    if (outputs.glb) use.animation += frames / shown_every(scene.resolved) * vertices * 24;
  }
  return use;
}

void tell_disk_use(const DiskUse& use, const std::filesystem::path& folder, RunWatcher& watcher) {
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder, unknown);
  const bool is_tight = !unknown && double(use.whole()) > 0.95 * double(space.available);
  if (!is_tight && double(use.whole()) < giga) return;
  std::string parts = "recording.bin " + in_gigabytes(use.recording);
  if (use.surfaces > 0)
    parts +=
        ", ply/ " + in_gigabytes(use.surfaces) + " (\"outputs\": {\"ply\": false} leaves it out)";
  if (use.animation > 0)
    parts += ", animation.glb " + in_gigabytes(use.animation) + " (\"glb\": false)";
  const std::string text =
      fmt::format("all frames will take about {}: {}", in_gigabytes(use.whole()), parts);
  if (is_tight)
    watcher.warning(
        fmt::format("{}; {} are free in {}", text, in_gigabytes(space.available), folder.string()));
  else watcher.note(text);
}

}  // namespace pliant
