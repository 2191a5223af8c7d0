# Everything a newcomer needs; `make help` lists it. The build itself is CMake's (see CMakeLists.txt).
BUILD := build
JOBS := $(shell nproc 2>/dev/null || echo 2)
NINJA = $(if $(shell command -v ninja),-G Ninja)
CONFIGURE = cmake --preset $(1) $(NINJA) --log-level=WARNING

.PHONY: help deps deps-demo deps-check build demo test sanitize tsan bench format docs gallery clean

help:
	@echo "make demo      install what is needed, build, film a falling soft body"
	@echo "make test      build and run all tests"
	@echo "make build     build $(BUILD)/pliant"
	@echo "make deps      install every package that building, testing and developing need"
	@echo "make deps-check  programs that tests compare with, if they are there: Blender, VTK, glTF validator, CalculiX (1 GB)"
	@echo "make sanitize  unit tests and three scenes under the address and undefined-behaviour sanitizers"
	@echo "make tsan      unit tests and three scenes under the thread sanitizer"
	@echo "make bench     the benchmark tables, into docs/speed.md"
	@echo "make docs      write docs/scene.md and scenes' pictures anew"
	@echo "make gallery   make the pictures of the README anew"
	@echo "make format    clang-format over the sources"
	@echo "make clean     remove what was built"

deps:
	@tools/deps.sh demo test develop

deps-demo:
	@tools/deps.sh demo

deps-check:
	@tools/deps.sh check
	@command -v npm >/dev/null || tools/deps.sh node
	@npm install --silent --no-audit --no-fund --prefix $(BUILD)/node gltf-validator

build: deps-demo
	@$(call CONFIGURE,release)$(if $(wildcard $(BUILD)/CMakeCache.txt),, -DPLIANT_TESTS=OFF)
	@cmake --build $(BUILD) --target pliant -j $(JOBS)

demo: build
	@$(BUILD)/pliant run scenes/drop/scene.json -o out/demo --overwrite

test:
	@tools/deps.sh demo test
	@$(call CONFIGURE,release) -DPLIANT_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/run_tests.sh $(BUILD)

sanitize tsan:
	@tools/deps.sh demo test
	@$(call CONFIGURE,$@) -DPLIANT_TESTS=ON
	@cmake --build build-$@ -j $(JOBS)
	@tools/run_tests.sh build-$@ -L 'unit|smoke'

bench: deps build
	@{ echo "# Speed"; echo; echo "Written by \`make bench\`. Times are of one machine on one day; ratios are what counts. docs/methods explain the columns."; echo; \
	  $(BUILD)/pliant bench --markdown; } > docs/speed.md.part && mv docs/speed.md.part docs/speed.md && cat docs/speed.md

docs: build
	@$(BUILD)/pliant schema --reference > docs/scene.md.part && mv docs/scene.md.part docs/scene.md
	@tools/scene_pictures.sh $(BUILD)/pliant

gallery: build
	@tools/gallery.sh $(BUILD)/pliant

format:
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	@rm -rf build build-debug build-sanitize build-tsan out
