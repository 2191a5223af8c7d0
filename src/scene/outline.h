#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/fields.h"

namespace pliant {

/// What a walk must know about an object before it walks: the names of its fields and its short
/// forms.
struct Outline {
  std::vector<std::string> fields;
  std::string shorthand;  // empty = none
  bool names_member = false;
};

/// Changes nothing. The first shorthand wins, so that an object that includes another one keeps its
/// own.
Outline outline(const std::function<void(Fields&)>& describe);

/// "bodies" to "body", "pins" to "pin".
std::string singular(const std::string& list);

/// What messages and headings call an element of this list: "a body".
std::string with_article(const std::string& noun);

}  // namespace pliant
