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

/* From <collision> elements to one geometry per link.
 *
 * Three passes. First all elements and mesh files are read and hashed, and what the cache has is
 * taken. Then the rest is built, on several threads when the allocator is the default one. Last, in
 * the order of the links, the results are handed over and warnings written. So nothing but the time
 * depends on the number of threads. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "read/cache.h"
#include "read/urdf_collision.h"

enum {MAX_THREADS = 8, SENTENCE = 1024};

typedef struct job_s
{
  const vouch_urdf_t * urdf;
  uint32_t link;
  const char * cache;       // directory; NULL: none
  vouch_urdf_collisions_t collisions;
  size_t convex;            // meshes taken as hulls because the file says so
  uint8_t key[32];
  uint32_t twin;            // an earlier job with the same key, or VOUCH_NONE
  bool done;                // `built` is there
  vouch_link_geometry_t built;
  vouch_ret_t ret;          // of building; `sentence` says why
  bool store_failed;        // then `sentence` says why
  char sentence[SENTENCE];
} job_t;

typedef struct jobs_s
{
  job_t * items;
  size_t count;
  const char * cache;   // directory; NULL: none
  atomic_size_t next;
} jobs_t;

/* ---- reading ---- */

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
  for (size_t i = 0; i < job->collisions.count; ++i) {
    const vouch_urdf_collision_t * c = &job->collisions.items[i];
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

static vouch_ret_t read_job(vouch_urdf_t * urdf, jobs_t * jobs, uint32_t link)
{
  job_t * job = &jobs->items[jobs->count++];
  const char * name = urdf->robot->links[link].name;
  *job = (job_t) {
    .urdf = urdf, .link = link, .cache = jobs->cache, .twin = VOUCH_NONE, .ret = VOUCH_RET_OK
  };
  vouch_ret_t ret = vouch_urdf_collisions_read(
    urdf, link, link_scale(urdf->options, name), &job->collisions);
  if (ret != VOUCH_RET_OK || job->collisions.count == 0) {
    return ret;
  }
  for (size_t i = 0; i < job->collisions.count; ++i) {
    job->convex += job->collisions.items[i].convex;
  }
  make_key(job);
  for (uint32_t i = 0; i + 1 < jobs->count && job->twin == VOUCH_NONE; ++i) {
    const job_t * other = &jobs->items[i];
    if (other->collisions.count > 0 && memcmp(other->key, job->key, sizeof(job->key)) == 0) {
      job->twin = i;
    }
  }
  if (job->cache != NULL) {
    ret = vouch_cache_load(job->cache, job->key, urdf->robot->allocator, &job->built, &job->done);
  }
  return ret;
}

/* ---- building ---- */

static vouch_ret_t add_mesh(
  const job_t * job, const vouch_urdf_collision_t * collision, vouch_geometry_builder_t * builder)
{
  vouch_mesh_t mesh = vouch_mesh_zero(job->urdf->robot->allocator);
  vouch_ret_t ret = vouch_mesh_parse(
    &mesh, collision->path, collision->data, collision->size, collision->format);
  if (ret == VOUCH_RET_OK) {
    vouch_mesh_transform(&mesh, collision->scale, &collision->pose);
    ret = vouch_mesh_validate(&mesh);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_fail_prefix(ret, "%s, scaled and placed", collision->path);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = collision->convex ?
      vouch_geometry_add_hull(
      builder, (const double(*)[3])mesh.vertices, mesh.vertex_count, 0.0) :
      vouch_geometry_add_mesh(builder, &mesh);
  }
  vouch_mesh_fini(&mesh);
  return ret;
}

static vouch_ret_t build(job_t * job, vouch_text_t * encoded)
{
  const vouch_robot_t * robot = job->urdf->robot;
  const vouch_geometry_options_t options = {.hulls = robot->hulls, .surfaces = robot->surfaces};
  const vouch_urdf_collision_t * items = job->collisions.items;
  vouch_geometry_builder_t * builder = NULL;
  vouch_ret_t ret = vouch_geometry_builder_create(&builder, robot->allocator, &options);
  for (size_t i = 0; ret == VOUCH_RET_OK && i < job->collisions.count; ++i) {
    ret = items[i].shape.kind == VOUCH_SHAPE_MESH ? add_mesh(job, &items[i], builder) :
      vouch_shape_build(builder, &items[i].shape, &items[i].pose);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_urdf_blame(job->urdf, job->link, items[i].element, ret);
    }
  }
  if (ret == VOUCH_RET_OK) {
    ret = vouch_link_geometry_build(&job->built, robot->allocator, builder, encoded);
    if (ret != VOUCH_RET_OK) {
      ret = vouch_urdf_blame(job->urdf, job->link, items[0].element, ret);
    }
  }
  vouch_geometry_builder_destroy(builder);
  return ret;
}

static void run_job(job_t * job)
{
  vouch_text_t encoded = {.allocator = job->urdf->robot->allocator};
  job->ret = build(job, &encoded);
  job->done = job->ret == VOUCH_RET_OK;
  job->store_failed = job->done && job->cache != NULL &&
    vouch_cache_store(job->cache, job->key, &job->built, &encoded) != VOUCH_RET_OK;
  if (!job->done || job->store_failed) {
    (void)snprintf(job->sentence, sizeof(job->sentence), "%s", vouch_error());
  }
  vouch_text_fini(&encoded);
}

static void * work(void * user)
{
  jobs_t * jobs = user;
  for (;; ) {
    size_t number = atomic_fetch_add(&jobs->next, 1u);
    if (number >= jobs->count) {
      return NULL;
    }
    job_t * job = &jobs->items[number];
    if (job->collisions.count > 0 && !job->done && job->twin == VOUCH_NONE) {
      run_job(job);
    }
  }
}

/* A caller's allocator need not be able to serve several threads. */
static size_t thread_count(const vouch_urdf_t * urdf, const jobs_t * jobs)
{
  const vouch_allocator_t * given = &urdf->robot->allocator;
  const vouch_allocator_t plain = vouch_allocator_default();
  if (given->allocate != plain.allocate || given->reallocate != plain.reallocate ||
    given->deallocate != plain.deallocate)
  {
    return 1;
  }
  size_t bytes = 0;
  for (size_t i = 0; i < jobs->count; ++i) {
    for (size_t k = 0; !jobs->items[i].done && k < jobs->items[i].collisions.count; ++k) {
      bytes += jobs->items[i].collisions.items[k].size;
    }
  }
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors <= 1 || bytes < 65536) {   // not worth a thread
    return 1;
  }
  return processors < MAX_THREADS ? (size_t)processors : MAX_THREADS;
}

static void build_all(const vouch_urdf_t * urdf, jobs_t * jobs)
{
  pthread_t threads[MAX_THREADS];
  size_t wanted = thread_count(urdf, jobs) - 1;   // this thread works too
  size_t started = 0;
  while (started < wanted && pthread_create(&threads[started], NULL, work, jobs) == 0) {
    ++started;
  }
  (void)work(jobs);
  for (size_t i = 0; i < started; ++i) {
    (void)pthread_join(threads[i], NULL);
  }
}

/* ---- handing over ---- */

/* Another geometry with the same bytes: each link owns its own, so that one can be replaced. */
static vouch_ret_t copy_twin(const vouch_link_t * link, vouch_allocator_t allocator, job_t * job)
{
  vouch_text_t encoded = {.allocator = allocator};
  job->built = (vouch_link_geometry_t) {.arena = {.allocator = allocator}, .facts = link->facts};
  memcpy(job->built.digest, link->digest, sizeof(link->digest));
  vouch_geometry_encode(link->geometry, &encoded);
  vouch_ret_t ret = VOUCH_RET_NO_MEMORY;
  size_t used = 0;
  job->built.geometry = vouch_arena_calloc(&job->built.arena, 1, sizeof(*job->built.geometry));
  if (!encoded.failed && job->built.geometry != NULL) {
    ret = vouch_geometry_decode(
      job->built.geometry, &job->built.arena, encoded.data, encoded.size, &used);
  }
  vouch_text_fini(&encoded);
  job->done = true;   // to be freed, whatever happened
  return ret;
}

static vouch_ret_t hand_over(vouch_robot_t * robot, const jobs_t * jobs, job_t * job)
{
  vouch_link_t * link = &robot->links[job->link];
  if (job->collisions.count == 0) {
    return VOUCH_RET_OK;
  }
  if (job->ret != VOUCH_RET_OK) {
    return vouch_fail(job->ret, "%s", job->sentence);
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  if (!job->done) {
    ret = copy_twin(&robot->links[jobs->items[job->twin].link], robot->allocator, job);
  }
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  vouch_link_adopt(link, &job->built);
  job->done = false;
  return vouch_robot_warn_geometry(robot, link);
}

static vouch_ret_t hand_over_all(vouch_robot_t * robot, jobs_t * jobs)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  const job_t * store_failed = NULL;
  for (size_t i = 0; ret == VOUCH_RET_OK && i < jobs->count; ++i) {
    ret = hand_over(robot, jobs, &jobs->items[i]);
    if (store_failed == NULL && jobs->items[i].store_failed) {
      store_failed = &jobs->items[i];
    }
  }
  if (ret == VOUCH_RET_OK && store_failed != NULL) {
    // It costs time next time, nothing else.
    ret = vouch_robot_warn(
      robot, "the geometry cache cannot be written: %s", store_failed->sentence);
  }
  return ret;
}

static void jobs_fini(jobs_t * jobs, const vouch_allocator_t * allocator)
{
  for (size_t i = 0; i < jobs->count; ++i) {
    vouch_urdf_collisions_fini(&jobs->items[i].collisions, allocator);
    if (jobs->items[i].done) {
      vouch_arena_fini(&jobs->items[i].built.arena);
    }
  }
}

/* One warning with all links that `concerns` picks. */
static vouch_ret_t warn_links(
  const vouch_urdf_t * urdf, const jobs_t * jobs,
  bool (* concerns)(const vouch_urdf_t *, const job_t *), const char * sentence)
{
  vouch_robot_t * robot = urdf->robot;
  vouch_text_t list = {.allocator = robot->allocator};
  for (size_t i = 0; i < jobs->count; ++i) {
    if (concerns(urdf, &jobs->items[i])) {
      vouch_text_append(
        &list, "%s%s", list.size == 0 ? "" : ", ", robot->links[jobs->items[i].link].name);
    }
  }
  vouch_ret_t ret = list.failed ?
    vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory for a warning") : VOUCH_RET_OK;
  if (ret == VOUCH_RET_OK && list.size > 0) {
    ret = vouch_robot_warn(robot, "%s: %.1500s", sentence, list.data);
  }
  vouch_text_fini(&list);
  return ret;
}

static bool is_declared_convex(const vouch_urdf_t * urdf, const job_t * job)
{
  (void)urdf;
  return job->convex > 0;
}

static bool is_scaled(const vouch_urdf_t * urdf, const job_t * job)
{
  return link_scale(urdf->options, urdf->robot->links[job->link].name) != 1.0;
}

static bool has_unit(const vouch_urdf_t * urdf, const job_t * job)
{
  (void)urdf;
  for (size_t i = 0; i < job->collisions.count; ++i) {
    const vouch_urdf_collision_t * c = &job->collisions.items[i];
    if (c->format == VOUCH_MESH_DAE && vouch_mesh_dae_has_unit(c->data, c->size)) {
      return true;
    }
  }
  return false;
}

/* One can see it but not touch it: somebody may have forgotten its <collision>. */
static bool is_only_visual(const vouch_urdf_t * urdf, const job_t * job)
{
  const vouch_xml_element_t * e = urdf->link_elements[job->link]->first_child;
  for (; e != NULL && job->collisions.count == 0; e = e->next) {
    if (strcmp(e->name, "visual") == 0) {
      return true;
    }
  }
  return false;
}

/* Also for those who do not read warnings. */
static void mark_only_visual(const vouch_urdf_t * urdf, const jobs_t * jobs)
{
  for (size_t i = 0; i < jobs->count; ++i) {
    urdf->robot->links[jobs->items[i].link].only_visual = is_only_visual(urdf, &jobs->items[i]);
  }
}

static vouch_ret_t warn_all(const vouch_urdf_t * urdf, const jobs_t * jobs)
{
  vouch_ret_t ret = VOUCH_RET_OK;
  if (urdf->robot->hulls) {
    ret = vouch_robot_warn(
      urdf->robot, "every mesh is taken as its convex hull, because hulls were asked for");
  }
  if (ret == VOUCH_RET_OK) {
    ret = warn_links(
      urdf, jobs, is_declared_convex,
      "the URDF declares meshes to be convex, and they are taken as their hulls, in the links");
  }
  if (ret == VOUCH_RET_OK) {
    ret = warn_links(
      urdf, jobs, is_scaled, "shapes were scaled, because that was asked for, in the links");
  }
  if (ret == VOUCH_RET_OK) {
    ret = warn_links(
      urdf, jobs, has_unit, "COLLADA meshes are in another unit than metres, which is applied "
      "(RViz applies it, MoveIt does not), in the links");
  }
  if (ret == VOUCH_RET_OK) {
    ret = warn_links(
      urdf, jobs, is_only_visual, "links without <collision> are not checked");
  }
  return ret;
}

vouch_ret_t vouch_urdf_read_geometry(vouch_urdf_t * urdf)
{
  vouch_robot_t * robot = urdf->robot;
  jobs_t jobs = {.count = 0};
  atomic_init(&jobs.next, 0u);
  jobs.items = vouch_calloc(&robot->allocator, robot->link_count, sizeof(*jobs.items));
  if (jobs.items == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  vouch_ret_t ret = VOUCH_RET_OK;
  jobs.cache = urdf->options->cache_directory;
  if (jobs.cache != NULL && vouch_cache_check(jobs.cache) != VOUCH_RET_OK) {
    // As if there were none; it costs time, nothing else.
    jobs.cache = NULL;
    ret = vouch_robot_warn(robot, "%s", vouch_error());
  }
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < robot->link_count; ++i) {
    ret = read_job(urdf, &jobs, i);
  }
  if (ret == VOUCH_RET_OK) {
    build_all(urdf, &jobs);
    ret = hand_over_all(robot, &jobs);
  }
  if (ret == VOUCH_RET_OK) {
    mark_only_visual(urdf, &jobs);
    ret = warn_all(urdf, &jobs);
  }
  jobs_fini(&jobs, &robot->allocator);
  vouch_free(&robot->allocator, jobs.items);
  return ret;
}
