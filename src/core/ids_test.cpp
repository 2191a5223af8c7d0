#include "core/ids.h"

#include <doctest/doctest.h>

using namespace pliant;

namespace {

struct Thing {
  Id<Thing> id;
};

}  // namespace

TEST_CASE("a name that was taken back is not given again, its place is") {
  IdTable<Thing> table;
  const Id<Thing> first = table.issue(), second = table.issue();
  CHECK(first != second);
  table.release(first);
  CHECK(!table.lives(first));
  CHECK(table.lives(second));
  const Id<Thing> third = table.issue();
  CHECK(third != first);
  CHECK(third.index == first.index);
  CHECK(table.count() == 2);
}

TEST_CASE("things that come, go, move and are copied have names of their own, and keep them") {
  IdTable<Thing> table;
  std::vector<Thing> things(3);
  table.update(things);
  CHECK(table.count() == 3);
  const Id<Thing> last = things[2].id, gone = things[0].id;
  things.erase(things.begin());
  things.push_back(things[1]);  // a copy
  things.emplace_back();
  table.update(things);
  CHECK(table.count() == 4);
  CHECK(!table.lives(gone));
  CHECK(place_of(things, last) == 1);
  CHECK(place_of(things, gone) == -1);
  CHECK(things[2].id != last);
  for (std::size_t i = 0; i < things.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) CHECK(things[i].id != things[k].id);
  things.clear();
  table.update(things);
  CHECK(table.count() == 0);
}

TEST_CASE("a name of another table counts as none") {
  IdTable<Thing> here, there;
  std::vector<Thing> things(1);
  for (int i = 0; i < 5; ++i) things[0].id = there.issue();
  here.update(things);
  CHECK(things[0].id == Id<Thing>{0, 0});
}
