#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The JSON of a .glb or .gltf file, and the bytes that a .glb has besides. Whatever is asked of it
/// is checked: a member of the wrong kind, or an index to nothing, is refused with its JSON path.
class GltfDocument {
 public:
  using Json = nlohmann::json;

  /// Throws InputError: what is wrong with the container, the JSON, its version, or an extension
  /// that is needed and not read.
  GltfDocument(std::string_view bytes, const std::filesystem::path& path,
               std::vector<std::string>* warnings);

  [[noreturn]] void refuse(const std::string& where, const std::string& what,
                           const std::string& hint = "") const;

  const Json& json() const { return json_; }
  const Json& element(const char* list, std::uint64_t index, const std::string& from) const;
  std::optional<std::uint64_t> whole(const Json& object, const char* key,
                                     const std::string& where) const;
  std::uint64_t needed(const Json& object, const char* key, const std::string& where) const;

  const std::string& file() const { return file_; }
  const std::filesystem::path& folder() const { return folder_; }
  std::string_view binary() const { return binary_; }  // without data: there is none

  /// Points and triangles that may still be made: files may use one mesh many times, and may not
  /// take more memory than fits their size.
  std::size_t room = 0;

 private:
  void parse(std::string_view text);
  void check_extensions() const;

  std::string file_;
  std::filesystem::path folder_;
  std::string_view binary_;
  Json json_;
};

bool is_glb(std::string_view bytes);

}  // namespace pliant
