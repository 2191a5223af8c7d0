#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace pliant {

// Names of the standard's numbers.
constexpr int gltf_float = 5126, gltf_uint = 5125;
constexpr int gltf_vertices = 34962, gltf_indices = 34963;

/// The JSON part of a glTF file with one buffer, made object by object and kept as text: a long
/// film has several objects for each of its frames, and as a tree of values they would need ten
/// times the memory.
class GltfDescription {
 public:
  using Json = nlohmann::ordered_json;

  /// Appends to one of the document's lists ("nodes", "meshes", ...); the index there.
  int add(const char* list, const Json& object);

  /// The next bytes of the buffer. All numbers have four bytes, so everything stays aligned.
  int add_view(std::uint64_t bytes, int target = 0, int stride = 0);
  int add_accessor(int view, std::uint64_t offset, std::uint64_t count, int component,
                   const char* type, const Json& low = {}, const Json& high = {});
  /// Accessors with a view of their own.
  int add_floats(std::uint64_t count, const char* type, int width);
  int add_times(float first, float last, std::uint64_t count);

  std::uint64_t bytes() const { return bytes_; }  // of the buffer
  std::string text() const;

 private:
  struct List {
    std::string text;
    int count = 0;
  };
  std::map<std::string, List> lists_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pliant
