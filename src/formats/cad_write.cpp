#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRep_Builder.hxx>
#include <IGESBasic_Group.hxx>
#include <IGESBasic_Name.hxx>
#include <IGESControl_Writer.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_HArray1OfIGESEntity.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_IGESWriter.hxx>
#include <IGESData_Protocol.hxx>
#include <IGESGraph_Color.hxx>
#include <IGESSelect_WorkLibrary.hxx>
#include <Interface_Static.hxx>
#include <Quantity_Color.hxx>
#include <STEPConstruct.hxx>
#include <STEPConstruct_Part.hxx>
#include <STEPConstruct_Styles.hxx>
#include <STEPControl_ActorWrite.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <StepData_Protocol.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_StepWriter.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepShape_ShapeDefinitionRepresentation.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_MechanicalDesignGeometricPresentationRepresentation.hxx>
#include <StepVisual_PresentationStyleAssignment.hxx>
#include <StepVisual_StyledItem.hxx>
#include <TColStd_Array2OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopTools_MapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TransferBRep.hxx>
#include <TransferBRep_ShapeMapper.hxx>
#include <Transfer_FinderProcess.hxx>
#include <XSControl_TransferWriter.hxx>
#include <XSControl_WorkSession.hxx>
#include <fmt/format.h>
#include <span>
#include <sstream>

#include "core/errors.h"
#include "core/files.h"
#include "formats/cad.h"
#include "formats/cad_faces.h"
#include "formats/cad_trims.h"
#include "formats/text.h"

namespace pliant {
namespace {

constexpr double millimetres = 1e3;  // in a metre; OpenCASCADE works in mm
constexpr double degenerate = 1e-7;  // [mm] a side of a patch that short is a point

Handle(Geom_BSplineSurface) surface_of(const NurbsPatch& patch) {
  const int rows = patch.u.poles(), columns = patch.v.poles();
  TColgp_Array2OfPnt poles(1, rows, 1, columns);
  TColStd_Array2OfReal weights(1, rows, 1, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const Vec3 p = millimetres * patch.pole[i * columns + j];
      poles.SetValue(i + 1, j + 1, gp_Pnt(p.x(), p.y(), p.z()));
      weights.SetValue(i + 1, j + 1, patch.weight[i * columns + j]);
    }
  const CadKnots u(patch.u), v(patch.v);
  return new Geom_BSplineSurface(poles, weights, u.values(), v.values(), u.multiplicities(),
                                 v.multiplicities(), patch.u.degree, patch.v.degree);
}

/// Whether outside is where -du x dv points, by the triangles of the domain.
bool is_reversed(const NurbsPatch& patch) {
  double area = 0;
  for (const auto& [a, b, c] : patch.triangles) {
    const Vec2 p = patch.domain[b] - patch.domain[a], q = patch.domain[c] - patch.domain[a];
    area += p.x() * q.y() - p.y() * q.x();
  }
  return area < 0;
}

TopoDS_Face face_of(const NurbsPatch& patch, const FileFaces& source) {
  const Handle(Geom_BSplineSurface) surface = surface_of(patch);
  TopoDS_Face face;
  if (patch.face > 0 && !source.faces.empty())
    face = trimmed_like(source.faces[patch.face - 1].face, surface);
  else if (!patch.trims.empty()) face = trimmed_by(patch, surface);
  else face = BRepBuilderAPI_MakeFace(surface, degenerate).Face();
  return is_reversed(patch) ? TopoDS::Face(face.Reversed()) : face;
}

struct NamedFace {
  TopoDS_Face face;
  std::string name;
  std::vector<std::string> within;  // innermost first
  std::optional<Vec3> color;        // sRGB
};

/// What has a name and holds faces: assemblies hold products, these hold faces.
struct Branch {
  std::string name;
  std::vector<Branch> branches;  // of an assembly
  std::vector<int> faces;        // of all others

  bool is_assembly() const { return !branches.empty(); }
};

/// Runs of faces by what they are within, `depth` names from outside being the same.
Branch grown(const std::vector<NamedFace>& faces, const std::string& name, int begin, int end,
             std::size_t depth) {
  Branch branch{name, {}, {}};
  const auto next_name = [&](int f) {
    const std::vector<std::string>& within = faces[f].within;
    return depth < within.size() ? within[within.size() - 1 - depth] : std::string();
  };
  for (int from = begin, to = begin; from < end; from = to) {
    while (to < end && next_name(to) == next_name(from)) ++to;
    if (from == begin && to == end && next_name(from).empty()) {
      for (int f = begin; f < end; ++f) branch.faces.push_back(f);
      return branch;
    }
    const std::string inner = next_name(from);
    branch.branches.push_back(inner.empty() ? Branch{"", {}, {}}
                                            : grown(faces, inner, from, to, depth + 1));
    for (int f = from; inner.empty() && f < to; ++f) branch.branches.back().faces.push_back(f);
  }
  return branch;
}

Branch tree_of(const std::vector<NamedFace>& faces) {
  Branch tree = grown(faces, "", 0, int(faces.size()), 0);
  if (tree.branches.size() == 1) return Branch(std::move(tree.branches[0]));
  return tree;
}

/// Whether a name can be written. Letters beyond ASCII are bytes of UTF-8, which IGES knows not.
bool is_simple(const std::string& name, bool is_step) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    const bool is_beyond = static_cast<unsigned char>(c) >= 128;
    return is_beyond ? is_step : c >= ' ' && c <= '~' && c != '\'' && c != '\\';
  });
}

// Files made again have the same bytes, so they tell no date.
constexpr const char* step_date = "2000-01-01T00:00:00";
constexpr const char* iges_date = "20000101.000000";

// The writers of OpenCASCADE round to 10 and 13 digits, so we hold the pen: 17 digits are exact.
constexpr const char* all_digits = "%.16E";

void add_colors(const std::vector<NamedFace>& faces, STEPControl_Writer& writer) {
  STEPConstruct_Styles styles(writer.WS());
  STEPConstruct_DataMapOfAsciiStringTransient known;
  STEPConstruct_DataMapOfPointTransient mixed;
  Handle(StepRepr_RepresentationContext) context;
  for (const NamedFace& face : faces) {
    if (!face.color) continue;
    const Vec3& rgb = *face.color;
    const Handle(StepVisual_Colour) color = STEPConstruct_Styles::EncodeColor(
        Quantity_Color(rgb[0], rgb[1], rgb[2], Quantity_TOC_sRGB), known, mixed);
    const auto item =
        STEPConstruct::FindEntity(writer.WS()->TransferWriter()->FinderProcess(), face.face);
    if (item.IsNull()) continue;
    styles.AddStyle(item, styles.MakeColorPSA(item, color, {}, {}, 0), {});
    if (context.IsNull()) context = styles.FindContext(face.face);
  }
  Handle(StepVisual_MechanicalDesignGeometricPresentationRepresentation) all;
  if (styles.NbStyles() > 0 && styles.CreateMDGPR(context, all)) writer.Model()->AddWithRefs(all);
}

Handle(TCollection_HAsciiString) written(const std::string& name) {
  return new TCollection_HAsciiString(name.c_str());
}

/// OpenCASCADE would take either none or every compound for an assembly, of faces, too.
class StepActor : public STEPControl_ActorWrite {
 public:
  explicit StepActor(const TopTools_MapOfShape& assemblies) : assemblies_(assemblies) {}
  bool IsAssembly(TopoDS_Shape& shape) const override { return assemblies_.Contains(shape); }

 private:
  const TopTools_MapOfShape& assemblies_;
};

class StepController : public STEPControl_Controller {
 public:
  explicit StepController(const TopTools_MapOfShape& assemblies) {
    myAdaptorWrite = new StepActor(assemblies);
  }
};

/// A branch as a compound, with all that it holds.
struct StepBranches {
  const std::vector<NamedFace>& faces;
  TopTools_MapOfShape assemblies = {};
  std::vector<std::pair<TopoDS_Shape, std::string>> named = {};

  TopoDS_Compound compound(const Branch& branch) {
    BRep_Builder builder;
    TopoDS_Compound all;
    builder.MakeCompound(all);
    for (const Branch& inner : branch.branches) builder.Add(all, compound(inner));
    for (const int f : branch.faces) builder.Add(all, faces[f].face);
    if (branch.is_assembly()) assemblies.Add(all);
    if (is_simple(branch.name, true)) named.emplace_back(all, branch.name);
    return all;
  }
};

void name_product(const Handle(Transfer_FinderProcess) & process, const TopoDS_Shape& shape,
                  const std::string& name) {
  Handle(StepShape_ShapeDefinitionRepresentation) said;
  if (!process->FindTypedTransient(TransferBRep::ShapeMapper(process, shape),
                                   STANDARD_TYPE(StepShape_ShapeDefinitionRepresentation), said))
    return;
  STEPConstruct_Part product;
  product.ReadSDR(said);
  product.SetPname(written(name));
  product.SetPid(written(name));
}

bool write_step(const std::vector<NamedFace>& faces, std::ostream& out) {
  StepBranches branches{faces};
  const TopoDS_Compound whole = branches.compound(tree_of(faces));
  STEPControl_Writer writer;
  writer.WS()->SetController(new StepController(branches.assemblies));
  if (writer.Transfer(whole, STEPControl_AsIs) != IFSelect_RetDone) return false;
  const Handle(Transfer_FinderProcess) process = writer.WS()->TransferWriter()->FinderProcess();
  for (const auto& [shape, name] : branches.named) name_product(process, shape, name);
  for (const NamedFace& face : faces) {
    if (!is_simple(face.name, true)) continue;
    const auto item = STEPConstruct::FindEntity(process, face.face);
    if (!item.IsNull()) item->SetName(written(face.name));
  }
  add_colors(faces, writer);
  APIHeaderSection_MakeHeader header(writer.Model());
  header.SetTimeStamp(written(step_date));
  header.Apply(writer.Model());
  StepData_StepWriter text(writer.Model());
  text.FloatWriter().SetFormat(all_digits);
  text.SendModel(Handle(StepData_Protocol)::DownCast(writer.WS()->Protocol()));
  return text.Print(out);
}

/// Labels have up to 8 letters, names as properties any number.
void give_name(const Handle(IGESData_IGESEntity) & item, const std::string& name,
               const Handle(IGESData_IGESModel) & model) {
  constexpr std::size_t longest_label = 8;
  if (!is_simple(name, false)) return;
  if (name.size() <= longest_label) return item->SetLabel(written(name));
  const Handle(IGESBasic_Name) property = new IGESBasic_Name;
  property->Init(1, written(name));
  item->AddProperty(property);
  model->AddEntity(property);
}

/// A branch as a group, without pointers back.
Handle(IGESData_IGESEntity)
    grouped(const Branch& branch, const std::vector<Handle(IGESData_IGESEntity)>& of_face,
            IGESControl_Writer& writer) {
  std::vector<Handle(IGESData_IGESEntity)> items;
  for (const Branch& inner : branch.branches) items.push_back(grouped(inner, of_face, writer));
  for (const int f : branch.faces) items.push_back(of_face[f]);
  const Handle(IGESData_HArray1OfIGESEntity) array =
      new IGESData_HArray1OfIGESEntity(1, int(items.size()));
  for (int i = 0; i < int(items.size()); ++i) array->SetValue(i + 1, items[i]);
  const Handle(IGESBasic_Group) group = new IGESBasic_Group;
  group->Init(array);
  group->SetWithoutBackP(true);
  give_name(group, branch.name, writer.Model());
  writer.AddEntity(group);
  return Handle(IGESData_IGESEntity)(group.get());
}

bool write_iges(const std::vector<NamedFace>& faces, std::ostream& out) {
  IGESControl_Writer writer("MM", 0);
  std::vector<Handle(IGESData_IGESEntity)> of_face;
  for (const NamedFace& face : faces) {
    if (!writer.AddShape(face.face)) return false;
    const Handle(Transfer_FinderProcess)& process = writer.TransferProcess();
    const Handle(IGESData_IGESEntity) item = Handle(IGESData_IGESEntity)::DownCast(
        process->FindTransient(TransferBRep::ShapeMapper(process, face.face)));
    if (item.IsNull()) return false;
    of_face.push_back(item);
    give_name(item, face.name, writer.Model());
    if (!face.color) continue;
    const Vec3 percent = 100 * *face.color;
    const Handle(IGESGraph_Color) color = new IGESGraph_Color;
    color->Init(percent[0], percent[1], percent[2], {});
    writer.Model()->AddEntity(color);
    item->InitColor(color);
  }
  grouped(tree_of(faces), of_face, writer);
  writer.ComputeModel();
  IGESData_GlobalSection global = writer.Model()->GlobalSection();
  global.SetDate(written(iges_date));
  global.SetLastChangeDate(written(iges_date));
  writer.Model()->SetGlobalSection(global);
  IGESData_IGESWriter text(writer.Model());
  text.FloatWriter().SetFormat(all_digits);
  text.SendModel(IGESSelect_WorkLibrary::DefineProtocol());
  return text.Print(out);
}

std::string label(const NurbsPatch& patch, std::size_t index) {
  return patch.face > 0 ? fmt::format("face {}", patch.face) : fmt::format("patch {}", index + 1);
}

std::vector<NamedFace> faces_of(const std::string& file, const std::vector<NurbsPatch>& patches,
                                const FileFaces& source) {
  std::vector<NamedFace> faces;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const std::string where = label(patches[i], i);
    if (!source.faces.empty() && patches[i].face > int(source.faces.size()))
      throw InputError(file, where,
                       fmt::format("is not in the model it should come from, which has {} faces",
                                   source.faces.size()));
    try {
      patches[i].check();
      const bool has_source = patches[i].face > 0 && !source.faces.empty();
      NamedFace face{face_of(patches[i], source), patches[i].name, patches[i].within, {}};
      if (has_source) {  // what recordings do not keep
        face.within = source.faces[patches[i].face - 1].within;
        face.color = source.faces[patches[i].face - 1].color;
      }
      faces.push_back(std::move(face));
    } catch (const InputError& error) {
      throw InputError(file, where, "cannot be written: " + error.problems().front().what);
    } catch (const Standard_Failure&) {
      throw InputError(file, where, "cannot be written: its trims do not fit its surface");
    }
  }
  return faces;
}

}  // namespace

struct CadWriter::Source {
  FileFaces faces;
};

CadWriter::CadWriter(const std::filesystem::path& source) : source_(std::make_unique<Source>()) {
  const std::unique_lock<std::mutex> lock = cad_lock();
  if (!source.empty()) source_->faces = load_faces(source);
}

CadWriter::~CadWriter() = default;

void CadWriter::write(const std::filesystem::path& path,
                      const std::vector<NurbsPatch>& patches) const {
  const std::string file = path.string(), extension = lower_case(path.extension().string());
  const bool is_step = extension == ".stp" || extension == ".step";
  if (!is_step && extension != ".igs" && extension != ".iges")
    throw InputError(file, "", "cannot be written: CAD files end in .iges, .igs, .step or .stp");
  if (patches.empty()) throw InputError(file, "", "cannot be written: there are no patches");

  const std::unique_lock<std::mutex> lock = cad_lock();
  const std::vector<std::byte> text = isolated_cad(path, "written", [&] {
    const std::vector<NamedFace> faces = faces_of(file, patches, source_->faces);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    bool is_written = false;
    try {
      is_written = is_step ? write_step(faces, out) : write_iges(faces, out);
    } catch (const Standard_Failure&) {
    }
    if (!is_written) throw InputError(file, "", "cannot be written: OpenCASCADE refused its faces");
    const std::string whole = out.str();
    const auto bytes = std::as_bytes(std::span(whole));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  });
  write_file(path, text);
}

}  // namespace pliant
