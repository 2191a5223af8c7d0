#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

/// What is said about any field.
struct Note {
  const char* help = "";
  bool required = false;
  const char* computed = nullptr;  // how the value is chosen when it is left out
};

/// What is said about a number.
struct Range {
  const char* unit = "";
  double above = -std::numeric_limits<double>::infinity();
  double at_least = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  double at_most = std::numeric_limits<double>::infinity();
  const char* help = "";
  bool required = false;
  const char* computed = nullptr;
};

class Fields;

namespace detail {
// Found by argument-dependent look-up, so that `describe` may be declared after this header.
template <class T>
void describe_value(Fields& fields, T& value) {
  describe(fields, value);
}
}  // namespace detail

/// Access to a list or map without knowing what it holds.
class Elements {
 public:
  virtual ~Elements() = default;
  virtual int size() const = 0;
  virtual std::string key(int i) const = 0;       // maps only
  virtual void grow(const std::string& key) = 0;  // appends a default element
  virtual void describe(Fields& fields, int i) = 0;
  virtual void describe_default(Fields& fields) = 0;  // one element as it is before reading
  // A list that may be left out, which is not the same as an empty one.
  virtual bool given() const { return true; }
  virtual void give() {}
};

/// Every setting is described once, by a function `describe(Fields&, T&)` beside its struct.
/// Reading, checking, writing with all defaults, the JSON schema and the reference page are all
/// walks over that one description: implementations of this class (see scene/).
///
///   void describe(Fields& fields, Elastic& e) {
///     fields.number("young", e.young, {.unit = "Pa", .above = 0, .help = "stiffness in tension"});
///   }
class Fields {
 public:
  virtual ~Fields() = default;

  // Leaves. `present` is null for fields that always have a value; otherwise it tells (writing) or
  // is told (reading) whether the field was given.
  virtual void numbers(const char* name, std::span<double> value, bool* present, const Range&) = 0;
  virtual void integer(const char* name, int& value, bool* present, const Range&) = 0;
  virtual void flag(const char* name, bool& value, const Note&) = 0;
  virtual void text(const char* name, std::string& value, bool* present, const Note&) = 0;
  /// A path to a file, relative to the scene; the reader resolves and checks it.
  virtual void file(const char* name, std::string& value, bool* present, const Note&) = 0;
  virtual void choice(const char* name, int& index, std::span<const char* const> names,
                      const Note&) = 0;

  // Branches.
  virtual void object(const char* name, bool* present, const Note&,
                      const std::function<void(Fields&)>& describe) = 0;
  virtual void list(const char* name, Elements& elements, const Note&) = 0;
  virtual void map(const char* name, Elements& elements, const Note&) = 0;

  // Statements about the object being described.
  /// The object may be written as a bare text, meaning only this field.
  virtual void shorthand(const char* field) = 0;
  /// The object may be written as a bare text that names the one member meant: "tets" = {"tets":
  /// {}}.
  virtual void shorthand_names_member() = 0;
  /// Exactly one (or at most one) of these members must be given.
  virtual void exactly_one(std::span<const char* const> names) = 0;
  virtual void at_most_one(std::span<const char* const> names) = 0;
  /// A rule that no range can say. `what` is a sentence after the field's path. Only readers care.
  virtual void check(bool /*fine*/, const char* /*field*/, const std::string& /*what*/) {}

  // Conveniences over the above.
  void number(const char* name, double& value, const Range& range = {}) {
    numbers(name, {&value, 1}, nullptr, range);
  }
  void number(const char* name, std::optional<double>& value, const Range& range = {}) {
    optional(value, [&](double& inner, bool* present) {
      numbers(name, {&inner, 1}, present, range);
    });
  }
  void integer(const char* name, int& value, const Range& range = {}) {
    integer(name, value, nullptr, range);
  }
  void integer(const char* name, std::optional<int>& value, const Range& range = {}) {
    optional(value, [&](int& inner, bool* present) { integer(name, inner, present, range); });
  }
  void text(const char* name, std::string& value, const Note& note = {}) {
    text(name, value, nullptr, note);
  }
  void text(const char* name, std::optional<std::string>& value, const Note& note = {}) {
    optional(value, [&](std::string& inner, bool* present) { text(name, inner, present, note); });
  }
  /// Anything with `double* data()` and a fixed `size()`: Vec3.
  template <class Vector>
  void vector(const char* name, Vector& value, const Range& range = {}) {
    numbers(name, {value.data(), std::size_t(value.size())}, nullptr, range);
  }
  template <class Vector>
  void vector(const char* name, std::optional<Vector>& value, const Range& range = {}) {
    bool present = value.has_value();
    Vector inner;  // a new Eigen vector holds anything
    std::fill_n(inner.data(), inner.size(), 0.0);
    if (value) inner = *value;
    numbers(name, {inner.data(), std::size_t(inner.size())}, &present, range);
    if (present) value = inner;
    else value.reset();
  }
  template <class T>
  void object(const char* name, T& value, const Note& note = {}) {
    object(name, nullptr, note, [&](Fields& inner) { detail::describe_value(inner, value); });
  }
  template <class T>
  void object(const char* name, std::optional<T>& value, const Note& note = {}) {
    optional(value, [&](T& inside, bool* present) {
      object(name, present, note, [&](Fields& inner) { detail::describe_value(inner, inside); });
    });
  }
  template <class T>
  void list(const char* name, std::vector<T>& values, const Note& note = {});
  /// A list that may be left out, which is not the same as an empty one.
  template <class T>
  void list(const char* name, std::optional<std::vector<T>>& values, const Note& note = {});
  template <class T>
  void map(const char* name, std::vector<std::pair<std::string, T>>& values, const Note& note = {});

 private:
  template <class T, class Visit>
  static void optional(std::optional<T>& value, const Visit& visit) {
    bool present = value.has_value();
    T inner = value.value_or(T());
    visit(inner, &present);
    if (present) value = std::move(inner);
    else value.reset();
  }
};

namespace detail {
template <class T>
struct ListElements : Elements {
  explicit ListElements(std::vector<T>& v) : values(v) {}
  int size() const override { return int(values.size()); }
  std::string key(int i) const override { return std::to_string(i); }
  void grow(const std::string&) override { values.emplace_back(); }
  void describe(Fields& fields, int i) override { describe_value(fields, values[i]); }
  void describe_default(Fields& fields) override {
    T value{};
    describe_value(fields, value);
  }
  std::vector<T>& values;
};
}  // namespace detail

template <class T>
void Fields::list(const char* name, std::vector<T>& values, const Note& note) {
  detail::ListElements<T> access(values);
  list(name, access, note);
}

template <class T>
void Fields::list(const char* name, std::optional<std::vector<T>>& values, const Note& note) {
  struct Access : detail::ListElements<T> {
    Access(std::vector<T>& v, bool given) : detail::ListElements<T>(v), is_given(given) {}
    bool given() const override { return is_given; }
    void give() override { is_given = true; }
    bool is_given;
  };
  std::vector<T> inner = values.value_or(std::vector<T>());
  Access access(inner, values.has_value());
  list(name, access, note);
  if (access.is_given) values = std::move(inner);
}

template <class T>
void Fields::map(const char* name, std::vector<std::pair<std::string, T>>& values,
                 const Note& note) {
  struct Access : Elements {
    explicit Access(std::vector<std::pair<std::string, T>>& v) : values(v) {}
    int size() const override { return int(values.size()); }
    std::string key(int i) const override { return values[i].first; }
    void grow(const std::string& key) override { values.emplace_back(key, T{}); }
    void describe(Fields& fields, int i) override {
      detail::describe_value(fields, values[i].second);
    }
    void describe_default(Fields& fields) override {
      T value{};
      detail::describe_value(fields, value);
    }
    std::vector<std::pair<std::string, T>>& values;
  } access(values);
  map(name, access, note);
}

}  // namespace pliant
