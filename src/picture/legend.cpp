#include "picture/legend.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "picture/text.h"

namespace pliant {
namespace {

// Units before which a prefix is usual.
constexpr std::array<std::string_view, 10> with_prefix = {"Pa", "N",   "J",   "W",     "m",
                                                          "s",  "m/s", "N/m", "J/m^3", "Hz"};

struct Scale {
  double factor = 1;  // shown number times this = value
  std::string unit;
};

Scale scale_for(double largest, const std::string& unit) {
  if (!(largest > 0) || !std::isfinite(largest)) return {1, unit};
  const int thousands = int(std::floor(std::log10(largest) / 3 + 1e-9));
  const bool prefix = std::find(with_prefix.begin(), with_prefix.end(), unit) != with_prefix.end();
  if (prefix && thousands >= -3 && thousands <= 4) {
    static constexpr std::array names = {"n", "u", "m", "", "k", "M", "G", "T"};
    return {std::pow(1000.0, thousands), names[std::size_t(thousands + 3)] + unit};
  }
  if (largest >= 1e-3 && largest < 1e5) return {1, unit};
  const std::string power = fmt::format("1e{}", 3 * thousands);
  return {std::pow(1000.0, thousands), unit.empty() ? "x " + power : power + " " + unit};
}

bool all_end_with_zero(const std::array<std::string, 5>& text) {
  return std::all_of(text.begin(), text.end(), [](const std::string& t) {
    return t.find('.') != std::string::npos && (t.back() == '0' || t.back() == '.');
  });
}

// Dark on light, light on dark.
Vec3 ink_over(const Image& image, int left, int top, int width, int height) {
  double sum = 0;
  int count = 0;
  for (int y = std::max(0, top); y < std::min(image.height, top + height); ++y)
    for (int x = std::max(0, left); x < std::min(image.width, left + width); ++x, ++count)
      sum += 0.3 * image.at(x, y)[0] + 0.6 * image.at(x, y)[1] + 0.1 * image.at(x, y)[2];
  return count > 0 && sum / count < 110 ? Vec3(0.95, 0.96, 0.97) : Vec3(0.15, 0.17, 0.20);
}

struct Layout {
  int scale;
  int margin;
  std::vector<std::string> lines;  // title, broken between words, and unit
  std::vector<std::string> foot;   // what lies beyond the bar
  LegendNumbers numbers;
  int panel_left, panel_top, panel_width, panel_height;
  Bar bar;
};

std::vector<std::string> broken(const std::string& text, int scale, int width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string longer = line.empty() ? word : line + " " + word;
    if (!line.empty() && text_width(longer, scale) > width) {
      lines.push_back(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

Layout lay_out(const Legend& legend, int width, int height) {
  Layout layout;
  const int scale = layout.scale = text_scale(height);
  const int pad = 8 * scale, gap = 5 * scale, line = (text_height + 3) * scale;
  layout.margin = 12 * scale;
  layout.numbers = legend_numbers(legend);
  layout.lines = broken(legend.title, scale, 72 * scale);
  if (!layout.numbers.unit.empty()) layout.lines.push_back("[" + layout.numbers.unit + "]");

  for (const std::string& text : {layout.numbers.largest, layout.numbers.smallest})
    if (!text.empty()) layout.foot.push_back(text);

  int numbers_width = 0, lines_width = 0;
  for (const std::string& text : layout.numbers.text)
    numbers_width = std::max(numbers_width, text_width(text, scale));
  for (const std::string& text : layout.lines)
    lines_width = std::max(lines_width, text_width(text, scale));
  for (const std::string& text : layout.foot)
    lines_width = std::max(lines_width, text_width(text, scale));

  Bar& bar = layout.bar;
  bar.width = 12 * scale;
  bar.height = std::max(40 * scale, height * 2 / 5);
  const int inner = std::max(bar.width + gap + numbers_width, lines_width);
  const int head = int(layout.lines.size()) * line + gap;
  layout.panel_width = inner + 2 * pad;
  const int foot = layout.foot.empty() ? 0 : gap + int(layout.foot.size()) * line;
  layout.panel_height = head + bar.height + foot + 2 * pad;
  layout.panel_left = width - layout.margin - layout.panel_width;
  layout.panel_top = std::max(layout.margin, (height - layout.panel_height) / 2);
  bar.left = layout.panel_left + pad;
  bar.top = layout.panel_top + pad + head;
  return layout;
}

void draw_panel(Image& image, const Layout& layout) {
  const double radius = 5 * layout.scale;
  const double half_width = layout.panel_width / 2.0, half_height = layout.panel_height / 2.0;
  for (int v = 0; v < layout.panel_height; ++v)
    for (int u = 0; u < layout.panel_width; ++u) {
      const double x = std::max(0.0, std::abs(u + 0.5 - half_width) - (half_width - radius));
      const double y = std::max(0.0, std::abs(v + 0.5 - half_height) - (half_height - radius));
      const double inside = std::clamp(radius - std::hypot(x, y) + 0.5, 0.0, 1.0);
      blend(image, layout.panel_left + u, layout.panel_top + v, {0.97, 0.975, 0.98}, 0.72 * inside);
    }
}

std::string shortened(const std::string& text, int scale, int width) {
  if (text_width(text, scale) <= width) return text;
  std::size_t kept = text.size();
  while (kept > 0 && text_width(text.substr(0, kept) + "...", scale) > width) --kept;
  return kept > 0 ? text.substr(0, kept) + "..." : "";
}

std::string length_text(double metres) {
  if (metres < 0.9e-3) return fmt::format("{:g} um", metres * 1e6);
  if (metres < 0.9e-2) return fmt::format("{:g} mm", metres * 1e3);
  if (metres < 0.9) return fmt::format("{:g} cm", metres * 1e2);
  if (metres < 0.9e3) return fmt::format("{:g} m", metres);
  return fmt::format("{:g} km", metres / 1e3);
}

}  // namespace

LegendNumbers legend_numbers(const Legend& legend) {
  const ValueRange& range = legend.range;
  const Scale scale = scale_for(std::max(std::abs(range.low), std::abs(range.high)), legend.unit);
  const double step = std::abs(range.high - range.low) / 4 / scale.factor;
  const int decimals = step > 0 ? std::clamp(1 - int(std::floor(std::log10(step))), 0, 9) : 3;
  LegendNumbers numbers;
  numbers.unit = scale.unit;
  for (int i = 0; i < 5; ++i) {
    const double value = (range.low + (range.high - range.low) * i / 4) / scale.factor;
    const double half_digit = 0.5 * std::pow(10.0, -decimals);
    numbers.text[i] = fmt::format("{:.{}f}", std::abs(value) < half_digit ? 0.0 : value, decimals);
  }
  // A hundredth beyond is not seen in the colors.
  const double hardly = 0.01 * std::abs(range.high - range.low);
  if (legend.beyond && legend.beyond->high > range.high + hardly)
    numbers.largest = fmt::format("max {:.3g}", legend.beyond->high / scale.factor);
  if (legend.beyond && legend.beyond->low < range.low - hardly)
    numbers.smallest = fmt::format("min {:.3g}", legend.beyond->low / scale.factor);
  while (all_end_with_zero(numbers.text))
    for (std::string& text : numbers.text) {
      const bool point = text.back() == '.' || text[text.size() - 2] == '.';
      text.pop_back();
      if (point && text.back() == '.') text.pop_back();
    }
  return numbers;
}

void draw_legend(Image& image, const Legend& legend) {
  const Layout layout = lay_out(legend, image.width, image.height);
  const int scale = layout.scale;
  const Vec3 ink(0.15, 0.17, 0.20);
  draw_panel(image, layout);

  const Bar& bar = layout.bar;
  int y = bar.top - (text_height + 3) * scale * int(layout.lines.size()) - 5 * scale;
  for (const std::string& line : layout.lines) {
    draw_text(image, bar.left, y, line, ink, scale);
    y += (text_height + 3) * scale;
  }
  y = bar.top + bar.height + 8 * scale;
  for (const std::string& line : layout.foot) {
    draw_text(image, bar.left, y, line, ink, scale);
    y += (text_height + 3) * scale;
  }
  for (int v = 0; v < bar.height; ++v) {
    const Vec3 color = map_color(legend.map, 1 - double(v) / (bar.height - 1));
    for (int u = 0; u < bar.width; ++u) blend(image, bar.left + u, bar.top + v, color, 1);
  }
  for (int i = 0; i < 5; ++i) {
    const int row = bar.top + int(std::lround((bar.height - 1) * (1 - i / 4.0)));
    for (int u = 0; u < 3 * scale; ++u)
      for (int v = 0; v < scale; ++v)
        blend(image, bar.left + bar.width + u, row + v - scale / 2, ink, 0.7);
    draw_text(image, bar.left + bar.width + 5 * scale, row - 3 * scale, layout.numbers.text[i], ink,
              scale);
  }
}

double legend_room(const Legend& legend, int width, int height) {
  const Layout layout = lay_out(legend, width, height);
  return std::min(0.4, double(layout.panel_width + layout.margin) / width);
}

Bar legend_bar(const Legend& legend, int width, int height) {
  return lay_out(legend, width, height).bar;
}

void draw_caption(Image& image, const Caption& caption) {
  const int scale = text_scale(image.height);
  const int margin = 12 * scale, y = image.height - margin - 7 * scale;
  const std::string time = caption.time ? fmt::format("t = {:.2f} s", *caption.time) : "";
  const int room = image.width - 2 * margin - (time.empty() ? 0 : text_width("    " + time, scale));
  std::string left = shortened(caption.name, scale, room);
  if (caption.time) left += (left.empty() ? "" : "    ") + time;
  const int left_width = text_width(left, scale);
  draw_text(image, margin, y, left, ink_over(image, margin, y, left_width, 7 * scale), scale, 0.9);
  if (!caption.grid) return;
  const std::string right = "grid " + length_text(*caption.grid);
  const int right_width = text_width(right, scale), x = image.width - margin - right_width;
  if (x < margin + left_width + 10 * scale) return;  // a narrow picture: the name matters more
  draw_text(image, x, y, right, ink_over(image, x, y, right_width, 7 * scale), scale, 0.6);
}

}  // namespace pliant
