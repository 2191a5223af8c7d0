#include "formats/cad_names.h"

#include <IGESData_IGESEntity.hxx>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepRepr_NextAssemblyUsageOccurrence.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopoDS_Iterator.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <unordered_map>

#include "formats/text.h"

// The same names that OpenCASCADE's XDE (STEPCAFControl, IGESCAFControl) puts on its labels, taken
// from where it takes them, the map of what each entity became: XDE itself would load 45 more
// libraries, a window system among them.

namespace pliant {
namespace {

constexpr std::size_t longest_name = 100;  // [bytes]

/// Programs write these where nobody gave a name.
bool is_placeholder(std::string_view name) {
  for (const char* const word : {"none", "TrimSrf", "unnamed"})
    if (equal_ignoring_case(name, word)) return true;
  if (name.starts_with("NAUO"))
    return std::all_of(name.begin() + 4, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return name.starts_with("Open CASCADE STEP translator") || name.starts_with("=>[");
}

/// Without what no terminal likes.
std::string plain_name(const Handle(TCollection_HAsciiString) & given) {
  if (given.IsNull()) return "";
  std::string name;
  for (const char c : trimmed(given->ToCString()))
    if (static_cast<unsigned char>(c) >= ' ' && c != 127) name += c;
  std::size_t end = std::min(longest_name, name.size());
  while (end < name.size() && end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // not within a letter
  name.resize(end);
  if (name.ends_with("(0)")) name.resize(name.size() - 3);  // the subscript of an IGES label
  return is_placeholder(name) ? "" : name;
}

void add(const std::string& name, std::vector<std::string>& names) {
  if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) return;
  names.push_back(name);
}

class NamesAround {
 public:
  explicit NamesAround(const XSControl_Reader& reader) {
    const Handle(Transfer_TransientProcess) process =
        reader.WS()->TransferReader()->TransientProcess();
    for (int i = 1; i <= process->NbMapped(); ++i) {
      const Handle(Transfer_Binder) binder = process->MapItem(i);
      if (binder.IsNull()) continue;
      const TopoDS_Shape shape = TransferBRep::ShapeResult(binder);
      if (shape.IsNull() || shape.ShapeType() > TopAbs_FACE) continue;
      const Handle(Standard_Transient) entity = process->Mapped(i);
      if (!is_above_faces(entity, shape)) continue;
      const bool is_use = entity->IsKind(STANDARD_TYPE(StepRepr_NextAssemblyUsageOccurrence));
      if (const std::string name = name_of(entity); !name.empty())
        named_[shape.TShape().get()].push_back({name, shape.Location(), is_use});
    }
  }

  /// `around`: names of what `shape` is in, innermost first.
  void walk(const TopoDS_Shape& shape, const std::vector<std::string>& around,
            std::vector<std::vector<std::string>>& found) const {
    const std::vector<std::string> names = with_names_of(shape, around);
    if (shape.ShapeType() == TopAbs_FACE) {
      found.push_back(names);
      return;
    }
    for (TopoDS_Iterator i(shape, false, false); i.More(); i.Next())
      if (i.Value().ShapeType() <= TopAbs_FACE) walk(i.Value(), names, found);
  }

 private:
  struct Named {
    std::string name;
    TopLoc_Location place;
    bool is_use;  // of a product in an assembly: at this place only
  };

  std::vector<std::string> with_names_of(const TopoDS_Shape& shape,
                                         const std::vector<std::string>& around) const {
    const auto found = named_.find(shape.TShape().get());
    if (found == named_.end()) return around;
    std::vector<std::string> names;
    for (const bool is_use : {false, true})
      for (const Named& named : found->second)
        if (named.is_use == is_use && (!is_use || named.place.IsEqual(shape.Location())))
          add(named.name, names);
    for (const std::string& name : around) add(name, names);
    return names;
  }

  std::unordered_map<const TopoDS_TShape*, std::vector<Named>> named_;
};

}  // namespace

bool is_above_faces(const Handle(Standard_Transient) & entity, const TopoDS_Shape& shape) {
  if (shape.ShapeType() < TopAbs_FACE) return true;
  const auto item = Handle(IGESData_IGESEntity)::DownCast(entity);
  constexpr int group = 402, assembly = 184, solid = 186, use = 408;
  const int type = item.IsNull() ? 0 : item->TypeNumber();
  return type == group || type == assembly || type == solid || type == use;
}

std::string name_of(const Handle(Standard_Transient) & entity) {
  if (const auto item = Handle(StepRepr_RepresentationItem)::DownCast(entity); !item.IsNull())
    return plain_name(item->Name());
  if (const auto item = Handle(IGESData_IGESEntity)::DownCast(entity); !item.IsNull())
    return plain_name(item->NameValue());
  if (const auto use = Handle(StepRepr_NextAssemblyUsageOccurrence)::DownCast(entity);
      !use.IsNull())
    return plain_name(use->Name());
  const auto definition = Handle(StepBasic_ProductDefinition)::DownCast(entity);
  if (definition.IsNull() || definition->Formation().IsNull()) return "";
  const Handle(StepBasic_Product) product = definition->Formation()->OfProduct();
  if (product.IsNull()) return "";
  const std::string name = plain_name(product->Name());
  return name.empty() ? plain_name(product->Id()) : name;
}

std::vector<std::vector<std::string>> names_around_faces(const TopoDS_Shape& whole,
                                                         const XSControl_Reader& reader) {
  std::vector<std::vector<std::string>> found;
  NamesAround(reader).walk(whole, {}, found);
  return found;
}

}  // namespace pliant
