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

/* A geometry from bytes. Nothing that the file does not spell out is longer than what it does, but
 * for the lists of nodes that keep all that their children do: VOUCH_MAX_KEPT each at most, and all
 * of them bounded by the size of the file. */

#include "base/bytes.h"
#include "base/error.h"
#include "geometry/codec.h"

/// One record of the file's nodes.
typedef struct record_s
{
  uint32_t right, count, solid, open;
} record_t;

/// How long all lists may be together, those that are left out too: more than what trees have that
/// are not made for it.
enum {LISTED_A_BYTE = 2, LISTED_ANYWAY = 65536};

static const char CUT[] = "the geometry ends in the middle of a node";

/// What is read on the way, and lives as long as the reading.
typedef struct reading_s
{
  vouch_geometry_t * g;
  vouch_bytes_t * in;
  record_t * records;   // per node
  uint32_t * end;       // per node: the first node that is neither it nor beneath it
  uint32_t * twins;     // of the file, three a primitive
  uint8_t * kinds;      // per primitive: vouch_component_kind_t
  uint32_t solids;
  vouch_list_t * lists;   // per node: at first how long they are at most
  uint32_t * vertices;    // what they name
  size_t * mixtures;      // per inner node: where its witnesses are
  bool * whole;           // per node: it keeps all that its children do
  bool implied;           // a list was left out
  vouch_kept_t kept;
  vouch_ret_t code;     // what a failure means
} reading_t;

/// Tells what is wrong; false, which without this means that there is no memory.
static bool wrong(reading_t * r, const char * what)
{
  r->code = vouch_fail(VOUCH_RET_INVALID, "%s", what);
  return false;
}

static bool read_tables(reading_t * r, vouch_arena_t * arena, vouch_arena_t * scratch)
{
  vouch_geometry_t * g = r->g;
  g->vertex_count = vouch_bytes_get_count(r->in, VERTEX_BYTES);
  g->vertices = vouch_arena_calloc(arena, g->vertex_count, sizeof(g->vertices[0]));
  if (g->vertices == NULL) {
    return false;
  }
  vouch_bytes_get_f64(r->in, &g->vertices[0][0], 3 * (size_t)g->vertex_count);
  g->round_count = vouch_bytes_get_count(r->in, ROUND_BYTES);
  g->rounds = vouch_arena_calloc(arena, g->round_count, sizeof(g->rounds[0]));
  if (g->rounds == NULL) {
    return false;
  }
  vouch_bytes_get_f64(r->in, &g->rounds[0][0], 9 * (size_t)g->round_count);
  g->node_count = vouch_bytes_get_count(r->in, NODE_BYTES);
  g->nodes = vouch_arena_calloc(arena, g->node_count, sizeof(g->nodes[0]));
  r->records = vouch_arena_calloc(scratch, g->node_count, sizeof(r->records[0]));
  r->end = vouch_arena_calloc(scratch, g->node_count, sizeof(r->end[0]));
  if (g->nodes == NULL || r->records == NULL || r->end == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    record_t * record = &r->records[i];
    record->right = vouch_bytes_get_u32(r->in);
    record->count = vouch_bytes_get_u32(r->in);
    record->solid = vouch_bytes_get_u32(r->in);
    record->open = vouch_bytes_get_u32(r->in);
  }
  if (r->in->failed) {
    return wrong(r, "the geometry ends in the middle of a table");
  }
  return (g->vertex_count > g->round_count && g->node_count > 0) ||
         wrong(r, "the geometry has no vertices that are not round, or no nodes");
}

/// From the last to the first: children, which are the next node and `right`, behind all beneath
/// it.
static bool read_tree(reading_t * r)
{
  vouch_geometry_t * g = r->g;
  for (uint32_t i = g->node_count; i-- > 0; ) {
    vouch_tree_node_t * node = &g->nodes[i];
    uint32_t right = r->records[i].right;
    if (right == 0) {
      node->count = 1;
      r->end[i] = i + 1;
    } else if (i + 1 < right && right < g->node_count && r->end[i + 1] == right) {
      node->left = i + 1;
      node->right = right;
      node->count = g->nodes[i + 1].count + g->nodes[right].count;
      r->end[i] = r->end[right];
    } else {
      return wrong(
        r,
        "a node's children are not the next node and the one behind all beneath that");
    }
  }
  return r->end[0] == g->node_count || wrong(r, "there are nodes that are not beneath node 0");
}

/// Which nodes are open and which primitives belong to solids.
static bool read_marks(reading_t * r)
{
  vouch_geometry_t * g = r->g;
  g->open_node = VOUCH_NONE;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const record_t * record = &r->records[i];
    if (record->open > 1 || (record->open == 1 && g->open_node != VOUCH_NONE)) {
      return wrong(r, "there is more than one open node");
    }
    g->open_node = record->open == 1 ? i : g->open_node;
    if (record->solid > r->solids + 1) {
      return wrong(r, "solids are not numbered in the order in which they come");
    }
    r->solids += record->solid > r->solids ? 1 : 0;
    if (record->solid > 0 && (record->right != 0 || record->count != 3)) {
      return wrong(r, "a part of a solid is no triangle");
    }
  }
  return true;
}

/// Primitives are numbered in the order of their nodes.
static bool number_primitives(reading_t * r, vouch_arena_t * arena, vouch_arena_t * scratch)
{
  vouch_geometry_t * g = r->g;
  uint32_t primitive = 0;
  g->primitive_count = g->nodes[0].count;
  g->primitives = vouch_arena_calloc(arena, g->primitive_count, sizeof(g->primitives[0]));
  r->kinds = vouch_arena_calloc(scratch, g->primitive_count, 1);
  r->twins = vouch_arena_calloc(scratch, 3 * (size_t)g->primitive_count, sizeof(r->twins[0]));
  for (uint32_t i = 0; i < g->node_count; ++i) {
    g->nodes[i].first = primitive;
    primitive += g->nodes[i].left == 0 ? 1 : 0;
  }
  return g->primitives != NULL && r->kinds != NULL && r->twins != NULL;
}

/// How long each list is at most: no node keeps more than VOUCH_MAX_KEPT.
static bool room_for_lists(reading_t * r, vouch_arena_t * scratch)
{
  const vouch_geometry_t * g = r->g;
  uint64_t sum = 0, spelled = 0;
  r->lists = vouch_arena_calloc(scratch, g->node_count, sizeof(r->lists[0]));
  r->mixtures = vouch_arena_calloc(scratch, g->node_count, sizeof(r->mixtures[0]));
  r->whole = vouch_arena_calloc(scratch, g->node_count, sizeof(r->whole[0]));
  if (r->lists == NULL || r->mixtures == NULL || r->whole == NULL) {
    return false;
  }
  for (uint32_t i = g->node_count; i-- > 0; ) {
    uint32_t count = r->records[i].count;
    spelled += count;
    if (g->nodes[i].left != 0 && count == 0) {
      uint64_t both = (uint64_t)r->lists[g->nodes[i].left].count +
        r->lists[g->nodes[i].right].count;
      count = both < VOUCH_MAX_KEPT ? (uint32_t)both : VOUCH_MAX_KEPT;
    }
    r->lists[i].count = count;
    sum += count;
  }
  if (spelled > (r->in->size - r->in->position) / 4) {
    return wrong(r, "the lists of the nodes are longer than the geometry");
  }
  /* So many are kept, and have witnesses, at most: about 28 bytes each. */
  if (sum > UINT32_MAX || sum > LISTED_A_BYTE * (uint64_t)r->in->size + LISTED_ANYWAY) {
    return wrong(r, "the lists of the nodes are too long");
  }
  r->vertices = vouch_arena_calloc(scratch, sum, sizeof(r->vertices[0]));
  return r->vertices != NULL && vouch_kept_init(&r->kept, scratch, g->vertex_count);
}

/// What the children list, in ascending order. Returns how many; more than VOUCH_MAX_KEPT: too many.
static uint32_t unite(reading_t * r, const vouch_list_t parts[2], uint32_t * to)
{
  uint32_t count = 0;
  vouch_kept_of(&r->kept, (vouch_list_t) {NULL, 0});
  for (int part = 0; part < 2; ++part) {
    for (uint32_t i = 0; i < parts[part].count; ++i) {
      uint32_t vertex = parts[part].vertices[i];
      if (!vouch_is_kept(&r->kept, vertex)) {
        r->kept.stamp[vertex] = r->kept.now;
        if (count == VOUCH_MAX_KEPT) {
          return count + 1;
        }
        to[count++] = vertex;
      }
    }
  }
  vouch_list_sort(to, count);
  return count;
}

static bool read_list(reading_t * r, uint32_t number, uint32_t * to)
{
  uint32_t count = r->records[number].count;
  vouch_bytes_get_u32s(r->in, to, count);
  if (r->in->failed) {
    return wrong(r, CUT);
  }
  for (uint32_t k = 0; k < count; ++k) {
    if (to[k] == 0 || to[k] >= r->g->vertex_count) {
      return wrong(r, "the list of a node has a vertex that is not there");
    }
  }
  r->lists[number] = (vouch_list_t) {to, count};
  return true;
}

/// The list of an inner node; its witnesses are left for later.
static bool read_inner(reading_t * r, uint32_t number, uint32_t * to)
{
  const vouch_tree_node_t * node = &r->g->nodes[number];
  const vouch_list_t below[2] = {r->lists[node->left], r->lists[node->right]};
  if (r->records[number].count == 0) {
    r->lists[number] = (vouch_list_t) {to, unite(r, below, to)};
    r->whole[number] = r->implied = true;
  } else if (!read_list(r, number, to)) {
    return false;
  } else {
    r->whole[number] = vouch_is_union(&r->kept, r->lists[number], below);
  }
  if (r->lists[number].count > VOUCH_MAX_KEPT) {
    return wrong(r, "a node keeps too many vertices");
  }
  const uint32_t children[2] = {node->left, node->right};
  for (int c = 0; c < 2; ++c) {
    bool left_out = r->g->nodes[children[c]].left != 0 && r->records[children[c]].count == 0;
    if (left_out && !r->whole[number]) {
      return wrong(r, "a list is left out, but the witnesses above go by its order");
    }
    r->g->spelled |= r->whole[children[c]] && r->whole[number] && !left_out;
  }
  size_t missing = 0;
  vouch_kept_of(&r->kept, r->lists[number]);
  for (int c = 0; c < 2; ++c) {
    for (uint32_t k = 0; k < below[c].count; ++k) {
      missing += vouch_is_kept(&r->kept, below[c].vertices[k]) ? 0 : 1;
    }
  }
  r->mixtures[number] = r->in->position;
  (void)vouch_bytes_take(r->in, missing * MIXTURE_BYTES);
  return true;
}

/// The lists of all nodes and the twins of edges.
static bool read_nodes(reading_t * r)
{
  uint32_t * to = r->vertices;
  for (uint32_t i = r->g->node_count; i-- > 0; ) {
    if (r->g->nodes[i].left != 0 ? !read_inner(r, i, to) : !read_list(r, i, to)) {
      return false;
    }
    to += r->lists[i].count;
    if (r->records[i].solid > 0) {
      vouch_bytes_get_u32s(r->in, r->twins + 3 * (size_t)r->g->nodes[i].first, 3);
    }
  }
  if (r->in->failed) {
    return wrong(r, CUT);
  }
  r->g->spelled |= r->whole[0] && r->records[0].count > 0;
  return !r->implied || !r->g->spelled ||
         wrong(r, "some lists are left out, but not all that could be");
}

/// Copies the lists to where they belong, in the order of the nodes.
static bool place_lists(reading_t * r, vouch_arena_t * arena)
{
  vouch_geometry_t * g = r->g;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    vouch_tree_node_t * node = &g->nodes[i];
    uint32_t count = r->lists[i].count;
    node->witness_first = g->witness_count;
    if (node->left == 0) {
      g->primitives[node->first] = (vouch_primitive_t) {.first = g->index_count, .count = count};
      g->index_count += count;
    } else {
      node->kept_first = g->kept_count;
      node->kept_count = count;
      g->kept_count += count;
      g->witness_count += r->lists[node->left].count + r->lists[node->right].count;
    }
  }
  g->indices = vouch_arena_calloc(arena, g->index_count, sizeof(g->indices[0]));
  g->kept = vouch_arena_calloc(arena, g->kept_count, sizeof(g->kept[0]));
  g->witnesses = vouch_arena_calloc(arena, g->witness_count, sizeof(g->witnesses[0]));
  if (g->indices == NULL || g->kept == NULL || g->witnesses == NULL) {
    return false;
  }
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    uint32_t * to = node->left == 0 ? g->indices + g->primitives[node->first].first :
      g->kept + node->kept_first;
    memcpy(to, r->lists[i].vertices, r->lists[i].count * sizeof(to[0]));
  }
  return true;
}

static void read_witness(reading_t * r, vouch_witness_t * witness)
{
  vouch_bytes_get_f32(r->in, witness->weight, 3);
  for (int k = 0; k < 4; ++k) {
    witness->index[k] = vouch_bytes_get_u8(r->in);
  }
}

/// Those of points that nodes do not keep, from where read_inner() passed by.
static bool read_witnesses(reading_t * r)
{
  size_t end = r->in->position;
  for (uint32_t i = 0; i < r->g->node_count; ++i) {
    const vouch_tree_node_t * node = &r->g->nodes[i];
    vouch_witness_t * witness = r->g->witnesses + node->witness_first;
    if (node->left == 0) {
      continue;
    }
    const vouch_list_t below[2] = {r->lists[node->left], r->lists[node->right]};
    r->in->position = r->mixtures[i];
    vouch_kept_of(&r->kept, r->lists[i]);
    for (int c = 0; c < 2; ++c) {
      for (uint32_t k = 0; k < below[c].count; ++k, ++witness) {
        if (vouch_is_kept(&r->kept, below[c].vertices[k])) {
          *witness = vouch_witness_kept(r->kept.place[below[c].vertices[k]]);
        } else {
          read_witness(r, witness);
        }
      }
    }
  }
  r->in->position = end;
  return true;
}

/// What the file does not say: whose the primitives are.
static bool find_components(reading_t * r, vouch_arena_t * arena)
{
  vouch_geometry_t * g = r->g;
  for (uint32_t i = 0; i < g->node_count; ++i) {
    if (g->nodes[i].left != 0) {
      continue;
    }
    uint32_t number = g->nodes[i].first, solid = r->records[i].solid;
    vouch_primitive_t * p = &g->primitives[number];
    bool open = g->open_node <= i && i < r->end[g->open_node == VOUCH_NONE ? 0 : g->open_node];
    bool triangle = vouch_has_plain_corners(g, p);
    if ((solid > 0 || open) && (!triangle || (solid > 0 && open))) {
      return wrong(r, "what is open or solid must be triangles, and not both");
    }
    p->component = solid > 0 ? solid - 1 : 0;
    r->kinds[number] = solid > 0 ? VOUCH_COMPONENT_SOLID : open ? VOUCH_COMPONENT_OPEN :
      triangle ? VOUCH_COMPONENT_SURFACE : VOUCH_COMPONENT_CONVEX;
  }
  g->components = vouch_arena_calloc(arena, g->primitive_count, 1);
  if (g->components == NULL) {
    return false;
  }
  g->component_count = vouch_put_components(g, r->kinds, r->solids);
  return true;
}

static bool check_twins(reading_t * r, vouch_arena_t * scratch)
{
  const uint32_t * twins = vouch_geometry_twins(r->g, scratch);
  return twins != NULL &&
         (memcmp(twins, r->twins, 3 * (size_t)r->g->primitive_count * sizeof(twins[0])) == 0 ||
         wrong(r, "the twins of edges are not those of the triangles"));
}

vouch_ret_t vouch_geometry_decode(
  vouch_geometry_t * geometry, vouch_arena_t * arena, const void * data, size_t size, size_t * used)
{
  memset(geometry, 0, sizeof(*geometry));
  vouch_bytes_t in = vouch_bytes_reader(data, size);
  vouch_arena_t scratch = {.allocator = arena->allocator};
  reading_t r = {.g = geometry, .in = &in, .code = VOUCH_RET_NO_MEMORY};
  bool good = read_tables(&r, arena, &scratch) && read_tree(&r) && read_marks(&r) &&
    number_primitives(&r, arena, &scratch) && room_for_lists(&r, &scratch) && read_nodes(&r) &&
    place_lists(&r, arena) && read_witnesses(&r) && find_components(&r, arena) &&
    check_twins(&r, &scratch);
  vouch_arena_fini(&scratch);
  vouch_ret_t code = good ? vouch_geometry_validate(geometry) : r.code;
  *used = code == VOUCH_RET_OK ? in.position : 0;
  if (code != VOUCH_RET_OK) {
    memset(geometry, 0, sizeof(*geometry));
  }
  return code;
}
