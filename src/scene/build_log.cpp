#include "scene/build_log.h"

#include <filesystem>
#include <fmt/format.h>

#include "scene/json.h"

namespace pliant {

void BuildLog::note(const std::string& before, const std::string& name, const std::string& text) {
  const auto [found, is_new] = said_.insert({before + text, {notes.size(), name, -1}});
  Said& said = found->second;
  if (is_new) notes.emplace_back();
  const int others = ++said.others;
  notes[said.place] = fmt::format(
      "{}{}{}: {}", before, said.first,
      others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"), text);
}

void BuildLog::problem(std::string where, std::string what, std::string hint) {
  if (source.is_model) where.clear();
  problems.push_back({source.file, std::move(where), std::move(what), std::move(hint)});
}

void BuildLog::problem(const std::string& where, const InputError& error) {
  for (const Problem& p : error.problems())
    problem(where, p.where.empty() ? p.what : fmt::format("({}) {}", p.where, p.what), p.hint);
}

void BuildLog::model_problem(const std::string& where, const std::string& written,
                             const InputError& error) {
  for (const Problem& p : error.problems()) {
    if (source.is_model) {
      problems.push_back({source.file, p.where, p.what, p.hint});
      continue;
    }
    const std::string file =
        p.file.empty() ? written : std::filesystem::path(p.file).filename().string();
    problem(where,
            fmt::format("is {}: {}{}{} {}", quote(written), file, p.where.empty() ? "" : " ",
                        p.where, p.what),
            p.hint);
  }
}

}  // namespace pliant
