#include "formats/gltf_accessors.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/files.h"
#include "formats/base64.h"
#include "formats/beside.h"
#include "formats/bytes.h"
#include "formats/text.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

int component_size(int component) {
  switch (component) {
    case 5120:
    case 5121:
      return 1;
    case 5122:
    case 5123:
      return 2;
    case 5125:
    case 5126:
      return 4;
    default:
      return 0;
  }
}

double component_value(std::string_view from, int component, bool normalized) {
  constexpr std::endian order = std::endian::little;
  switch (component) {
    case 5120: {
      const double v = get<std::int8_t>(from, order);
      return normalized ? std::max(v / 127, -1.0) : v;
    }
    case 5121:
      return get<std::uint8_t>(from, order) / (normalized ? 255.0 : 1.0);
    case 5122: {
      const double v = get<std::int16_t>(from, order);
      return normalized ? std::max(v / 32767, -1.0) : v;
    }
    case 5123:
      return get<std::uint16_t>(from, order) / (normalized ? 65535.0 : 1.0);
    case 5125:
      return get<std::uint32_t>(from, order);
    default:
      return get<float>(from, order);
  }
}

}  // namespace

std::string decoded_uri(const std::string& uri) {
  std::string name;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const auto digit = [](char c) {
      return c >= '0' && c <= '9'                 ? c - '0'
             : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                  : -1;
    };
    if (uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0) {
      name += char(16 * digit(uri[i + 1]) + digit(uri[i + 2]));
      i += 2;
    } else {
      name += uri[i];
    }
  }
  return name;
}

std::string GltfAccessors::load_uri(const std::string& uri, const std::string& where,
                                    const char* what) const {
  if (uri.starts_with("data:")) {
    const std::size_t comma = uri.find(";base64,");
    if (comma == std::string::npos) document_.refuse(where, "is a data: URI that is not base64");
    const std::string_view text = std::string_view(uri).substr(comma + 8);
    const std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    if (text.find_first_not_of(digits) != std::string_view::npos)
      document_.refuse(where, "is a data: URI with characters that are not base64");
    return decode_base64(text, text.size());
  }
  const std::optional<fs::path> path = file_beside(document_.folder(), decoded_uri(uri));
  if (!path)
    document_.refuse(
        where, fmt::format("is {}; {} must be files in the model's folder", in_quotes(uri), what));
  return read_text_file(*path);
}

std::string_view GltfAccessors::buffer(std::uint64_t index, const std::string& from) {
  const Json& object = document_.element("buffers", index, from);
  const std::string where = fmt::format("/buffers/{}", index);
  const std::uint64_t length = document_.needed(object, "byteLength", where);
  std::string_view bytes;
  const auto uri = object.find("uri");
  if (uri == object.end()) {
    if (index != 0 || document_.binary().data() == nullptr)
      document_.refuse(where, "has neither a uri nor bytes in the file");
    bytes = document_.binary();
  } else {
    if (!uri->is_string()) document_.refuse(where + "/uri", "must be a text");
    if (loaded_.size() <= index) loaded_.resize(std::size_t(index) + 1);
    if (!loaded_[index])
      loaded_[index] = load_uri(uri->get_ref<const std::string&>(), where + "/uri", "buffers");
    bytes = *loaded_[index];
  }
  if (length > bytes.size())
    document_.refuse(where + "/byteLength",
                     fmt::format("is {}, but there are {} bytes", length, bytes.size()));
  return bytes.substr(0, std::size_t(length));
}

std::string_view GltfAccessors::view(std::uint64_t index, const std::string& from,
                                     std::size_t& stride) {
  const Json& object = document_.element("bufferViews", index, from);
  const std::string where = fmt::format("/bufferViews/{}", index);
  const std::string_view bytes =
      buffer(document_.needed(object, "buffer", where), where + "/buffer");
  const std::uint64_t offset = document_.whole(object, "byteOffset", where).value_or(0);
  const std::uint64_t length = document_.needed(object, "byteLength", where);
  if (offset > bytes.size() || length > bytes.size() - offset)
    document_.refuse(
        where, fmt::format("reaches byte {} of a buffer of {}", offset + length, bytes.size()));
  stride = std::size_t(document_.whole(object, "byteStride", where).value_or(0));
  return bytes.substr(std::size_t(offset), std::size_t(length));
}

void GltfAccessors::read_rows(std::string_view bytes, std::size_t stride, std::uint64_t count,
                              int component, bool normalized, GltfValues& values,
                              const std::string& where) {
  const std::size_t size = std::size_t(component_size(component));
  const std::size_t row = size * std::size_t(values.columns);
  if (stride == 0) stride = row;
  if (stride < row)
    document_.refuse(where, fmt::format("has rows of {} bytes, {} bytes apart", row, stride));
  if (count > 0 && (bytes.size() < row || count - 1 > (bytes.size() - row) / stride))
    document_.refuse(where + "/count",
                     fmt::format("is {}, but only {} bytes follow", count, bytes.size()));
  values.number.reserve(std::size_t(count) * std::size_t(values.columns));
  for (std::uint64_t r = 0; r < count; ++r)
    for (int k = 0; k < values.columns; ++k)
      values.number.push_back(component_value(
          bytes.substr(std::size_t(r) * stride + std::size_t(k) * size), component, normalized));
}

void GltfAccessors::read_sparse(const Json& sparse, int component, bool normalized,
                                GltfValues& values, const std::string& where) {
  if (!sparse.is_object()) document_.refuse(where, "is no object");
  const std::uint64_t count = document_.needed(sparse, "count", where);
  const auto part = [&](const char* key, int kind, int columns) {
    const auto found = sparse.find(key);
    if (found == sparse.end() || !found->is_object())
      document_.refuse(where + "/" + key, "is missing");
    const std::string place = where + "/" + key;
    if (kind == 0) kind = int(document_.needed(*found, "componentType", place));
    if (component_size(kind) == 0) document_.refuse(place + "/componentType", "is unknown");
    std::size_t stride = 0;
    std::string_view bytes =
        view(document_.needed(*found, "bufferView", place), place + "/bufferView", stride);
    const std::uint64_t offset = document_.whole(*found, "byteOffset", place).value_or(0);
    if (offset > bytes.size()) document_.refuse(place + "/byteOffset", "lies behind the end");
    GltfValues read;
    read.columns = columns;
    read_rows(bytes.substr(std::size_t(offset)), 0, count, kind, columns > 1 && normalized, read,
              place);
    return read;
  };
  const GltfValues index = part("indices", 0, 1);
  const GltfValues value = part("values", component, values.columns);
  double before = -1;
  for (std::size_t i = 0; i < index.rows(); ++i) {
    const double row = index.number[i];
    if (!(row > before) || !(row < double(values.rows())))
      document_.refuse(where + "/indices",
                       fmt::format("names row {} of {} out of order or range", row, values.rows()));
    before = row;
    for (int k = 0; k < values.columns; ++k)
      values.number[std::size_t(row) * std::size_t(values.columns) + std::size_t(k)] =
          value.number[i * std::size_t(values.columns) + std::size_t(k)];
  }
}

GltfValues GltfAccessors::read(std::uint64_t index, const std::string& from) {
  const Json& object = document_.element("accessors", index, from);
  const std::string where = fmt::format("/accessors/{}", index);
  const int component =
      int(std::min<std::uint64_t>(document_.needed(object, "componentType", where), 100000));
  if (component_size(component) == 0) document_.refuse(where + "/componentType", "is unknown");
  const std::uint64_t count = document_.needed(object, "count", where);
  const auto type = object.find("type");
  const std::string name = type != object.end() && type->is_string() ? std::string(*type) : "";
  GltfValues values;
  values.columns = name == "SCALAR" ? 1 : name == "VEC2" ? 2 : name == "VEC3" ? 3 : 0;
  if (values.columns == 0)
    document_.refuse(where + "/type",
                     fmt::format("is {}; a scalar or a vector was expected", in_quotes(name)));
  const auto flag = object.find("normalized");
  const bool normalized = flag != object.end() && flag->is_boolean() && bool(*flag);
  if (const auto number = document_.whole(object, "bufferView", where)) {
    std::size_t stride = 0;
    const std::string_view bytes = view(*number, where + "/bufferView", stride);
    const std::uint64_t offset = document_.whole(object, "byteOffset", where).value_or(0);
    if (offset > bytes.size())
      document_.refuse(where + "/byteOffset", "lies behind the end of its view");
    read_rows(bytes.substr(std::size_t(offset)), stride, count, component, normalized, values,
              where);
  } else {  // zeros, to be filled by the sparse part
    if (count > document_.room)
      document_.refuse(where + "/count", fmt::format("is {}, more than the file can fill", count));
    values.number.assign(std::size_t(count) * std::size_t(values.columns), 0.0);
  }
  const auto sparse = object.find("sparse");
  if (sparse != object.end())
    read_sparse(*sparse, component, normalized, values, where + "/sparse");
  return values;
}

}  // namespace pliant
