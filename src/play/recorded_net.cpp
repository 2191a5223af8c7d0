#include "play/recorded_net.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/errors.h"
#include "core/files.h"
#include "geometry/nurbs/patch_archive.h"

namespace pliant {
namespace {

void archive(Archive& stored, RecordedNet& net) {
  std::string file = net.file.string();
  stored.text("file", file);
  net.file = file;
  stored.value("fingerprint", net.fingerprint);
  std::uint64_t count = net.faces.patches.size();
  stored.value("count", count);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (stored.is_loading()) net.faces.patches.emplace_back(), net.faces.nodes.emplace_back();
    archive(stored, net.faces.patches[i]);
    stored.array("nodes", net.faces.nodes[i]);
  }
}

bool fits(const ControlNet& net) {
  for (std::size_t p = 0; p < net.patches.size(); ++p) {
    net.patches[p].check();
    const std::vector<int>& nodes = net.nodes[p];
    if (nodes.size() != net.patches[p].pole.size()) return false;
    if (std::any_of(nodes.begin(), nodes.end(), [](int node) { return node < 0; })) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> RecordedNet::saved() const {
  RecordedNet copy = *this;
  Archive stored = Archive::saving();
  archive(stored, copy);
  return stored.take_bytes();
}

RecordedNet RecordedNet::loaded(std::span<const std::byte> bytes) {
  RecordedNet net;
  try {
    Archive stored = Archive::loading(bytes);
    archive(stored, net);
    if (fits(net.faces)) return net;
  } catch (const ArchiveError&) {
  } catch (const InputError&) {
  }
  throw IoError("the recording is damaged: a body's control points do not fit together");
}

std::size_t used_nodes(const ControlNet& net) {
  std::size_t count = 0;
  for (const std::vector<int>& nodes : net.nodes)
    for (const int node : nodes) count = std::max(count, std::size_t(node) + 1);
  return count;
}

std::filesystem::path source_of(const RecordedNet& net, const std::string& body) {
  if (net.file.empty()) return {};
  const auto refuse = [&](const char* what) {
    throw InputError(
        net.file.string(), "",
        fmt::format("{}, and CAD files of {} need the trims of its faces", what, body));
  };
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(net.file, ignored)) refuse("is there no more");
  if (hash_of(read_text_file(net.file)) != net.fingerprint)
    refuse("is not the file any more that was simulated");
  return net.file;
}

RecordedNet net_to_record(const ControlNet& net, const std::filesystem::path& file) {
  RecordedNet record;
  record.faces = net;
  if (file.empty()) return record;
  record.file = std::filesystem::absolute(file);
  record.fingerprint = hash_of(read_text_file(file));
  return record;
}

}  // namespace pliant
