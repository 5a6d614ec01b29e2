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

/* The <collision> elements of a URDF: one geometry per link, from the cache or built.
 *
 * Scale of a link: every shape about its own origin, that is sizes times the scale and mesh vertices
 * times the scale in the mesh's own frame; where a shape sits on the link does not change.
 * Meshes that the file itself declares convex (make_convex of Tesseract, drake:declare_convex)
 * become their convex hulls, which contain them. */

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "geometry/vec.h"
#include "read/cache.h"
#include "read/mesh_file.h"
#include "read/urdf.h"

/* One <collision>: a primitive shape, or a mesh file with a scale. */
typedef struct collision_s
{
  const vouch_xml_element_t * element;
  vouch_shape_t shape;
  vouch_pose_t pose;
  double scale[3];
  bool convex;
  char * path;   // of the mesh file
  char * data;   // its bytes
  size_t size;
  vouch_mesh_format_t format;
} collision_t;

typedef struct job_s
{
  vouch_urdf_t * urdf;
  uint32_t link;
  double scale;             // of the link
  collision_t * collisions;
  size_t count;
  uint8_t key[32];
} job_t;

static vouch_ret_t blame(const job_t * job, const vouch_xml_element_t * element, vouch_ret_t ret)
{
  return vouch_fail_prefix(
    ret, "%s:%lu: link '%s'", job->urdf->document->source, element->line,
    job->urdf->robot->links[job->link].name);
}

/* ---- elements ---- */

static vouch_ret_t required_number(
  const vouch_xml_t * document, const vouch_xml_element_t * element, const char * name,
  double * value)
{
  const char * text = NULL;
  vouch_ret_t ret = vouch_xml_required(document, element, name, &text);
  return ret == VOUCH_RET_OK ? vouch_xml_numbers(document, element, name, value, 1) : ret;
}

static vouch_ret_t read_round(
  const vouch_xml_t * document, const vouch_xml_element_t * element, collision_t * collision,
  bool long_too)
{
  vouch_ret_t ret = required_number(document, element, "radius", &collision->shape.size[0]);
  if (ret == VOUCH_RET_OK && long_too) {
    ret = required_number(document, element, "length", &collision->shape.size[1]);
  }
  return ret;
}

static vouch_ret_t read_box(
  const vouch_xml_t * document, const vouch_xml_element_t * element, collision_t * collision)
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
  const job_t * job, const vouch_xml_element_t * element, collision_t * collision)
{
  vouch_urdf_t * urdf = job->urdf;
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
        urdf->robot->links[job->link].name, collision->scale[i]);
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
  return ret == VOUCH_RET_OK ? ret : blame(job, element, ret);
}

static vouch_ret_t read_shape(
  const job_t * job, const vouch_xml_element_t * element, collision_t * collision)
{
  const vouch_xml_t * document = job->urdf->document;
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
    return read_mesh(job, element, collision);
  }
  return vouch_xml_fail(
    document, element, "link '%s': <%s> is not a collision shape that is known (box, sphere, "
    "cylinder, capsule, mesh)", job->urdf->robot->links[job->link].name, name);
}

static vouch_ret_t read_collision(const job_t * job, collision_t * collision)
{
  const vouch_xml_t * document = job->urdf->document;
  const char * link = job->urdf->robot->links[job->link].name;
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
  return read_shape(job, geometry->first_child, collision);
}

static vouch_ret_t read_collisions(job_t * job)
{
  vouch_urdf_t * urdf = job->urdf;
  const vouch_xml_element_t * link = urdf->link_elements[job->link];
  size_t count = 0;
  for (const vouch_xml_element_t * e = link->first_child; e != NULL; e = e->next) {
    count += strcmp(e->name, "collision") == 0;
  }
  if (count == 0) {
    return VOUCH_RET_OK;
  }
  job->collisions =
    vouch_arena_calloc(&urdf->document->arena, count, sizeof(*job->collisions));
  if (job->collisions == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (const vouch_xml_element_t * e = link->first_child; e != NULL; e = e->next) {
    if (strcmp(e->name, "collision") != 0) {
      continue;
    }
    collision_t * collision = &job->collisions[job->count++];
    collision->element = e;
    vouch_ret_t ret = read_collision(job, collision);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    for (size_t i = 0; i < 3; ++i) {
      collision->shape.size[i] *= job->scale;
      collision->scale[i] *= job->scale;
    }
  }
  return VOUCH_RET_OK;
}

static void job_fini(job_t * job)
{
  const vouch_allocator_t * allocator = &job->urdf->robot->allocator;
  for (size_t i = 0; i < job->count; ++i) {
    vouch_free(allocator, job->collisions[i].path);
    vouch_free(allocator, job->collisions[i].data);
  }
  job->count = 0;
}

/* ---- key ---- */

static void key_doubles(vouch_sha256_t * hash, const double * values, size_t count)
{
  for (size_t i = 0; i < count; ++i) {
    uint8_t bytes[sizeof(double)];
    memcpy(bytes, &values[i], sizeof(bytes));
    vouch_sha256_update(hash, bytes, sizeof(bytes));
  }
}

static void make_key(job_t * job)
{
  vouch_sha256_t hash;
  vouch_cache_key_begin(&hash, job->urdf->robot->hulls, job->urdf->robot->surfaces);
  for (size_t i = 0; i < job->count; ++i) {
    const collision_t * c = &job->collisions[i];
    const uint8_t head[3] = {(uint8_t)c->shape.kind, (uint8_t)c->format, c->convex};
    vouch_sha256_update(&hash, head, sizeof(head));
    key_doubles(&hash, c->shape.size, 3);
    key_doubles(&hash, c->scale, 3);
    key_doubles(&hash, c->pose.rotation, 4);
    key_doubles(&hash, c->pose.translation, 3);
    uint8_t size[8];
    for (size_t k = 0; k < 8; ++k) {
      size[k] = (uint8_t)((uint64_t)c->size >> (8 * k));
    }
    vouch_sha256_update(&hash, size, sizeof(size));
    vouch_sha256_update(&hash, c->data == NULL ? "" : c->data, c->size);
    vouch_mesh_hash_reader(&hash, c->format);
  }
  vouch_sha256_final(&hash, job->key);
}

/* ---- building ---- */

static vouch_ret_t add_mesh(
  const job_t * job, const collision_t * collision, vouch_geometry_builder_t * builder)
{
  vouch_mesh_t mesh = vouch_mesh_zero(job->urdf->robot->allocator);
  vouch_ret_t ret = vouch_mesh_parse(
    &mesh, collision->path, collision->data, collision->size, collision->format);
  if (ret == VOUCH_RET_OK) {
    vouch_mesh_transform(&mesh, collision->scale, &collision->pose);
    ret = vouch_mesh_validate(&mesh);
  }
  if (ret == VOUCH_RET_OK) {
    ret = collision->convex ?
      vouch_geometry_add_hull(
      builder, (const double (*)[3])mesh.vertices, mesh.vertex_count, 0.0) :
      vouch_geometry_add_mesh(builder, &mesh);
  }
  vouch_mesh_fini(&mesh);
  return ret;
}

static vouch_ret_t build(const job_t * job, vouch_link_geometry_t * built, vouch_text_t * encoded)
{
  const vouch_robot_t * robot = job->urdf->robot;
  const vouch_geometry_options_t options = {.hulls = robot->hulls, .surfaces = robot->surfaces};
  vouch_geometry_builder_t * builder = NULL;
  vouch_ret_t ret = vouch_geometry_builder_create(&builder, robot->allocator, &options);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < job->count; ++i) {
    const collision_t * collision = &job->collisions[i];
    ret = collision->shape.kind == VOUCH_SHAPE_MESH ? add_mesh(job, collision, builder) :
      vouch_shape_build(builder, &collision->shape, &collision->pose);
    if (ret != VOUCH_RET_OK) {
      ret = blame(job, collision->element, ret);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_link_geometry_build(built, robot->allocator, builder, encoded);
    if (ret != VOUCH_RET_OK) {
      ret = blame(job, job->collisions[0].element, ret);
    }
  }
  vouch_geometry_builder_destroy(builder);
  return ret;
}

/* A cache that cannot be written costs time next time, and one warning. */
static vouch_ret_t keep(
  const job_t * job, const vouch_link_geometry_t * built, const vouch_text_t * encoded)
{
  vouch_robot_t * robot = job->urdf->robot;
  const char * directory = job->urdf->options->cache_directory;
  if (directory == NULL ||
    vouch_cache_store(directory, job->key, built, encoded) == VOUCH_RET_OK)
  {
    return VOUCH_RET_OK;
  }
  char sentence[512];
  (void)snprintf(sentence, sizeof(sentence), "the geometry cache is not used: %s", vouch_error());
  for (size_t i = 0; i < robot->warning_count; ++i) {
    if (strncmp(robot->warnings[i], sentence, strlen("the geometry cache is not used")) == 0) {
      return VOUCH_RET_OK;
    }
  }
  return vouch_robot_warn(robot, "%s", sentence);
}

static vouch_ret_t load_or_build(job_t * job, vouch_link_geometry_t * built)
{
  const char * directory = job->urdf->options->cache_directory;
  const vouch_allocator_t * allocator = &job->urdf->robot->allocator;
  if (directory != NULL) {
    bool found = false;
    make_key(job);
    vouch_ret_t ret = vouch_cache_load(directory, job->key, *allocator, built, &found);
    if (ret != VOUCH_RET_OK || found) {
      return ret;
    }
  }
  vouch_text_t encoded = {.allocator = *allocator};
  vouch_ret_t ret = build(job, built, &encoded);
  if (ret == VOUCH_RET_OK) {
    ret = keep(job, built, &encoded);
    if (ret != VOUCH_RET_OK) {
      vouch_arena_fini(&built->arena);
    }
  }
  vouch_text_fini(&encoded);
  return ret;
}

static double link_scale(const vouch_robot_options_t * options, const char * link)
{
  double scale = 1.0;
  for (size_t i = 0; i < options->scale_count; ++i) {
    if (strcmp(options->scales[i].link, link) == 0) {
      scale = options->scales[i].value;
    }
  }
  return scale;
}

static vouch_ret_t read_link(vouch_urdf_t * urdf, uint32_t number)
{
  vouch_link_t * link = &urdf->robot->links[number];
  job_t job = {.urdf = urdf, .link = number, .scale = link_scale(urdf->options, link->name)};
  vouch_ret_t ret = read_collisions(&job);
  if (ret == VOUCH_RET_OK && job.count > 0) {
    vouch_link_geometry_t built;
    ret = load_or_build(&job, &built);
    if (ret == VOUCH_RET_OK) {
      vouch_link_adopt(link, &built);
      ret = vouch_robot_warn_geometry(urdf->robot, link);
    }
  }
  size_t convex = 0;
  for (size_t i = 0; i < job.count; ++i) {
    convex += job.collisions[i].convex;
  }
  if (ret == VOUCH_RET_OK && convex > 0) {
    ret = vouch_robot_warn(
      urdf->robot, "link '%s': %zu mesh%s as convex hull, because the URDF says so", link->name,
      convex, convex == 1 ? " is taken" : "es are taken");
  }
  job_fini(&job);
  return ret;
}

/* Links that one can see but not touch: somebody may have forgotten their <collision>. */
static vouch_ret_t warn_missing(vouch_urdf_t * urdf)
{
  vouch_robot_t * robot = urdf->robot;
  vouch_text_t list = {.allocator = robot->allocator};
  for (size_t i = 0; i < robot->link_count; ++i) {
    bool visual = false;
    for (const vouch_xml_element_t * e = urdf->link_elements[i]->first_child; e; e = e->next) {
      visual = visual || strcmp(e->name, "visual") == 0;
    }
    if (visual && robot->links[i].geometry == NULL) {
      vouch_text_append(&list, "%s%s", list.size == 0 ? "" : ", ", robot->links[i].name);
    }
  }
  vouch_ret_t ret = list.failed ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK && list.size > 0) {
    ret = vouch_robot_warn(
      robot, "links without <collision> are not checked: %.1500s", list.data);
  }
  vouch_text_fini(&list);
  return ret;
}

vouch_ret_t vouch_urdf_read_geometry(vouch_urdf_t * urdf)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < urdf->robot->link_count; ++i) {
    ret = read_link(urdf, i);
  }
  if (ret == VOUCH_RET_OK && urdf->robot->hulls) {
    ret = vouch_robot_warn(
      urdf->robot, "every mesh is taken as its convex hull, because hulls were asked for");
  }
  return ret == VOUCH_RET_OK ? warn_missing(urdf) : ret;
}
