#include "scene/landscape.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <numbers>

#include "core/files.h"
#include "scene/json.h"

namespace pliant {
namespace {

constexpr std::size_t most_heights = 4'000'000;

/// Numbers of a line, apart by blanks, commas or semicolons. False when something else is there.
bool read_row(const std::string& line, std::vector<double>& numbers) {
  const char* at = line.c_str();
  while (true) {
    while (*at == ' ' || *at == '\t' || *at == ',' || *at == ';' || *at == '\r') ++at;
    if (*at == '\0') return true;
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    if (end == at || !std::isfinite(value) || std::abs(value) > 1e9) return false;
    numbers.push_back(value);
    at = end;
  }
}

struct Table {
  int columns = 0;
  std::vector<double> heights;
};

std::optional<Table> read_table(const std::string& file, const std::string& where, BuildLog& log) {
  const ResolvedPath found = resolve(log.source, file);
  if (!found.fine()) {
    log.problem(where, found.problem, found.hint);
    return std::nullopt;
  }
  const std::string text = read_text_file(found.path);
  Table table;
  int line_number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    ++line_number;
    const std::size_t before = table.heights.size();
    if (!line.empty() && line[0] == '#') continue;
    if (!read_row(line, table.heights)) {
      log.problem(where, fmt::format("is {}; line {} of it has something else than numbers",
                                     quote(file), line_number));
      return std::nullopt;
    }
    const int count = int(table.heights.size() - before);
    if (count == 0) continue;
    if (table.columns == 0) table.columns = count;
    if (count != table.columns || table.heights.size() > most_heights) {
      log.problem(
          where,
          fmt::format("is {}; line {} has {} numbers, the first has {}", quote(file), line_number,
                      count, table.columns),
          fmt::format("a table has equally long lines and at most {} numbers", most_heights));
      return std::nullopt;
    }
  }
  if (table.columns >= 2 && table.heights.size() >= 2 * std::size_t(table.columns)) return table;
  log.problem(where, fmt::format("is {}, which has no two lines of two numbers", quote(file)));
  return std::nullopt;
}

}  // namespace

std::optional<Heightfield> make_heightfield(HeightfieldDescription& description,
                                            const std::string& where, BuildLog& log) {
  const Vec2& size = description.size;
  if (description.file) {
    std::optional<Table> table = read_table(*description.file, where + "/file", log);
    if (!table) return std::nullopt;
    for (double& height : table->heights) height *= description.scale;
    return Heightfield(table->columns, std::move(table->heights), size);
  }
  double shortest = 16 * size.maxCoeff();
  for (const WaveDescription& wave : description.waves) shortest = std::min(shortest, wave.length);
  if (!description.edge) description.edge = std::min(shortest / 16, size.minCoeff());
  const double across = size.x() / *description.edge, along = size.y() / *description.edge;
  if ((across + 2) * (along + 2) > double(most_heights)) {
    log.problem(where + "/edge",
                fmt::format("is {} m, which makes {:.3g} cells; at most {} are "
                            "allowed",
                            shown(*description.edge), across * along, most_heights));
    return std::nullopt;
  }
  const int columns = std::max(2, int(std::ceil(across)) + 1);
  const int rows = std::max(2, int(std::ceil(along)) + 1);
  std::vector<double> heights;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const double x = size.x() * (c / (columns - 1.0) - 0.5),
                   z = size.y() * (r / (rows - 1.0) - 0.5);
      double height = 0;
      for (const WaveDescription& wave : description.waves) {
        const double degree = std::numbers::pi / 180, angle = wave.direction * degree;
        const double way = std::cos(angle) * x + std::sin(angle) * z;
        height +=
            wave.height * std::cos(2 * std::numbers::pi * way / wave.length + wave.phase * degree);
      }
      heights.push_back(height);
    }
  return Heightfield(columns, std::move(heights), size);
}

}  // namespace pliant
