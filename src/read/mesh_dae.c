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

/* COLLADA through assimp. Nodes are applied, and so is the unit of the file: the triangles come out
 * in metres. The up-axis is left alone, because RViz and MoveIt leave it alone: assimp would turn a
 * z-up file, which is what robots use, on its side. (MoveIt drops the unit too; RViz does not.) */

#include "base/error.h"
#include "read/mesh_file.h"

#if defined(VOUCH_HAVE_ASSIMP)

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <limits.h>
#include <pthread.h>

enum {MAX_NODE_DEPTH = 256};

/* assimp keeps its last error in a global variable. */
static pthread_mutex_t assimp_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Rows of the upper 3 x 4 part. */
typedef struct affine_s
{
  double m[3][4];
} affine_t;

static affine_t affine_mul(const affine_t * a, const struct aiMatrix4x4 * b)
{
  const double right[4][4] = {
    {(double)b->a1, (double)b->a2, (double)b->a3, (double)b->a4},
    {(double)b->b1, (double)b->b2, (double)b->b3, (double)b->b4},
    {(double)b->c1, (double)b->c2, (double)b->c3, (double)b->c4},
    {0.0, 0.0, 0.0, 1.0}
  };
  affine_t out = {{{0.0}}};
  for (size_t row = 0; row < 3; ++row) {
    for (size_t column = 0; column < 4; ++column) {
      for (size_t k = 0; k < 4; ++k) {
        out.m[row][column] += a->m[row][k] * right[k][column];
      }
    }
  }
  return out;
}

static bool mirrors(const affine_t * a)
{
  const double(*m)[4] = a->m;
  double determinant =
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  return determinant < 0.0;
}

static vouch_ret_t add_faces(
  vouch_mesh_t * mesh, const char * name, const struct aiMesh * part, size_t base, bool turn)
{
  for (unsigned int f = 0; f < part->mNumFaces; ++f) {
    const struct aiFace * face = &part->mFaces[f];
    if (face->mNumIndices < 3) {
      continue;   // points and lines
    }
    for (unsigned int corner = 0; corner < face->mNumIndices; ++corner) {
      if (face->mNumIndices > 3 || face->mIndices[corner] >= part->mNumVertices) {
        return vouch_fail(VOUCH_RET_INVALID, "%s: face %u is damaged", name, f);
      }
    }
    uint32_t a = (uint32_t)(base + face->mIndices[0]);
    uint32_t b = (uint32_t)(base + face->mIndices[turn ? 2 : 1]);
    uint32_t c = (uint32_t)(base + face->mIndices[turn ? 1 : 2]);
    vouch_ret_t ret = vouch_mesh_add_triangle(mesh, a, b, c);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t add_part(
  vouch_mesh_t * mesh, const char * name, const struct aiMesh * part, const affine_t * transform)
{
  size_t base = mesh->vertex_count;
  if (base + part->mNumVertices > UINT32_MAX) {
    return vouch_fail(VOUCH_RET_NO_MEMORY, "%s: more than 2^32 vertices", name);
  }
  for (unsigned int i = 0; i < part->mNumVertices; ++i) {
    const struct aiVector3D p = part->mVertices[i];
    double v[3];
    for (size_t row = 0; row < 3; ++row) {
      const double * m = transform->m[row];
      v[row] = m[0] * (double)p.x + m[1] * (double)p.y + m[2] * (double)p.z + m[3];
    }
    vouch_ret_t ret = vouch_mesh_add_vertex(mesh, v);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return add_faces(mesh, name, part, base, mirrors(transform));
}

static vouch_ret_t add_node(
  vouch_mesh_t * mesh, const char * name, const struct aiScene * scene,
  const struct aiNode * node, const affine_t * parent)
{
  int depth = 0;
  for (const struct aiNode * up = node; up != NULL; up = up->mParent) {
    ++depth;
  }
  if (depth > MAX_NODE_DEPTH) {
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: nodes are nested deeper than %d", name, (int)MAX_NODE_DEPTH);
  }
  affine_t transform = affine_mul(parent, &node->mTransformation);
  for (unsigned int i = 0; i < node->mNumMeshes; ++i) {
    vouch_ret_t ret = add_part(mesh, name, scene->mMeshes[node->mMeshes[i]], &transform);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  for (unsigned int i = 0; i < node->mNumChildren; ++i) {
    vouch_ret_t ret = add_node(mesh, name, scene, node->mChildren[i], &transform);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
  }
  return VOUCH_RET_OK;
}

static const struct aiScene * import_dae(const char * data, unsigned int size)
{
  struct aiPropertyStore * properties = aiCreatePropertyStore();
  if (properties == NULL) {
    return NULL;
  }
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
  const struct aiScene * scene = aiImportFileFromMemoryWithProperties(
    data, size, 0, "dae", properties);
  aiReleasePropertyStore(properties);
  return scene;
}

/// Triangles that the polygons of a scene consist of.
static size_t count_triangles(const struct aiScene * scene)
{
  size_t count = 0;
  for (unsigned int m = 0; m < scene->mNumMeshes; ++m) {
    for (unsigned int f = 0; f < scene->mMeshes[m]->mNumFaces; ++f) {
      const unsigned int corners = scene->mMeshes[m]->mFaces[f].mNumIndices;
      count += corners < 3 ? 0 : corners - 2;
    }
  }
  return count;
}

static vouch_ret_t read_dae(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  const struct aiScene * scene = import_dae(data, (unsigned int)size);
  if (scene == NULL || scene->mRootNode == NULL) {
    vouch_ret_t ret = vouch_fail(
      VOUCH_RET_INVALID, "%s: assimp cannot read this COLLADA file: %.500s", name,
      aiGetErrorString());
    aiReleaseImport(scene);
    return ret;
  }
  // A polygon in which it finds no ear loses the rest of its triangles.
  const size_t wanted = count_triangles(scene);
  scene = aiApplyPostProcessing(scene, aiProcess_Triangulate);
  if (scene == NULL || count_triangles(scene) != wanted) {
    aiReleaseImport(scene);
    return vouch_fail(
      VOUCH_RET_INVALID, "%s: a polygon cannot be cut into triangles; export triangles", name);
  }
  const affine_t identity = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
  vouch_ret_t ret = add_node(mesh, name, scene, scene->mRootNode, &identity);
  aiReleaseImport(scene);
  return ret;
}

vouch_ret_t vouch_mesh_read_dae(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  if (size > (size_t)INT_MAX) {
    return vouch_fail(VOUCH_RET_INVALID, "%s: the COLLADA file is larger than 2 GiB", name);
  }
  vouch_ret_t ret = vouch_mesh_check_dae(mesh->allocator, name, data, size);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  (void)pthread_mutex_lock(&assimp_mutex);
  ret = read_dae(mesh, name, data, size);
  (void)pthread_mutex_unlock(&assimp_mutex);
  return ret;
}

void vouch_mesh_hash_reader(vouch_sha256_t * hash, vouch_mesh_format_t format)
{
  const uint32_t version[3] = {
    (uint32_t)aiGetVersionMajor(), (uint32_t)aiGetVersionMinor(), (uint32_t)aiGetVersionPatch()
  };
  if (format == VOUCH_MESH_DAE) {
    vouch_sha256_update(hash, version, sizeof(version));
  }
}

#else

void vouch_mesh_hash_reader(vouch_sha256_t * hash, vouch_mesh_format_t format)
{
  (void)hash;
  (void)format;
}

vouch_ret_t vouch_mesh_read_dae(
  vouch_mesh_t * mesh, const char * name, const char * data, size_t size)
{
  (void)mesh;
  (void)data;
  (void)size;
  return vouch_fail(
    VOUCH_RET_INVALID,
    "%s: DAE needs assimp, and this vouch was built without it; convert the mesh to STL", name);
}

#endif
