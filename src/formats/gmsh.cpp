#include "formats/gmsh.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "formats/scanner.h"
#include "formats/text.h"

namespace pliant {
namespace {

constexpr int tet4 = 4, tet10 = 11, triangle3 = 2, triangle6 = 9;

// How many nodes an element has, by its type; 0 when unknown. (Gmsh reference manual, "MSH file
// format".)
int nodes_of(std::int64_t type) {
  constexpr int nodes[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                           8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  if (type == 92) return 64;
  if (type == 93) return 125;
  return type > 0 && type < std::int64_t(std::size(nodes)) ? nodes[type] : 0;
}

int corners_of(std::int64_t type) {
  if (type == tet4 || type == tet10) return 4;
  return type == triangle3 || type == triangle6 ? 3 : 0;
}

// Whole numbers of one line; the place for messages is that of the line.
class Row {
 public:
  explicit Row(Scanner& scan) : scan_(scan) {}

  void next(const char* what) {
    if (!scan_.filled_line(rest_))
      scan_.refuse(fmt::format("is where the file ends too early, before {}", what));
  }
  std::int64_t whole(const char* what) {
    const std::string_view word = next_word(rest_);
    std::int64_t value = 0;
    if (word.empty()) scan_.refuse(fmt::format("ends before {}", what));
    if (!parse_integer(word, value))
      scan_.refuse(fmt::format("has {} where {} must be, a whole number", in_quotes(word), what));
    return value;
  }

 private:
  Scanner& scan_;
  std::string_view rest_;
};

class GmshReader {
 public:
  GmshReader(std::string_view bytes, const std::string& file, std::vector<std::string>* warnings)
      : file_(file), scan_(bytes, file), row_(scan_), cells_(file, 0, warnings) {}

  Solid read() {
    read_format();
    std::string_view line;
    while (scan_.filled_line(line)) {
      if (!line.starts_with('$'))
        scan_.refuse(
            fmt::format("has {} where a section such as $Nodes must start", in_quotes(line)));
      const std::string name(line.substr(1));
      if (name == "Nodes") is_4() ? read_nodes_4() : read_nodes_2();
      else if (name == "Elements") read_elements();
      pass_end(name, name == "Nodes" || name == "Elements");
    }
    return cells_.finish();
  }

 private:
  bool is_4() const { return version_ >= 4; }

  void read_format() {
    std::string_view line;
    if (!scan_.filled_line(line) || line != "$MeshFormat")
      scan_.refuse("does not start with $MeshFormat", "Gmsh files of version 1 cannot be read");
    if (!scan_.filled_line(line)) scan_.refuse("is where the file ends, before its version");
    const std::string_view version = next_word(line), kind = next_word(line);
    std::int64_t size = 0;
    const bool known = parse_number(version, version_) == NumberKind::finite &&
                       ((version_ >= 2 && version_ < 3) || version == "4.1");
    if (!known)
      scan_.refuse(fmt::format("says version {}; 2.2 and 4.1 can be read", in_quotes(version)),
                   "gmsh a.msh -save -format msh41 -o b.msh converts it");
    if ((kind != "0" && kind != "1") || !parse_integer(next_word(line), size) ||
        (size != 8 && !(size == 4 && is_4())))
      scan_.refuse("must give version, 0 (text) or 1 (binary) and the size of a number (8)");
    size_ = size == 8 ? NumberType::uint64 : NumberType::uint32;
    if (kind == "1") find_byte_order();
    pass_end("MeshFormat", true);
  }

  // The number 1 stands there for this.
  void find_byte_order() {
    Scanner other = scan_;
    scan_.expect_bytes(std::endian::little);
    other.expect_bytes(std::endian::big);
    const std::int64_t little = scan_.whole(NumberType::int32, "the mark of the byte order");
    const std::int64_t big = other.whole(NumberType::int32, "the mark of the byte order");
    if (little == 1) return;
    if (big != 1) scan_.refuse(fmt::format("has {} as mark of the byte order, not 1", little));
    scan_ = other;
  }

  // `read`: all of the section was read, so its end must come next.
  void pass_end(const std::string& name, bool read) {
    std::string_view line;
    const std::string end = "$End" + name;
    if (!read) {
      if (!scan_.skip_past(end)) scan_.refuse(fmt::format("is in ${}, which has no end", name));
      scan_.line(line);
      return;
    }
    if (!scan_.filled_line(line))
      scan_.refuse(fmt::format("is where the file ends too early, before {}", end));
    if (line != end) scan_.refuse(fmt::format("has {} where {} must be", in_quotes(line), end));
  }

  std::int64_t count_line(const char* what) {
    row_.next(what);
    return row_.whole(what);
  }

  void add_node(std::int64_t tag, const Vec3& p, const Place& place) {
    nodes_.push_back({tag, int(cells_.points())});
    cells_.add_point(p, tag, place);
  }

  void reserve_nodes(std::int64_t more) {
    nodes_.reserve(nodes_.size() + std::size_t(more));
    cells_.reserve_points(more);
  }

  Vec3 read_point() {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = scan_.real(NumberType::float64, "a coordinate");
    return p;
  }

  void read_nodes_2() {
    const std::int64_t count = count_line("the number of nodes");
    scan_.check_room(count, 8, 28, "nodes");
    reserve_nodes(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t tag = scan_.whole(NumberType::int32, "the tag of a node");
      const Place place = scan_.place();
      add_node(tag, read_point(), place);
    }
  }

  void read_nodes_4() {
    const std::int64_t blocks = scan_.whole(size_, "the number of blocks");
    const std::int64_t count = scan_.whole(size_, "the number of nodes");
    scan_.skip(2, size_, "the range of tags");
    scan_.check_room(blocks, 8, 20, "blocks of nodes");
    scan_.check_room(count, 8, 28, "nodes");
    reserve_nodes(count);
    std::vector<std::int64_t> tags;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = scan_.whole(NumberType::int32, "the dimension of a block");
      scan_.skip(1, NumberType::int32, "the tag of a block");
      const bool parametric = scan_.whole(NumberType::int32, "a block's mark") != 0;
      const std::int64_t here = scan_.whole(size_, "the number of nodes in a block");
      if (dimension < 0 || dimension > 3)
        scan_.refuse(fmt::format("ends the header of a block with dimension {}", dimension));
      scan_.check_room(here, 8, 28, "nodes");
      tags.clear();
      for (std::int64_t i = 0; i < here; ++i)
        tags.push_back(scan_.whole(size_, "the tag of a node"));
      for (const std::int64_t tag : tags) {
        const Vec3 p = read_point();
        const Place place = scan_.place();
        if (parametric) scan_.skip(std::uint64_t(dimension), NumberType::float64, "a parameter");
        add_node(tag, p, place);
      }
    }
  }

  void read_elements() {
    sort_nodes();
    if (is_4()) read_elements_4();
    else if (scan_.is_text()) read_elements_2_text();
    else read_elements_2_binary();
  }

  void read_elements_2_text() {
    const std::int64_t count = count_line("the number of elements");
    scan_.check_room(count, 8, 8, "elements");
    for (std::int64_t i = 0; i < count; ++i) {
      row_.next("an element");
      const std::int64_t number = row_.whole("the number of an element");
      const std::int64_t type = row_.whole("the type of an element");
      const std::int64_t tags = row_.whole("the number of tags");
      for (std::int64_t k = 0; k < tags; ++k) row_.whole("a tag");
      add_row(type, number);
    }
  }

  void read_elements_2_binary() {
    const std::int64_t count = count_line("the number of elements");
    scan_.check_room(count, 8, 8, "elements");
    constexpr NumberType int32 = NumberType::int32;
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t type = scan_.whole(int32, "the type of a block");
      const std::int64_t here = scan_.whole(int32, "the size of a block");
      const std::int64_t tags = scan_.whole(int32, "the number of tags");
      if (here < 1 || here > count - done || tags < 0)
        scan_.refuse(
            fmt::format("ends the header of a block with {} elements and {} tags; {} "
                        "elements are left",
                        here, tags, count - done));
      for (std::int64_t i = 0; i < here; ++i) {
        const std::int64_t number = scan_.whole(int32, "the number of an element");
        const Place place = scan_.place();
        scan_.skip(std::uint64_t(tags), int32, "a tag");
        add_bytes(type, number, int32, place);
      }
      done += here;
    }
  }

  void read_elements_4() {
    const std::int64_t blocks = scan_.whole(size_, "the number of blocks");
    scan_.skip(3, size_, "the number of elements and the range of tags");
    scan_.check_room(blocks, 8, 20, "blocks of elements");
    for (std::int64_t b = 0; b < blocks; ++b) {
      scan_.skip(2, NumberType::int32, "the dimension and the tag of a block");
      const std::int64_t type = scan_.whole(NumberType::int32, "the type of a block");
      const std::int64_t here = scan_.whole(size_, "the number of elements in a block");
      scan_.check_room(here, 4, 8, "elements");
      for (std::int64_t i = 0; i < here; ++i) {
        if (scan_.is_text()) {
          row_.next("an element");
          add_row(type, row_.whole("the tag of an element"));
        } else {
          const std::int64_t number = scan_.whole(size_, "the tag of an element");
          add_bytes(type, number, size_, scan_.place());
        }
      }
    }
  }

  // The nodes are the rest of the line, so types that we do not know can be left out, too.
  void add_row(std::int64_t type, std::int64_t number) {
    std::array<std::int64_t, 4> tags{};
    for (int k = 0; k < corners_of(type); ++k) tags[k] = row_.whole("a node");
    add_element(type, number, tags, scan_.place());
  }

  void add_bytes(std::int64_t type, std::int64_t number, NumberType as, const Place& place) {
    const int nodes = nodes_of(type), corners = corners_of(type);
    if (nodes == 0) scan_.refuse(fmt::format("starts an element of the unknown type {}", type));
    std::array<std::int64_t, 4> tags{};
    for (int k = 0; k < corners; ++k) tags[k] = scan_.whole(as, "a node");
    scan_.skip(std::uint64_t(nodes - corners), as, "a node");
    add_element(type, number, tags, place);
  }

  void add_element(std::int64_t type, std::int64_t number, std::array<std::int64_t, 4> corners,
                   const Place& place) {
    const int count = corners_of(type);
    if (count == 0) return cells_.skip(place);
    for (int k = 0; k < count; ++k) {
      const std::int64_t index = index_of(corners[k]);
      if (index < 0) {
        cells_.problems().add(
            place,
            fmt::format("gives element {} the node {}, which does not exist", number, corners[k]));
        return;
      }
      corners[k] = index;
    }
    if (count == 4) cells_.add_tet(corners, number, place);
    else cells_.add_triangle({corners[0], corners[1], corners[2]}, number, place);
  }

  void sort_nodes() {
    std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) {
      return a.tag != b.tag ? a.tag < b.tag : a.index < b.index;
    });
    for (std::size_t i = 1; i < nodes_.size(); ++i)
      if (nodes_[i].tag == nodes_[i - 1].tag)
        scan_.refuse(
            fmt::format("comes after two nodes with the tag {}, the nodes in place {} and "
                        "{} of the file",
                        nodes_[i].tag, nodes_[i - 1].index + 1, nodes_[i].index + 1));
  }

  std::int64_t index_of(std::int64_t tag) const {
    if (nodes_.empty() || tag < nodes_.front().tag || tag > nodes_.back().tag) return -1;
    // Most files number without gaps; then no search is needed.
    const std::uint64_t guess = std::uint64_t(tag) - std::uint64_t(nodes_.front().tag);
    if (guess < nodes_.size() && nodes_[guess].tag == tag) return nodes_[guess].index;
    const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), tag,
                                        [](const Node& n, std::int64_t t) { return n.tag < t; });
    return found->tag == tag ? found->index : -1;
  }

  struct Node {
    std::int64_t tag;
    int index;
  };

  std::string file_;
  Scanner scan_;
  Row row_;
  CellCollector cells_;
  double version_ = 0;
  NumberType size_ = NumberType::uint64;  // of counts and tags in binary files of version 4
  std::vector<Node> nodes_;               // by tag once the elements start
};

}  // namespace

Solid parse_gmsh(std::string_view bytes, const std::string& name,
                 std::vector<std::string>* warnings) {
  if (bytes.empty()) throw InputError(name, "", "is an empty file");
  return GmshReader(bytes, name, warnings).read();
}

}  // namespace pliant
