#include "formats/gltf_document.h"

#include <cmath>
#include <fmt/format.h>

#include "core/errors.h"
#include "formats/bytes.h"
#include "formats/problems.h"
#include "formats/text.h"

namespace pliant {
namespace {

constexpr int deepest = 64;  // levels of JSON; glTF needs about ten
constexpr std::uint32_t glb_magic = 0x46546C67, json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

struct Chunks {
  std::string_view json, binary;
};

Chunks chunks_of(std::string_view bytes, const std::string& file,
                 std::vector<std::string>* warnings) {
  if (!is_glb(bytes)) return {checked_text(bytes, file), {}};
  const auto refuse = [&](std::size_t at, const std::string& what) {
    throw InputError(file, fmt::format("byte {}", at), what);
  };
  if (bytes.size() < 20) refuse(0, "starts a .glb file that ends before its first chunk");
  const auto word = [&](std::size_t at) {
    return get<std::uint32_t>(bytes.substr(at), std::endian::little);
  };
  if (word(4) != 2) refuse(4, fmt::format("says version {}; version 2 is read", word(4)));
  if (word(8) > bytes.size())
    refuse(8, fmt::format("promises {} bytes, but the file has {}", word(8), bytes.size()));
  if (word(8) < bytes.size())
    warn(warnings, file,
         fmt::format("{} bytes after its end were left out", bytes.size() - word(8)));
  bytes = bytes.substr(0, word(8));
  Chunks chunks;
  std::size_t at = 12;
  for (int number = 0; at + 8 <= bytes.size(); ++number) {
    const std::uint64_t length = word(at), kind = word(at + 4);
    if (length > bytes.size() - at - 8)
      refuse(at, fmt::format("promises a chunk of {} bytes, but {} follow", length,
                             bytes.size() - at - 8));
    const std::string_view content = bytes.substr(at + 8, std::size_t(length));
    if (number == 0 && kind != json_chunk) refuse(at + 4, "should start the JSON chunk");
    if (number == 0) chunks.json = content;
    else if (kind == binary_chunk && chunks.binary.data() == nullptr) chunks.binary = content;
    at += 8 + std::size_t(length) + (4 - length % 4) % 4;
  }
  if (chunks.json.empty()) refuse(12, "should start the JSON chunk");
  return chunks;
}

}  // namespace

bool is_glb(std::string_view bytes) {
  return bytes.size() >= 4 && get<std::uint32_t>(bytes, std::endian::little) == glb_magic;
}

GltfDocument::GltfDocument(std::string_view bytes, const std::filesystem::path& path,
                           std::vector<std::string>* warnings)
    : room(1'000'000 + bytes.size() / 2), file_(path.string()), folder_(path.parent_path()) {
  const Chunks chunks = chunks_of(bytes, file_, warnings);
  binary_ = chunks.binary;
  parse(chunks.json);
  check_extensions();
}

void GltfDocument::refuse(const std::string& where, const std::string& what,
                          const std::string& hint) const {
  throw InputError(file_, where, what, hint);
}

void GltfDocument::parse(std::string_view content) {
  try {
    // Too deep parts are dropped while parsing, so that hostile nesting takes no memory.
    bool too_deep = false;
    json_ = Json::parse(content, [&](int depth, Json::parse_event_t, Json&) {
      too_deep = too_deep || depth > deepest;
      return depth <= deepest;
    });
    if (too_deep) refuse("", fmt::format("nests its JSON deeper than {} levels", deepest));
  } catch (const Json::parse_error& error) {
    throw InputError(file_, fmt::format("byte {} of its JSON", error.byte), "is not JSON");
  } catch (const Json::out_of_range& error) {  // "[...] number overflow parsing '1e400'"
    const std::string what = error.what();
    const std::size_t begin = what.find('\'') + 1;  // npos + 1 = 0
    const std::string number = what.substr(begin, what.rfind('\'') - begin);
    throw InputError(file_, fmt::format("byte {} of its JSON", content.find(number)),
                     fmt::format("is {}, which is too large a number", in_quotes(number)),
                     "numbers must be finite");
  }
  if (!json_.is_object()) refuse("", "is not glTF: its JSON is no object");
  const auto asset = json_.find("asset");
  if (asset == json_.end() || !asset->is_object()) refuse("/asset", "is missing; is it glTF?");
  const auto version = asset->find("version");
  const std::string text =
      version != asset->end() && version->is_string() ? std::string(*version) : "";
  if (!text.starts_with("2."))
    refuse("/asset/version", fmt::format("is {}; 2.0 is read", in_quotes(text)));
}

void GltfDocument::check_extensions() const {
  const auto list = json_.find("extensionsRequired");
  if (list == json_.end() || !list->is_array()) return;
  for (const Json& name : *list) {
    const std::string text = name.is_string() ? std::string(name) : "";
    bool harmless = text == "KHR_mesh_quantization";
    for (const char* about_looks :
         {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"})
      harmless = harmless || text.starts_with(about_looks);
    if (!harmless)
      refuse("/extensionsRequired",
             fmt::format("needs the extension {}, which is not read", in_quotes(text)),
             "export it again without compression");
  }
}

const GltfDocument::Json& GltfDocument::element(const char* list, std::uint64_t index,
                                                const std::string& from) const {
  const auto found = json_.find(list);
  const std::size_t size = found != json_.end() && found->is_array() ? found->size() : 0;
  if (index >= size) refuse(from, fmt::format("is {}; there are {} {}", index, size, list));
  const Json& value = (*found)[index];
  if (!value.is_object()) refuse(fmt::format("/{}/{}", list, index), "is no object");
  return value;
}

std::optional<std::uint64_t> GltfDocument::whole(const Json& object, const char* key,
                                                 const std::string& where) const {
  const auto found = object.find(key);
  if (found == object.end()) return std::nullopt;
  if (found->is_number_unsigned()) return found->get<std::uint64_t>();
  if (found->is_number_float()) {  // some exporters write 3.0
    const double value = *found;
    if (value >= 0 && value < 9e15 && value == std::floor(value)) return std::uint64_t(value);
  }
  refuse(where + "/" + key, "must be a whole number, 0 or above");
}

std::uint64_t GltfDocument::needed(const Json& object, const char* key,
                                   const std::string& where) const {
  const std::optional<std::uint64_t> value = whole(object, key, where);
  if (!value) refuse(where + "/" + key, "is missing");
  return *value;
}

}  // namespace pliant
