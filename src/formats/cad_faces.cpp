#include "formats/cad_faces.h"

#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRep_Tool.hxx>
#include <GeomConvert.hxx>
#include <Geom_BezierSurface.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Reader.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESEntity.hxx>
#include <IGESData_IGESModel.hxx>
#include <IGESGraph_Color.hxx>
#include <Interface_Check.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_PrinterOStream.hxx>
#include <Quantity_Color.hxx>
#include <STEPConstruct.hxx>
#include <STEPConstruct_Styles.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <StepData_StepModel.hxx>
#include <StepVisual_Colour.hxx>
#include <StepVisual_StyledItem.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <unordered_map>

#include "core/errors.h"
#include "core/files.h"
#include "formats/cad_names.h"
#include "formats/isolated.h"
#include "formats/text.h"

namespace pliant {
namespace {

constexpr std::size_t largest_file = std::size_t(512) << 20;  // [bytes]
constexpr int most_faces = 20000;
constexpr ProcessLimits limits{.seconds = 60, .memory = std::size_t(4) << 30};

// OpenCASCADE is not made for broken files, so we look first whether all of it is there.

// On numbers that are not finite it may go on for ever (STEP) or take them for zero (IGES).
void check_numbers(std::string_view text, const std::string& file, std::int64_t line) {
  constexpr std::string_view between = " ,;()=";
  double ignored = 0;
  bool is_text = false;
  for (std::size_t from = 0, to = 0; from < text.size(); from = to + 1) {
    to = std::min(text.find_first_of(between, from), text.size());
    const std::string_view word = text.substr(from, to - from);
    is_text ^= std::count(word.begin(), word.end(), '\'') % 2 != 0;
    if (!is_text && parse_number(word, ignored) == NumberKind::not_finite)
      throw InputError(file, fmt::format("line {}", line),
                       fmt::format("holds {}; a finite number is meant", in_quotes(word)));
  }
}

constexpr std::string_view step_begins = "ISO-10303-21", byte_order_mark = "\xEF\xBB\xBF";

bool looks_like_iges(std::string_view text) {
  return text.size() > 73 && text[72] == 'S' && text.substr(0, 72).find('\n') == text.npos;
}

void check_step(std::string_view text, const std::string& file) {
  if (text.substr(0, 4096).find(step_begins) == std::string_view::npos)
    throw InputError(file, "", "is not a STEP file: it does not begin with ISO-10303-21",
                     looks_like_iges(text) ? "it looks like an IGES file: name it .iges" : "");
  if (text.rfind("END-ISO-10303-21") == std::string_view::npos)
    throw InputError(file, "", "is cut off: END-ISO-10303-21 is missing at its end");
  Lines lines(text, file);
  while (lines.next()) check_numbers(lines.line(), file, lines.number());
}

/// Every line has the letter of its section in column 73: Start, Global, Directory, Parameters,
/// Terminate.
void check_iges(std::string_view text, const std::string& file) {
  constexpr std::string_view order = "SGDPT";
  if (text.substr(0, 200).find(step_begins) != std::string_view::npos)
    throw InputError(file, "", "is not an IGES file: it begins as STEP files do", "name it .step");
  Lines lines(text, file);
  std::size_t section = 0, directory = 0;
  while (lines.next() && section < 4) {
    if (trimmed(lines.line()).empty()) continue;
    const char letter = lines.line().size() > 72 ? lines.line()[72] : ' ';
    const std::size_t at = order.find(letter);
    if (at == std::string_view::npos && section > 0 && lines.position() >= text.size())
      throw InputError(file, "", fmt::format("is cut off in line {}", lines.number()));
    if (at == std::string_view::npos || at < section)
      throw InputError(file, fmt::format("line {}", lines.number()),
                       "is no line of an IGES file: column 73 must name its section",
                       "compressed and binary IGES are not read");
    section = at;
    directory += letter == 'D';
    if (letter == 'P') check_numbers(lines.line().substr(0, 64), file, lines.number());
  }
  if (section != 4)
    throw InputError(file, "", "is cut off: the section T, which ends an IGES file, is missing");
  if (directory == 0 || directory % 2 != 0)
    throw InputError(file, "", "is damaged: each part needs two lines in section D",
                     fmt::format("it has {} lines there", directory));
}

/// What a file says of a face besides its form.
struct Attributes {
  std::string name;
  std::optional<Vec3> color;  // sRGB
};
using AttributesOfFaces = std::unordered_map<const TopoDS_TShape*, Attributes>;

/// All that a file says, and of what.
struct Said {
  TopoDS_Shape whole;
  AttributesOfFaces of_face;
  std::vector<std::vector<std::string>> around;  // names of what each face is part of
};

/// A shape and what color it is said to have. Of a face inside of a solid the face's own counts.
struct ColoredShape {
  TopoDS_Shape shape;
  Vec3 color;
};

void give_colors(std::vector<ColoredShape> shapes, AttributesOfFaces& all) {
  std::stable_sort(shapes.begin(), shapes.end(), [](const ColoredShape& a, const ColoredShape& b) {
    return a.shape.ShapeType() < b.shape.ShapeType();  // compounds, solids, shells, faces
  });
  for (const auto& [shape, color] : shapes)
    for (TopExp_Explorer i(shape, TopAbs_FACE); i.More(); i.Next())
      all[i.Current().TShape().get()].color = color;
}

std::vector<ColoredShape> step_colors(const XSControl_Reader& reader) {
  std::vector<ColoredShape> found;
  STEPConstruct_Styles styles(reader.WS());
  if (!styles.LoadStyles()) return found;
  for (int i = 1; i <= styles.NbStyles(); ++i) {
    Handle(StepVisual_Colour) surface, border, curve, rendered;
    double transparency = 0;
    bool is_component = false;
    const Handle(StepVisual_StyledItem) style = styles.Style(i);
    styles.GetColors(style, surface, border, curve, rendered, transparency, is_component);
    Quantity_Color color;
    if (!STEPConstruct_Styles::DecodeColor(surface.IsNull() ? rendered : surface, color)) continue;
    const TopoDS_Shape shape =
        STEPConstruct::FindShape(reader.WS()->TransferReader()->TransientProcess(), style->Item());
    Vec3 rgb;
    color.Values(rgb[0], rgb[1], rgb[2], Quantity_TOC_sRGB);
    if (!shape.IsNull()) found.push_back({shape, rgb});
  }
  return found;
}

std::optional<Vec3> color_of(const Handle(IGESData_IGESEntity) & entity) {
  static const Vec3 of_number[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                   {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  if (const auto color = Handle(IGESGraph_Color)::DownCast(entity->Color()); !color.IsNull()) {
    Vec3 percent;
    color->RGBIntensity(percent[0], percent[1], percent[2]);
    return Vec3(0.01 * percent);
  }
  const int rank = entity->RankColor();
  if (rank < 1 || rank > int(std::size(of_number))) return std::nullopt;
  return of_number[rank - 1];
}

AttributesOfFaces attributes_of_faces(const XSControl_Reader& reader) {
  AttributesOfFaces all;
  std::vector<ColoredShape> colored;
  const Handle(Transfer_TransientProcess) process =
      reader.WS()->TransferReader()->TransientProcess();
  for (int i = 1; i <= process->NbMapped(); ++i) {
    const Handle(Transfer_Binder) binder = process->MapItem(i);
    if (binder.IsNull()) continue;
    const TopoDS_Shape shape = TransferBRep::ShapeResult(binder);
    if (shape.IsNull()) continue;
    if (const auto entity = Handle(IGESData_IGESEntity)::DownCast(process->Mapped(i));
        !entity.IsNull())
      if (const auto color = color_of(entity)) colored.push_back({shape, *color});
    if (shape.ShapeType() != TopAbs_FACE || is_above_faces(process->Mapped(i), shape)) continue;
    if (const std::string name = name_of(process->Mapped(i)); !name.empty())
      all[shape.TShape().get()].name = name;
  }
  if (colored.empty()) colored = step_colors(reader);
  give_colors(std::move(colored), all);
  return all;
}

struct Unit {
  const char* name;
  double length;  // [m]
  const char* words[3];
};
constexpr Unit units[] = {{"mm", 1e-3, {"millimetre", "millimeter", "mm"}},
                          {"m", 1, {"metre", "meter", "m"}},
                          {"cm", 1e-2, {"centimetre", "centimeter", "cm"}},
                          {"in", 0.0254, {"inch", "inches", "in"}},
                          {"ft", 0.3048, {"foot", "feet", "ft"}},
                          {"um", 1e-6, {"micrometre", "micrometer", "um"}},
                          {"km", 1e3, {"kilometre", "kilometer", "km"}},
                          {"mi", 1609.344, {"mile", "miles", "mi"}},
                          {"mil", 2.54e-5, {"mil", "mils", "thou"}}};

void set_unit(const std::string& word, FileFaces& found) {
  for (const Unit& unit : units)
    for (const char* known : unit.words)
      if (equal_ignoring_case(word, known)) found.unit = unit.length, found.unit_name = unit.name;
}
void set_unit(double length, FileFaces& found) {
  for (const Unit& unit : units)
    if (std::abs(length - unit.length) < 1e-3 * unit.length) return set_unit(unit.name, found);
  if (length > 0) found.unit = length;
}

Said transfer(XSControl_Reader& reader) {
  reader.TransferRoots();
  Said said{.whole = {}, .of_face = attributes_of_faces(reader), .around = {}};
  if (reader.NbShapes() > 0) said.whole = reader.OneShape();
  if (!said.whole.IsNull()) said.around = names_around_faces(said.whole, reader);
  return said;
}

/// OpenCASCADE goes on without statements that it cannot understand, and without what needs them.
void tell_damage(const STEPControl_Reader& reader, FileFaces& found) {
  const Handle(Interface_Check) check = reader.StepModel()->GlobalCheck();
  if (check.IsNull() || check->NbFails() == 0) return;
  const std::string_view first = check->CFail(1);
  const std::size_t line = first.find("Line "), digits = line + 5;
  std::string where = "its text";
  if (line != first.npos)
    where =
        fmt::format("what stands near line {}",
                    first.substr(digits, first.find_first_not_of("0123456789", digits) - digits));
  found.warnings.push_back(
      where + " is damaged and left out, with what refers to it: faces may be missing");
}

Said read_shape(const std::filesystem::path& path, FileFaces& found) {
  const std::string file = path.string();
  const std::string bytes = read_text_file(path, largest_file);
  const std::string_view text = checked_text(bytes, file);
  const auto refuse = [&] { throw InputError(file, "", "cannot be read: its text is damaged"); };
  if (lower_case(path.extension().string()).starts_with(".st")) {
    check_step(text, file);
    if (bytes.starts_with(byte_order_mark))  // OpenCASCADE reads the file itself
      throw InputError(file, "", "begins with a byte order mark, which STEP files do not have",
                       "save it as UTF-8 without BOM: an editor has added three bytes");
    STEPControl_Reader reader;
    if (reader.ReadFile(file.c_str()) != IFSelect_RetDone) refuse();
    tell_damage(reader, found);
    TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
    reader.FileUnits(lengths, angles, solid_angles);
    if (lengths.Length() > 0) set_unit(lengths.First().ToCString(), found);
    return transfer(reader);
  }
  check_iges(text, file);
  IGESControl_Reader reader;
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone) refuse();
  const Handle(IGESData_IGESModel) model = reader.IGESModel();
  if (model.IsNull()) refuse();
  set_unit(1e-3 * model->GlobalSection().UnitValue(), found);  // given in mm
  return transfer(reader);
}

bool is_spline(const TopoDS_Face& face) {
  TopLoc_Location place;
  const Handle(Geom_Surface) surface = BRep_Tool::Surface(face, place);
  return !surface.IsNull() && (surface->IsKind(STANDARD_TYPE(Geom_BSplineSurface)) ||
                               surface->IsKind(STANDARD_TYPE(Geom_BezierSurface)));
}

std::vector<TopoDS_Face> faces_of_shape(const TopoDS_Shape& shape) {
  std::vector<TopoDS_Face> faces;
  for (TopExp_Explorer i(shape, TopAbs_FACE); i.More(); i.Next())
    faces.push_back(TopoDS::Face(i.Current()));
  return faces;
}

/// Surfaces and, since cylinders and the like change their parameters, the curves on them.
TopoDS_Shape as_splines(const TopoDS_Shape& shape) {
  try {
    BRepBuilderAPI_NurbsConvert convert(shape);
    return convert.IsDone() ? convert.Shape() : shape;
  } catch (const Standard_Failure&) {
    return shape;
  }
}

/// All at once, so that neighbours go on sharing edges; one by one where that fails.
void convert_to_splines(const TopoDS_Shape& shape, std::vector<TopoDS_Face>& faces) {
  if (std::all_of(faces.begin(), faces.end(), is_spline)) return;
  const std::vector<TopoDS_Face> converted = faces_of_shape(as_splines(shape));
  if (converted.size() == faces.size()) faces = converted;
  for (TopoDS_Face& face : faces)
    if (!is_spline(face))
      if (const auto alone = faces_of_shape(as_splines(face)); alone.size() == 1) face = alone[0];
}

/// Black is what programs write that know no color.
FileFace face_of(int number, const Attributes& said) {
  FileFace face{number, said.name, {}, {}, {}};
  if (said.color && said.color->maxCoeff() > 0)
    face.color = said.color->cwiseMax(0.0).cwiseMin(1.0);
  return face;
}

}  // namespace

FileFaces load_faces(const std::filesystem::path& path) {
  const std::string file = path.string();
  try {
    FileFaces found;
    Said said = read_shape(path, found);
    const TopoDS_Shape& shape = said.whole;
    std::vector<TopoDS_Face> faces =
        shape.IsNull() ? std::vector<TopoDS_Face>() : faces_of_shape(shape);
    if (faces.empty()) throw InputError(file, "", "has no surface: it contains no faces");
    if (int(faces.size()) > most_faces)
      throw InputError(file, "",
                       fmt::format("has {} faces; at most {} are read", faces.size(), most_faces));
    for (int i = 0; i < int(faces.size()); ++i) {
      found.faces.push_back(face_of(i + 1, said.of_face[faces[i].TShape().get()]));
      if (said.around.size() == faces.size()) found.faces.back().within = std::move(said.around[i]);
    }
    convert_to_splines(shape, faces);
    for (int i = 0; i < int(faces.size()); ++i) found.faces[i].face = faces[i];
    return found;
  } catch (const Standard_Failure&) {
    throw InputError(file, "", "cannot be read: its geometry is damaged");
  } catch (const std::bad_alloc&) {
    throw InputError(file, "", "cannot be read: it asks for more memory than there is");
  }
}

Handle(Geom_BSplineSurface) surface_of(const TopoDS_Face& face) {
  TopLoc_Location place;
  const Handle(Geom_Surface) given = BRep_Tool::Surface(face, place);
  if (given.IsNull() || !is_spline(face)) return {};
  const Handle(Geom_Surface) placed =
      Handle(Geom_Surface)::DownCast(given->Transformed(place.Transformation()));
  return GeomConvert::SurfaceToBSplineSurface(placed);
}

std::vector<std::byte> isolated_cad(const std::filesystem::path& path, const char* what,
                                    const std::function<std::vector<std::byte>()>& work) {
  using End = Isolated::End;
  Isolated done = isolated(limits, work);
  if (done.end == End::done) return std::move(done.result);
  std::string why = "OpenCASCADE does not survive what is in it";
  if (done.end == End::out_of_time)
    why = fmt::format("OpenCASCADE is not done with it after {} s", limits.seconds);
  if (done.end == End::out_of_memory)
    why = fmt::format("OpenCASCADE asks for more than {} GB of memory", limits.memory >> 30);
  throw InputError(path.string(), "", fmt::format("cannot be {}: {}", what, why));
}

std::unique_lock<std::mutex> cad_lock() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  Message::DefaultMessenger()->ChangePrinters().Clear();
  IGESControl_Controller::Init();
  STEPControl_Controller::Init();
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
  Interface_Static::SetIVal("read.iges.bspline.continuity", 0);  // knots stay as in the file
  Interface_Static::SetIVal("write.step.assembly", 1);           // products with names
  return lock;
}

}  // namespace pliant
