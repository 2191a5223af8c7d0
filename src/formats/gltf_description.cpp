#include "formats/gltf_description.h"

#include <fmt/format.h>

namespace pliant {

int GltfDescription::add(const char* list, const Json& object) {
  List& to = lists_[list];
  if (to.count > 0) to.text += ',';
  // Names may be no UTF-8: what is wrong in them is replaced.
  to.text += object.dump(-1, ' ', false, Json::error_handler_t::replace);
  return to.count++;
}

int GltfDescription::add_view(std::uint64_t bytes, int target, int stride) {
  Json view = {{"buffer", 0}, {"byteOffset", bytes_}, {"byteLength", bytes}};
  if (stride > 0) view["byteStride"] = stride;
  if (target > 0) view["target"] = target;
  bytes_ += bytes;
  return add("bufferViews", view);
}

int GltfDescription::add_accessor(int view, std::uint64_t offset, std::uint64_t count,
                                  int component, const char* type, const Json& low,
                                  const Json& high) {
  Json accessor = {{"bufferView", view}};
  if (offset > 0) accessor["byteOffset"] = offset;
  accessor["componentType"] = component;
  accessor["count"] = count;
  accessor["type"] = type;
  if (!low.empty()) {
    accessor["min"] = low;
    accessor["max"] = high;
  }
  return add("accessors", accessor);
}

int GltfDescription::add_floats(std::uint64_t count, const char* type, int width) {
  return add_accessor(add_view(4 * count * std::uint64_t(width)), 0, count, gltf_float, type);
}

int GltfDescription::add_times(float first, float last, std::uint64_t count) {
  return add_accessor(add_view(4 * count), 0, count, gltf_float, "SCALAR", Json::array({first}),
                      Json::array({last}));
}

std::string GltfDescription::text() const {
  std::string text = R"({"asset":{"version":"2.0","generator":"pliant"},"scene":0)";
  for (const auto& [name, list] : lists_) text += fmt::format(",\"{}\":[{}]", name, list.text);
  if (bytes_ > 0) text += fmt::format(",\"buffers\":[{{\"byteLength\":{}}}]", bytes_);
  return text + '}';
}

}  // namespace pliant
