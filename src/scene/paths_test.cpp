#include "scene/paths.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "scene/test_folder.h"

using namespace pliant;
namespace fs = std::filesystem;

TEST_CASE("a scene's path cannot leave its folder, whatever it is made of") {
  TestFolder outer;
  outer.add("secret.obj", "");
  outer.add("scene/mesh.obj", "");
  outer.add("scene/sub/part.obj", "");
  outer.add("scene-private/other.obj", "");
  const fs::path folder = outer.path() / "scene";
  fs::create_symlink(outer.path() / "secret.obj", folder / "link.obj");
  fs::create_directory_symlink(outer.path(), folder / "up");
  fs::create_symlink("loop.obj", folder / "loop.obj");
  fs::create_symlink("mesh.obj", folder / "alias.obj");
  mkfifo((folder / "pipe.obj").c_str(), 0600);
  const SceneSource source{"scene.json", folder, {}};

  for (const char* fine : {"mesh.obj", "./mesh.obj", "sub/part.obj", "sub/../mesh.obj", "alias.obj",
                           "sub//part.obj"}) {
    CAPTURE(fine);
    CHECK(resolve(source, fine).fine());
  }
  const std::string attacks[] = {"../secret.obj",
                                 "sub/../../secret.obj",
                                 "./../secret.obj",
                                 "..",
                                 ".",
                                 "/",
                                 "",
                                 "/etc/passwd",
                                 "//etc/passwd",
                                 "link.obj",
                                 "up/secret.obj",
                                 "up/scene/../secret.obj",
                                 "loop.obj",
                                 "../scene-private/other.obj",
                                 "pipe.obj",
                                 "sub",
                                 "sub/",
                                 "/dev/zero",
                                 "/dev/stdin",
                                 "/proc/self/mem",
                                 "~",
                                 "~/mesh.obj",
                                 "~root/mesh.obj",
                                 "$HOME/mesh.obj",
                                 "${HOME}/mesh.obj",
                                 "%2e%2e/secret.obj",
                                 "..%2fsecret.obj",
                                 "..\\secret.obj",
                                 "\\\\host\\share\\mesh.obj",
                                 "C:/mesh.obj",
                                 "C:mesh.obj",
                                 "file:mesh.obj",
                                 "file:///etc/passwd",
                                 "http://host/mesh.obj",
                                 "data:,v 0 0 0",
                                 "`id`",
                                 "$(id)",
                                 "mesh.obj;id",
                                 "| cat",
                                 std::string("mesh.obj\0.png", 13),
                                 std::string("\0", 1),
                                 "mesh.obj\n",
                                 std::string(5000, 'a'),
                                 std::string(400, '.') + "/secret.obj",
                                 (outer.path() / "scene/mesh.obj").string()};
  for (const std::string& attack : attacks) {
    CAPTURE(attack);
    CHECK(!resolve(source, attack).fine());
    CHECK(!resolve(source, attack).problem.empty());
  }
}

TEST_CASE("folders that the command line allows are open, and no others") {
  TestFolder outer;
  outer.add("models/a.obj", "");
  outer.add("models2/b.obj", "");
  outer.add("scene/scene.json", "");
  SceneSource source = source_of(outer.path() / "scene/scene.json", {outer.path() / "models/"});
  CHECK(resolve(source, "../models/a.obj").fine());
  CHECK(resolve(source, (outer.path() / "models/a.obj").string()).fine());
  CHECK(!resolve(source, "../models2/b.obj").fine());
  source.allowed = {"/"};
  CHECK(resolve(source, "../models2/b.obj").fine());
}
