#include "core/archive.h"

#include <cstring>

namespace pliant {

Archive Archive::saving() { return Archive(Mode::save); }
Archive Archive::hashing() { return Archive(Mode::hash); }

Archive Archive::loading(std::span<const std::byte> bytes) {
  Archive archive(Mode::load);
  archive.input_ = bytes;
  return archive;
}

std::uint64_t Archive::tag(const char* name, std::uint64_t count) {
  const std::uint64_t expected = hash_of(std::string(name));
  std::uint64_t found = expected;
  raw(&found, sizeof found);
  if (found != expected)
    throw ArchiveError(std::string("the saved state has no \"") + name + "\" here");
  raw(&count, sizeof count);
  return count;
}

void Archive::check_room(const char* name, std::uint64_t count, std::size_t size) const {
  if (count > (input_.size() - position_) / size)
    throw ArchiveError(std::string("the saved state ends inside \"") + name + "\"");
}

void Archive::raw(void* data, std::size_t bytes) {
  if (bytes == 0) return;  // data may be null then
  if (mode_ == Mode::hash) {
    hash_.add({static_cast<const std::byte*>(data), bytes});
    return;
  }
  if (mode_ == Mode::save) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
    return;
  }
  if (bytes > input_.size() - position_) throw ArchiveError("the saved state ends too early");
  std::memcpy(data, input_.data() + position_, bytes);
  position_ += bytes;
}

void Archive::hash_doubles(const double* data, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const double canonical = data[i] + 0.0;  // -0 + 0 = +0
    std::uint64_t word;
    std::memcpy(&word, &canonical, sizeof word);
    hash_.add(word);
  }
}

void Archive::text(const char* name, std::string& value) {
  const std::uint64_t count = tag(name, value.size());
  if (is_loading()) {
    check_room(name, count, 1);
    value.resize(count);
  }
  raw(value.data(), value.size());
}

}  // namespace pliant
