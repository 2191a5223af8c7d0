#include "scene/words.h"

#include <algorithm>
#include <cctype>
#include <utility>

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

/// What people of other programs write for what is called otherwise here, in lower case.
constexpr std::pair<std::string_view, std::string_view> other_words[] = {
    {"pin", "pins"},
    {"fixed", "pins"},
    {"anchors", "pins"},
    {"e", "young"},
    {"youngs_modulus", "young"},
    {"elasticity", "young"},
    {"stiffness", "young"},
    {"nu", "poisson"},
    {"poissons_ratio", "poisson"},
    {"rho", "density"},
    {"mu", "friction"},
    {"force", "loads"},
    {"load", "loads"},
    {"forces", "loads"},
    {"handle", "handles"},
    {"probe", "probes"},
    {"body", "bodies"},
    {"objects", "bodies"},
    {"collider", "colliders"},
    {"obstacles", "colliders"},
    {"joints", "attachments"},
    {"ties", "attachments"},
    {"constraints", "attachments"},
    {"position", "place"},
    {"translate", "place"},
    {"location", "place"},
    {"rotation", "rotate"},
    {"orientation", "rotate"},
    {"colour", "color"},
    {"centered", "centre"},
    {"center", "centre"},
    {"units", "unit"},
    {"mesh", "file"},
    {"model", "file"},
    {"path", "file"},
    {"framerate", "fps"},
    {"frame_rate", "fps"},
    {"resolution", "cells"},
    {"output", "outputs"},
    {"stress", "von_mises"},
    {"mises", "von_mises"},
    {"vonmises", "von_mises"},
    {"pressure", "contact_pressure"},
    {"initial_velocity", "velocity"},
    {"cube", "box"},
    {"ball", "sphere"},
    {"ground", "plane"},
    {"floor", "plane"},
    {"halfspace", "half_space"}};

std::string other_word(std::string_view written, const std::vector<std::string>& known) {
  for (const auto& [word, meant] : other_words)
    if (std::equal(word.begin(), word.end(), written.begin(), written.end(),
                   [](char a, char b) { return a == lower(b); }) &&
        std::find(known.begin(), known.end(), meant) != known.end())
      return std::string(meant);
  return "";
}

}  // namespace

std::string nearest_word(std::string_view written, const std::vector<std::string>& known) {
  if (written.empty() || written.size() > 64) return "";
  if (std::string meant = other_word(written, known); !meant.empty()) return meant;
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
