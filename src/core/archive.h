#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/hash.h"

namespace pliant {

/// How a type is stored: as `count` scalars lying one after the other. Specialised in math/types.h
/// for vectors and matrices.
template <class T>
struct Stored {
  static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "say how this type is stored");
  using Scalar = T;
  static constexpr std::size_t count = 1;
};

/// A saved state does not fit the object it is loaded into.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The whole state of a simulation passes through here, in one fixed order: saved, loaded or hashed
/// by the same `archive()` functions, so that the three can never disagree. Whatever influences the
/// next step belongs in it.
class Archive {
 public:
  /// Collects bytes.
  static Archive saving();
  /// Reads bytes back; throws ArchiveError where names or sizes do not fit.
  static Archive loading(std::span<const std::byte> bytes);
  /// Only fingerprints. -0 counts as +0.
  static Archive hashing();

  bool is_loading() const { return mode_ == Mode::load; }

  template <class T>
  void value(const char* name, T& v) {
    tag(name, 1);
    scalars<T>(&v, 1);
  }

  /// The length is part of the state.
  template <class T>
  void array(const char* name, std::vector<T>& values) {
    const std::uint64_t count = tag(name, values.size());
    if (is_loading()) {
      check_room(name, count, sizeof(typename Stored<T>::Scalar) * Stored<T>::count);
      values.resize(count);
    }
    scalars<T>(values.data(), values.size());
  }

  void text(const char* name, std::string& value);

  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte> take_bytes() { return std::move(bytes_); }
  std::uint64_t hash() const { return hash_.value(); }
  bool at_end() const { return position_ == input_.size(); }

 private:
  enum class Mode { save, load, hash };
  explicit Archive(Mode mode) : mode_(mode) {}

  // Writes or checks the name, writes or returns the count.
  std::uint64_t tag(const char* name, std::uint64_t count);
  void check_room(const char* name, std::uint64_t count, std::size_t size) const;
  void raw(void* data, std::size_t bytes);
  void hash_doubles(const double* data, std::size_t count);

  template <class T>
  void scalars(T* data, std::size_t count) {
    using Scalar = typename Stored<T>::Scalar;
    static_assert(sizeof(T) == sizeof(Scalar) * Stored<T>::count, "padding would be saved");
    if constexpr (std::is_same_v<Scalar, double>) {
      if (mode_ == Mode::hash) {
        hash_doubles(reinterpret_cast<const double*>(data), count * Stored<T>::count);
        return;
      }
    }
    raw(data, count * sizeof(T));
  }

  Mode mode_;
  std::vector<std::byte> bytes_;      // saving
  std::span<const std::byte> input_;  // loading
  std::size_t position_ = 0;
  Hash hash_;
};

}  // namespace pliant
