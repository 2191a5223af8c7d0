// Stands in for cad.cpp and the others with OpenCASCADE in a build without it.
#include "core/errors.h"
#include "formats/cad.h"
#include "formats/cad_borders.h"

namespace pliant {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw InputError(path.string(), "", "is a CAD file, and pliant was built without CAD files",
                   "install libocct-data-exchange-dev and build again, or use STL or OBJ");
}

}  // namespace

bool has_cad() { return false; }
CadModel read_cad(const std::filesystem::path& path) { refuse(path); }
std::vector<FaceBorder> read_cad_borders(const std::filesystem::path& path, double, double) {
  refuse(path);
}
struct CadWriter::Source {};
CadWriter::CadWriter(const std::filesystem::path&) {}
CadWriter::~CadWriter() = default;
void CadWriter::write(const std::filesystem::path& path, const std::vector<NurbsPatch>&) const {
  refuse(path);
}

}  // namespace pliant
