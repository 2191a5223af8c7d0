#pragma once

#include <memory>
#include <span>
#include <string>

#include "body/solid.h"

namespace pliant {

struct MethodKind {
  const char* name;  // the word users write
  const char* help;
  std::unique_ptr<MethodSettings> (*settings)();
};

/// Every method there is, in the order in which help lists them.
std::span<const MethodKind> registered_methods();

/// nullptr when there is no such method.
const MethodKind* find_method(const std::string& name);

}  // namespace pliant
