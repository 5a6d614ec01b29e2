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

/* The problem as text for people and for diff: one record a line, every number twice, as %.17g and
 * as %a, so that nothing is lost and nothing has to be guessed. Told is what is in the file, with
 * the numbers that it has there, bodies also with the number of their frame: the text of a problem
 * and that of its file are the same. */

#include "base/error.h"
#include "base/sha256.h"
#include "model/problem.h"

static void put_numbers(vouch_text_t * out, const char * label, const double * values, size_t count)
{
  vouch_text_append(out, " %s", label);
  for (size_t i = 0; i < count; ++i) {
    vouch_text_append(out, " %.17g", values[i]);
  }
  vouch_text_append(out, " [");
  for (size_t i = 0; i < count; ++i) {
    vouch_text_append(out, i == 0 ? "%a" : " %a", values[i]);
  }
  vouch_text_append(out, "]");
}

static void put_pose(vouch_text_t * out, const char * label, const vouch_pose_t * pose)
{
  double all[7];
  memcpy(all, pose->rotation, sizeof(pose->rotation));
  memcpy(all + 4, pose->translation, sizeof(pose->translation));
  put_numbers(out, label, all, 7);
}

/// In quotes, with backslashes before quotes and backslashes, and control characters as \xhh.
static void put_string(vouch_text_t * out, const char * label, const char * text)
{
  vouch_text_append(out, " %s \"", label);
  for (const char * p = text == NULL ? "" : text; *p != '\0'; ++p) {
    unsigned char c = (unsigned char)*p;
    if (c == '"' || c == '\\') {
      vouch_text_append(out, "\\%c", c);
    } else if (c < 0x20 || c == 0x7f) {
      vouch_text_append(out, "\\x%02x", c);
    } else {
      vouch_text_append_bytes(out, p, 1);
    }
  }
  vouch_text_append(out, "\"");
}

static void put_number_u32(vouch_text_t * out, const char * label, uint32_t value)
{
  if (value == VOUCH_NONE) {
    vouch_text_append(out, " %s none", label);
  } else {
    vouch_text_append(out, " %s %u", label, value);
  }
}

static void dump_shapes(const vouch_geometry_t * g, vouch_text_t * out)
{
  for (uint32_t i = 0; i < g->vertex_count; ++i) {
    const double * axes = vouch_geometry_round(g, i);
    vouch_text_append(out, "  vertex %u", i);
    put_numbers(out, "at", g->vertices[i], 3);
    if (axes != NULL) {
      put_numbers(out, "half-axes", axes, 9);
    }
    vouch_text_append(out, "\n");
  }
  static const char * const kinds[] = {"?", "triangle", "hull"};
  static const char * const components[] = {"surface", "solid", "open", "convex"};
  for (uint32_t i = 0; i < g->component_count; ++i) {
    vouch_text_append(
      out, "  component %u %s\n", i, g->components[i] < 4 ? components[g->components[i]] : "?");
  }
  for (uint32_t i = 0; i < g->primitive_count; ++i) {
    const vouch_primitive_t * p = &g->primitives[i];
    vouch_text_append(
      out, "  primitive %u %s component %u", i, kinds[p->kind < 3 ? p->kind : 0], p->component);
    vouch_text_append(out, " vertices");
    for (uint32_t k = 0; k < p->count; ++k) {
      vouch_text_append(out, " %u", g->indices[p->first + k]);
    }
    vouch_text_append(out, "\n");
  }
}

static void dump_tree(const vouch_geometry_t * g, vouch_text_t * out)
{
  for (uint32_t i = 0; i < g->node_count; ++i) {
    const vouch_tree_node_t * node = &g->nodes[i];
    vouch_text_append(
      out, "  node %u%s primitives %u + %u children %u %u kept", i,
      i == g->open_node ? " open" : "", node->first, node->count, node->left, node->right);
    for (uint32_t k = 0; k < node->kept_count; ++k) {
      vouch_text_append(out, " %u", g->kept[node->kept_first + k]);
    }
    vouch_text_append(out, "\n");
  }
  for (uint32_t i = 0; i < g->witness_count; ++i) {
    const vouch_witness_t * w = &g->witnesses[i];
    double weights[3] = {(double)w->weight[0], (double)w->weight[1], (double)w->weight[2]};
    vouch_text_append(
      out, "  witness %u positions %u %u %u %u", i, w->index[0], w->index[1], w->index[2],
      w->index[3]);
    put_numbers(out, "weights", weights, 3);
    vouch_text_append(out, "\n");
  }
}

static void dump_frames(const vouch_scene_part_t * scene, vouch_text_t * out)
{
  static const char * const joints[] = {"fixed", "revolute", "prismatic"};
  for (uint32_t i = 0; i < scene->frame_count; ++i) {
    const vouch_frame_t * frame = &scene->frames[i];
    vouch_text_append(out, "frame %u", i);
    put_string(out, "name", frame->name);
    put_string(out, "owner", frame->owner);
    vouch_text_append(
      out, " parent %u %s", frame->parent, frame->joint < 3 ? joints[frame->joint] : "?");
    put_pose(out, "pose", &frame->pose);
    if (frame->joint != VOUCH_JOINT_FIXED) {
      put_numbers(out, "axis", frame->axis, 3);
      vouch_text_append(out, " variable %u", frame->variable);
      put_numbers(out, "multiplier", &frame->multiplier, 1);
      put_numbers(out, "offset", &frame->offset, 1);
    }
    vouch_text_append(out, "\n");
  }
}

static void dump_bodies(const vouch_scene_part_t * scene, vouch_text_t * out)
{
  static const char * const kinds[] = {"geometry", "halfspace", "plane"};
  for (uint32_t i = 0; i < scene->body_count; ++i) {
    const vouch_body_t * body = &scene->bodies[i];
    vouch_text_append(out, "body %u %s", i, body->kind < 3 ? kinds[body->kind] : "?");
    put_string(out, "name", body->name);
    put_string(out, "id", body->id);
    vouch_text_append(out, " frame %u", body->frame);
    if (body->kind == VOUCH_BODY_GEOMETRY) {
      put_number_u32(out, "geometry", body->geometry);
    }
    put_pose(out, "placement", &body->placement);
    if (body->growth > 0.0) {
      put_numbers(out, "growth", &body->growth, 1);
    }
    if (body->kind != VOUCH_BODY_GEOMETRY) {
      put_numbers(out, "normal", body->normal, 3);
      put_numbers(out, "offset", &body->offset, 1);
    }
    vouch_text_append(out, "\n");
  }
}

static void dump_groups(const vouch_scene_part_t * scene, vouch_text_t * out)
{
  for (uint32_t i = 0; i < scene->group_count; ++i) {
    const vouch_group_t * group = &scene->groups[i];
    vouch_text_append(out, "group %u as number %u", i, scene->body_count + i);
    if (group->body != VOUCH_NONE) {
      vouch_text_append(out, " body %u\n", group->body);
    } else {
      vouch_text_append(out, " groups %u %u\n", group->left, group->right);
    }
  }
}

/// A body or a group, by its number.
static void put_item(vouch_text_t * out, const vouch_scene_part_t * scene, uint32_t number)
{
  if (number < scene->body_count) {
    vouch_text_append(out, " body %u", number);
    put_string(out, "id", scene->bodies[number].id);
  } else {
    vouch_text_append(out, " group %u", number - scene->body_count);
  }
}

static void dump_pairs(const vouch_scene_part_t * scene, vouch_text_t * out)
{
  for (uint32_t i = 0; i < scene->pair_count; ++i) {
    const vouch_pair_t * pair = &scene->pairs[i];
    vouch_text_append(out, "pair %u", i);
    put_item(out, scene, pair->a);
    put_item(out, scene, pair->b);
    put_numbers(out, "margin", &pair->margin, 1);
    vouch_text_append(out, "\n");
    for (uint32_t k = 0; k < pair->skip_count; ++k) {
      vouch_text_append(out, "  without");
      put_item(out, scene, pair->skips[k].body);
      vouch_text_append(out, ": %s\n", vouch_reason_text(pair->skips[k].reason));
    }
  }
  for (uint32_t i = 0; i < scene->left_out_count; ++i) {
    const vouch_left_out_t * pair = &scene->left_out[i];
    vouch_text_append(out, "left out %u", i);
    put_item(out, scene, pair->a);
    put_item(out, scene, pair->b);
    vouch_text_append(out, ": %s\n", vouch_reason_text(pair->reason));
  }
}

static void dump_motion(const vouch_motion_part_t * motion, vouch_text_t * out)
{
  vouch_text_append(out, "motion");
  put_string(out, "model", motion->model);
  vouch_text_append(
    out, " variables %u segments %u\n", motion->variable_count, motion->segment_count);
  for (uint32_t i = 0; i < motion->variable_count; ++i) {
    vouch_text_append(out, "variable %u", i);
    put_string(out, "name", motion->names[i]);
    put_numbers(out, "tolerance", &motion->tolerances[i], 1);
    vouch_text_append(out, "\n");
  }
  for (size_t i = 0; i <= motion->segment_count; ++i) {
    vouch_text_append(out, "knot %zu", i);
    put_numbers(out, "at", &motion->knots[i], 1);
    put_numbers(out, "seconds", &motion->seconds[i], 1);
    vouch_text_append(out, "\n");
  }
  for (uint32_t k = 0; k < motion->segment_count; ++k) {
    size_t each = (size_t)motion->degrees[k] + 1;
    for (uint32_t v = 0; v < motion->variable_count; ++v) {
      vouch_text_append(out, "segment %u variable %u degree %u", k, v, motion->degrees[k]);
      put_numbers(
        out, "coefficients", motion->coefficients + motion->offsets[k] + v * each, each);
      vouch_text_append(out, "\n");
    }
  }
}

static void put_hash(vouch_text_t * out, const char * label, const uint8_t hash[32])
{
  char hex[65];
  vouch_sha256_hex(hash, hex);
  vouch_text_append(out, "sha256 %s %s\n", label, hex);
}

static void dump_sources(const vouch_sources_part_t * part, vouch_text_t * out)
{
  vouch_text_append(out, "sources");
  put_string(out, "writer", part->writer);
  vouch_text_append(out, "\n");
  for (uint32_t i = 0; i < part->source_count; ++i) {
    vouch_text_append(out, "source %u", i);
    put_string(out, "role", part->sources[i].role);
    put_string(out, "name", part->sources[i].name);
    char hex[65];
    vouch_sha256_hex(part->sources[i].hash, hex);
    vouch_text_append(out, " sha256 %s\n", hex);
  }
}

vouch_ret_t vouch_problem_dump(const vouch_problem_t * problem, vouch_text_t * out)
{
  uint8_t digest[32];
  vouch_problem_digest(problem, digest);
  vouch_text_append(out, "vouch problem, version 3\n");
  put_hash(out, "problem", digest);
  put_hash(out, "geometry", problem->geometry.hash);
  put_hash(out, "motion", problem->motion.hash);
  put_hash(out, "scene", problem->scene.hash);
  put_hash(out, "sources", problem->sources.hash);
  for (uint32_t i = 0; i < problem->geometry.geometry_count; ++i) {
    vouch_text_append(out, "geometry %u\n", i);
    dump_shapes(problem->geometry.geometries[i], out);
    dump_tree(problem->geometry.geometries[i], out);
  }
  dump_motion(&problem->motion, out);
  vouch_text_append(out, "scene");
  put_string(out, "robot", problem->scene.robot);
  vouch_text_append(out, " revision %llu\n", (unsigned long long)problem->scene.revision);
  dump_frames(&problem->scene, out);
  dump_bodies(&problem->scene, out);
  dump_groups(&problem->scene, out);
  dump_pairs(&problem->scene, out);
  dump_sources(&problem->sources, out);
  return out->failed ?
         vouch_fail(VOUCH_RET_NO_MEMORY, "out of memory while writing the problem as text") :
         VOUCH_RET_OK;
}
