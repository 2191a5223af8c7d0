#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/gltf_document.h"

namespace pliant {

/// Numbers of one accessor, row by row.
struct GltfValues {
  std::vector<double> number;
  int columns = 0;
  std::size_t rows() const { return columns == 0 ? 0 : number.size() / std::size_t(columns); }
};

/// With %20 and the like as what they stand for.
std::string decoded_uri(const std::string& uri);

/// The way from a document's accessors over views and buffers to their numbers. Every range is
/// checked against the bytes there are before anything is read or reserved.
class GltfAccessors {
 public:
  explicit GltfAccessors(const GltfDocument& document) : document_(document) {}

  /// Scalars, or vectors of two or three, sparse or not, as they are meant. `from` is the JSON path
  /// that names it.
  GltfValues read(std::uint64_t index, const std::string& from);

  /// The bytes of a buffer view, and of what is named by a URI: data:, or a file beside the model.
  std::string_view view(std::uint64_t index, const std::string& from, std::size_t& stride);
  std::string load_uri(const std::string& uri, const std::string& where, const char* what) const;

 private:
  using Json = GltfDocument::Json;

  std::string_view buffer(std::uint64_t index, const std::string& from);
  void read_rows(std::string_view bytes, std::size_t stride, std::uint64_t count, int component,
                 bool normalized, GltfValues& values, const std::string& where);
  void read_sparse(const Json& sparse, int component, bool normalized, GltfValues& values,
                   const std::string& where);

  const GltfDocument& document_;
  std::vector<std::optional<std::string>> loaded_;  // buffers that are not the binary chunk
};

}  // namespace pliant
