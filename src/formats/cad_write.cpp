#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRep_Builder.hxx>
#include <IGESControl_Writer.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESData_IGESWriter.hxx>
#include <IGESData_Protocol.hxx>
#include <IGESGraph_Color.hxx>
#include <IGESSelect_WorkLibrary.hxx>
#include <Interface_Static.hxx>
#include <Quantity_Color.hxx>
#include <STEPConstruct.hxx>
#include <STEPConstruct_Styles.hxx>
#include <STEPControl_Writer.hxx>
#include <StepData_Protocol.hxx>
#include <StepData_StepModel.hxx>
#include <StepData_StepWriter.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_MechanicalDesignGeometricPresentationRepresentation.hxx>
#include <StepVisual_PresentationStyleAssignment.hxx>
#include <StepVisual_StyledItem.hxx>
#include <TColStd_Array2OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <TCollection_HAsciiString.hxx>
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

TopoDS_Face face_of(const NurbsPatch& patch, const CadFaces& source) {
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
  std::optional<Vec3> color;  // sRGB
};

TopoDS_Compound together(const std::vector<NamedFace>& faces) {
  BRep_Builder builder;
  TopoDS_Compound all;
  builder.MakeCompound(all);
  for (const NamedFace& face : faces) builder.Add(all, face.face);
  return all;
}

bool is_simple(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '\'' && c != '\\';
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

bool write_step(const std::vector<NamedFace>& faces, std::ostream& out) {
  STEPControl_Writer writer;
  if (writer.Transfer(together(faces), STEPControl_AsIs) != IFSelect_RetDone) return false;
  const Handle(Transfer_FinderProcess) process = writer.WS()->TransferWriter()->FinderProcess();
  for (const NamedFace& face : faces) {
    if (!is_simple(face.name)) continue;
    const auto item = STEPConstruct::FindEntity(process, face.face);
    if (!item.IsNull()) item->SetName(new TCollection_HAsciiString(face.name.c_str()));
  }
  add_colors(faces, writer);
  APIHeaderSection_MakeHeader header(writer.Model());
  header.SetTimeStamp(new TCollection_HAsciiString(step_date));
  header.Apply(writer.Model());
  StepData_StepWriter text(writer.Model());
  text.FloatWriter().SetFormat(all_digits);
  text.SendModel(Handle(StepData_Protocol)::DownCast(writer.WS()->Protocol()));
  return text.Print(out);
}

bool write_iges(const std::vector<NamedFace>& faces, std::ostream& out) {
  IGESControl_Writer writer("MM", 0);
  if (!writer.AddShape(together(faces))) return false;
  for (const NamedFace& face : faces) {
    const Handle(Transfer_FinderProcess)& process = writer.TransferProcess();
    const Handle(IGESData_IGESEntity) item = Handle(IGESData_IGESEntity)::DownCast(
        process->FindTransient(TransferBRep::ShapeMapper(process, face.face)));
    if (item.IsNull()) continue;
    if (is_simple(face.name) && face.name.size() <= 8)
      item->SetLabel(new TCollection_HAsciiString(face.name.c_str()));
    if (!face.color) continue;
    const Vec3 percent = 100 * *face.color;
    const Handle(IGESGraph_Color) color = new IGESGraph_Color;
    color->Init(percent[0], percent[1], percent[2], {});
    writer.Model()->AddEntity(color);
    item->InitColor(color);
  }
  writer.ComputeModel();
  IGESData_GlobalSection global = writer.Model()->GlobalSection();
  global.SetDate(new TCollection_HAsciiString(iges_date));
  global.SetLastChangeDate(new TCollection_HAsciiString(iges_date));
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
                                const CadFaces& source) {
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
      faces.push_back({face_of(patches[i], source), patches[i].name,
                       has_source ? source.faces[patches[i].face - 1].color : std::nullopt});
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
  CadFaces faces;
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
