// Copyright 2026 The vouch authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

/* The <collision> elements of a URDF.
 *
 * Scale of a link: every shape about its own origin, that is, sizes times the scale, and mesh
 * vertices times the scale in the mesh's own frame; where a shape sits on the link does not change.
 * Meshes that the file itself declares convex (make_convex of Tesseract, drake:declare_convex)
 * become their convex hulls, which contain them. */

#include "read/urdf_collision.h"

#include <math.h>

#include "base/error.h"
#include "base/text.h"

typedef struct reader_s
{
  vouch_urdf_t * urdf;
  uint32_t link;
} reader_t;

vouch_ret_t vouch_urdf_blame(
  const vouch_urdf_t * urdf, uint32_t link, const vouch_xml_element_t * element, vouch_ret_t ret)
{
  return vouch_fail_prefix(
    ret, "%s:%lu: link '%s'", urdf->document->source, element->line,
    urdf->robot->links[link].name);
}

static vouch_ret_t required_number(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  double * value)
{
  const char * text = NULL;
  vouch_ret_t ret = vouch_xml_required(document, element, name, &text);
  return ret == VOUCH_RET_OK ? vouch_xml_numbers(document, element, name, value, 1) : ret;
}

static vouch_ret_t read_round(
  const vouch_xml_t * document, const vouch_xml_element_t * element,
  vouch_urdf_collision_t * collision, bool long_too)
{
  vouch_ret_t ret = required_number(document, element, "radius", &collision->shape.size[0]);
  if (ret == VOUCH_RET_OK && long_too) {
    ret = required_number(document, element, "length", &collision->shape.size[1]);
  }
  return ret;
}

static vouch_ret_t read_box(
  const vouch_xml_t * document, const vouch_xml_element_t * element,
  vouch_urdf_collision_t * collision)
{
  const char * text = NULL;
  vouch_ret_t ret = vouch_xml_required(document, element, "size", &text);
  return ret == VOUCH_RET_OK ?
         vouch_xml_numbers(document, element, "size", collision->shape.size, 3) : ret;
}

static bool is_true(const char * value)
{
  return value != NULL && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

static bool declared_convex(const vouch_xml_t * document, const vouch_xml_element_t * mesh)
{
  for (const vouch_xml_element_t * e = mesh->first_child; e != NULL; e = e->next) {
    if (strcmp(e->name, "drake:declare_convex") == 0) {
      return true;
    }
  }
  const char * own = vouch_xml_attribute(mesh, "tesseract:make_convex");
  own = own == NULL ? vouch_xml_attribute(mesh, "make_convex") : own;
  return is_true(
    own != NULL ? own : vouch_xml_attribute(document->root, "tesseract:make_convex"));
}

static vouch_ret_t read_mesh(
  const reader_t * reader, const vouch_xml_element_t * element, vouch_urdf_collision_t * collision)
{
  vouch_urdf_t * urdf = reader->urdf;
  const char * uri = NULL;
  vouch_ret_t ret = vouch_xml_required(urdf->document, element, "filename", &uri);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_xml_numbers(urdf->document, element, "scale", collision->scale, 3);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  for (size_t i = 0; i < 3; ++i) {
    double magnitude = fabs(collision->scale[i]);
    if (!(magnitude >= 1e-9 && magnitude <= 1e9)) {
      return vouch_xml_fail(
        urdf->document, element, "link '%s': the mesh scale %g makes nothing of the mesh",
        urdf->robot->links[reader->link].name, collision->scale[i]);
    }
  }
  collision->convex = declared_convex(urdf->document, element);
  ret = vouch_resource_resolve(&urdf->resources, uri, &collision->path);
  if (ret == VOUCH_RET_OK) {
    collision->format = vouch_mesh_format_of(collision->path);
    if (collision->format == VOUCH_MESH_UNKNOWN) {
      ret = vouch_fail(
        VOUCH_RET_INVALID, "%s: unknown kind of mesh file; .stl, .obj and .dae are read",
        collision->path);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_file_read(
      &urdf->robot->allocator, collision->path, 0, &collision->data, &collision->size);
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_sources_note(
      &urdf->robot->sources, "mesh", collision->path, collision->data, collision->size);
  }
  return ret == VOUCH_RET_OK ? ret : vouch_urdf_blame(reader->urdf, reader->link, element, ret);
}

static vouch_ret_t read_shape(
  const reader_t * reader, const vouch_xml_element_t * element, vouch_urdf_collision_t * collision)
{
  const vouch_xml_t * document = reader->urdf->document;
  const char * name = element->name;
  if (strcmp(name, "box") == 0) {
    collision->shape.kind = VOUCH_SHAPE_BOX;
    return read_box(document, element, collision);
  }
  if (strcmp(name, "sphere") == 0) {
    collision->shape.kind = VOUCH_SHAPE_SPHERE;
    return read_round(document, element, collision, false);
  }
  if (strcmp(name, "cylinder") == 0) {
    collision->shape.kind = VOUCH_SHAPE_CYLINDER;
    return read_round(document, element, collision, true);
  }
  if (strcmp(name, "capsule") == 0) {
    collision->shape.kind = VOUCH_SHAPE_CAPSULE;
    return read_round(document, element, collision, true);
  }
  if (strcmp(name, "mesh") == 0) {
    collision->shape.kind = VOUCH_SHAPE_MESH;
    return read_mesh(reader, element, collision);
  }
  return vouch_xml_fail(
    document, element, "link '%s': <%s> is not a collision shape that is known (box, sphere, "
    "cylinder, capsule, mesh)", reader->urdf->robot->links[reader->link].name, name);
}

static vouch_ret_t read_collision(const reader_t * reader, vouch_urdf_collision_t * collision)
{
  const vouch_xml_t * document = reader->urdf->document;
  const char * link = reader->urdf->robot->links[reader->link].name;
  for (size_t i = 0; i < 3; ++i) {
    collision->scale[i] = 1.0;
  }
  vouch_xml_element_t * geometry = NULL;
  vouch_ret_t ret = vouch_urdf_read_origin(document, collision->element, &collision->pose);
  if (ret == VOUCH_RET_OK) {
    ret = vouch_xml_only_child(document, collision->element, "geometry", &geometry);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (geometry == NULL || geometry->first_child == NULL) {
    return vouch_xml_fail(
      document, collision->element, "link '%s': a <collision> without a shape in <geometry>",
      link);
  }
  if (geometry->first_child->next != NULL) {
    return vouch_xml_fail(
      document, geometry->first_child->next,
      "link '%s': a second shape in one <geometry>; give it a <collision> of its own", link);
  }
  return read_shape(reader, geometry->first_child, collision);
}

static vouch_ret_t read_all(
  const reader_t * reader, const vouch_xml_element_t * link, double scale,
  vouch_urdf_collisions_t * out)
{
  for (const vouch_xml_element_t * e = link->first_child; e != NULL; e = e->next) {
    if (strcmp(e->name, "collision") != 0) {
      continue;
    }
    vouch_urdf_collision_t * collision = &out->items[out->count++];
    collision->element = e;
    vouch_ret_t ret = read_collision(reader, collision);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    for (size_t i = 0; i < 3; ++i) {
      collision->shape.size[i] *= scale;
      collision->scale[i] *= scale;
    }
  }
  return VOUCH_RET_OK;
}

vouch_ret_t vouch_urdf_collisions_read(
  vouch_urdf_t * urdf, uint32_t link, double scale, vouch_urdf_collisions_t * out)
{
  *out = (vouch_urdf_collisions_t) {.items = NULL};
  const vouch_xml_element_t * element = urdf->link_elements[link];
  size_t count = 0;
  for (const vouch_xml_element_t * e = element->first_child; e != NULL; e = e->next) {
    count += strcmp(e->name, "collision") == 0;
  }
  if (count == 0) {
    return VOUCH_RET_OK;
  }
  out->items = vouch_arena_calloc(&urdf->document->arena, count, sizeof(*out->items));
  if (out->items == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  const reader_t reader = {.urdf = urdf, .link = link};
  return read_all(&reader, element, scale, out);
}

void vouch_urdf_collisions_fini(
  vouch_urdf_collisions_t * collisions, const vouch_allocator_t * allocator)
{
  for (size_t i = 0; i < collisions->count; ++i) {
    vouch_free(allocator, collisions->items[i].path);
    vouch_free(allocator, collisions->items[i].data);
  }
  collisions->count = 0;
}
