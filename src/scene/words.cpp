#include "scene/words.h"

#include <algorithm>
#include <cctype>

namespace pliant {
namespace {

char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }

/// Edit distance with swaps of neighbours (optimal string alignment).
int distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_word(std::string_view written, const std::vector<std::string>& known) {
  if (written.empty() || written.size() > 64) return "";
  std::string best;
  int fewest = 1 << 20;
  for (const std::string& word : known) {
    if (word.empty() || word.size() > 64) continue;
    const int edits = distance(written, word);
    // A third of the letters may be wrong; "youngs_modulous" still begins with "young".
    const bool begins = word.size() >= 3 && written.starts_with(word);
    const int tolerance = std::max(1, int(std::max(written.size(), word.size())) / 3);
    if (edits > tolerance && !begins) continue;
    if (edits < fewest) {
      fewest = edits;
      best = word;
    }
  }
  return best;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += between;
    text += words[i];
  }
  return text;
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && i + 1 == words.size()) text += ' ' + std::string(last) + ' ';
    else if (i > 0) text += ", ";
    text += words[i];
  }
  return text;
}

}  // namespace pliant
