#pragma once

#include <Standard_Transient.hxx>
#include <TopoDS_Shape.hxx>
#include <XSControl_Reader.hxx>
#include <string>
#include <vector>

// What CAD files call their shapes. Needs OpenCASCADE; nobody but formats/cad* includes it.
namespace pliant {

/// Of a face, a solid, ...: words that programs write where there is no name are none.
std::string name_of(const Handle(Standard_Transient) & entity);

/// Whether an entity that became `shape` holds faces; a group of one face may become a face.
bool is_above_faces(const Handle(Standard_Transient) & entity, const TopoDS_Shape& shape);

/// Of each face of `whole`, in the order of a TopExp_Explorer: the names of what it is part of
/// (shell, solid, product, its use in an assembly, the assembly, ...), innermost first, none twice.
std::vector<std::vector<std::string>> names_around_faces(const TopoDS_Shape& whole,
                                                         const XSControl_Reader& reader);

}  // namespace pliant
