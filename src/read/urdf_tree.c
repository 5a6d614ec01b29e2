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

/* The links and joints of a URDF, put in order: breadth-first from the root, joints of one link in
 * the order of the file. So link i > 0 is the child of joint i - 1. */

#include "base/error.h"
#include "read/urdf.h"

/* A link or joint element as it stands in the file. */
typedef struct item_s
{
  vouch_xml_element_t * element;
  const char * name;
  uint32_t parent, child;   // joint: its links. link: `parent` is the joint above, or VOUCH_NONE
} item_t;

typedef struct items_s
{
  item_t * items;
  uint32_t count;
} items_t;

typedef struct tree_s
{
  vouch_urdf_t * urdf;
  items_t links, joints;
  uint32_t * order;     // item number of the link with this number
  uint32_t * number;    // number of the link item, or VOUCH_NONE
} tree_t;

static uint32_t find_item(const items_t * items, const char * name)
{
  for (uint32_t i = 0; i < items->count; ++i) {
    if (strcmp(items->items[i].name, name) == 0) {
      return i;
    }
  }
  return VOUCH_NONE;
}

/* The direct children of <robot> with this element name; names must be there and differ. */
static vouch_ret_t collect(vouch_urdf_t * urdf, const char * kind, items_t * out)
{
  vouch_xml_t * document = urdf->document;
  size_t count = 0;
  for (vouch_xml_element_t * e = document->root->first_child; e != NULL; e = e->next) {
    count += strcmp(e->name, kind) == 0;
    if (count > VOUCH_URDF_MAX_LINKS) {
      return vouch_xml_fail(
        document, e, "more than %d <%s> elements", VOUCH_URDF_MAX_LINKS, kind);
    }
  }
  out->items = vouch_arena_calloc(&document->arena, count, sizeof(*out->items));
  if (out->items == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  for (vouch_xml_element_t * e = document->root->first_child; e != NULL; e = e->next) {
    if (strcmp(e->name, kind) != 0) {
      continue;
    }
    item_t item = {.element = e, .parent = VOUCH_NONE, .child = VOUCH_NONE};
    vouch_ret_t ret = vouch_xml_required(document, e, "name", &item.name);
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    uint32_t twin = find_item(out, item.name);
    if (twin != VOUCH_NONE) {
      return vouch_xml_fail(
        document, e, "a second %s '%s' (the first is in line %lu); names must differ", kind,
        item.name, out->items[twin].element->line);
    }
    out->items[out->count++] = item;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t end_of_joint(
  const tree_t * tree, const item_t * joint, const char * which, uint32_t * link)
{
  const vouch_xml_t * document = tree->urdf->document;
  vouch_xml_element_t * element = NULL;
  vouch_ret_t ret = vouch_xml_only_child(document, joint->element, which, &element);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  if (element == NULL) {
    return vouch_xml_fail(
      document, joint->element, "joint '%s' has no <%s link=\"...\"/>", joint->name, which);
  }
  const char * name = NULL;
  ret = vouch_xml_required(document, element, "link", &name);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  *link = find_item(&tree->links, name);
  if (*link == VOUCH_NONE) {
    return vouch_xml_fail(
      document, element, "joint '%s': its %s link '%s' does not exist", joint->name, which, name);
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t connect(tree_t * tree)
{
  for (uint32_t j = 0; j < tree->joints.count; ++j) {
    item_t * joint = &tree->joints.items[j];
    vouch_ret_t ret = end_of_joint(tree, joint, "parent", &joint->parent);
    if (ret == VOUCH_RET_OK) {
      ret = end_of_joint(tree, joint, "child", &joint->child);
    }
    if (ret != VOUCH_RET_OK) {
      return ret;
    }
    item_t * child = &tree->links.items[joint->child];
    if (child->parent != VOUCH_NONE) {
      return vouch_xml_fail(
        tree->urdf->document, joint->element,
        "link '%s' is the child of joint '%s' and of joint '%s'; a link has one parent",
        child->name, tree->joints.items[child->parent].name, joint->name);
    }
    child->parent = j;
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t find_root(const tree_t * tree, uint32_t * root)
{
  *root = VOUCH_NONE;
  for (uint32_t i = 0; i < tree->links.count; ++i) {
    const item_t * link = &tree->links.items[i];
    if (link->parent != VOUCH_NONE) {
      continue;
    }
    if (*root != VOUCH_NONE) {
      return vouch_xml_fail(
        tree->urdf->document, link->element,
        "two root links, '%s' and '%s'; join them with a fixed joint",
        tree->links.items[*root].name, link->name);
    }
    *root = i;
  }
  if (*root == VOUCH_NONE) {
    return vouch_xml_fail(
      tree->urdf->document, tree->urdf->document->root, tree->links.count == 0 ?
      "the robot has no <link>" :
      "the joints form a cycle: no link is without a parent");
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t order_links(tree_t * tree)
{
  vouch_arena_t * arena = &tree->urdf->document->arena;
  uint32_t count = tree->links.count;
  tree->order = vouch_arena_calloc(arena, count, sizeof(*tree->order));
  tree->number = vouch_arena_calloc(arena, count, sizeof(*tree->number));
  if (tree->order == NULL || tree->number == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  memset(tree->number, 0xff, count * sizeof(*tree->number));   // VOUCH_NONE
  uint32_t root;
  vouch_ret_t ret = find_root(tree, &root);
  if (ret != VOUCH_RET_OK) {
    return ret;
  }
  uint32_t reached = 0;
  tree->order[reached] = root;
  tree->number[root] = reached++;
  for (uint32_t at = 0; at < reached; ++at) {
    for (uint32_t j = 0; j < tree->joints.count; ++j) {
      // A link is reached once only: it has one parent joint, and the root has none.
      if (tree->joints.items[j].parent == tree->order[at]) {
        tree->order[reached] = tree->joints.items[j].child;
        tree->number[tree->joints.items[j].child] = reached++;
      }
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (tree->number[i] == VOUCH_NONE) {
      return vouch_xml_fail(
        tree->urdf->document, tree->links.items[i].element,
        "link '%s' hangs on a cycle of joints and is not connected to the root '%s'",
        tree->links.items[i].name, tree->links.items[root].name);
    }
  }
  return VOUCH_RET_OK;
}

static vouch_ret_t fill_link(tree_t * tree, uint32_t number)
{
  vouch_robot_t * robot = tree->urdf->robot;
  const item_t * item = &tree->links.items[tree->order[number]];
  vouch_link_t * link = &robot->links[number];
  link->arena.allocator = robot->allocator;
  link->name = vouch_arena_strdup(&robot->arena, item->name);
  tree->urdf->link_elements[number] = item->element;
  return link->name == NULL ? VOUCH_RET_NO_MEMORY : VOUCH_RET_OK;
}

static vouch_ret_t fill_joint(tree_t * tree, uint32_t number, vouch_xml_element_t ** elements)
{
  vouch_robot_t * robot = tree->urdf->robot;
  const item_t * child = &tree->links.items[tree->order[number + 1]];
  const item_t * item = &tree->joints.items[child->parent];
  vouch_joint_t * joint = &robot->joints[number];
  joint->name = vouch_arena_strdup(&robot->arena, item->name);
  if (joint->name == NULL) {
    return VOUCH_RET_NO_MEMORY;
  }
  joint->parent = tree->number[item->parent];
  joint->child = number + 1;
  elements[number] = item->element;
  return vouch_urdf_read_joint(tree->urdf, item->element, joint);
}

static vouch_ret_t fill(tree_t * tree)
{
  vouch_urdf_t * urdf = tree->urdf;
  vouch_robot_t * robot = urdf->robot;
  uint32_t count = tree->links.count;
  urdf->link_elements =
    vouch_arena_calloc(&urdf->document->arena, count, sizeof(*urdf->link_elements));
  vouch_xml_element_t ** joint_elements =
    vouch_arena_calloc(&urdf->document->arena, count, sizeof(*joint_elements));
  robot->joints = vouch_arena_calloc(&robot->arena, count, sizeof(*robot->joints));
  robot->links = vouch_arena_calloc(&robot->arena, count, sizeof(*robot->links));
  if (urdf->link_elements == NULL || joint_elements == NULL || robot->joints == NULL ||
    robot->links == NULL)
  {
    return VOUCH_RET_NO_MEMORY;
  }
  robot->link_count = count;
  vouch_ret_t ret = VOUCH_RET_OK;
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i < count; ++i) {
    ret = fill_link(tree, i);
  }
  for (uint32_t i = 0; ret == VOUCH_RET_OK && i + 1 < count; ++i) {
    ret = fill_joint(tree, i, joint_elements);
  }
  return ret == VOUCH_RET_OK ? vouch_urdf_number_variables(urdf, joint_elements) : ret;
}

vouch_ret_t vouch_urdf_read_tree(vouch_urdf_t * urdf)
{
  tree_t tree = {.urdf = urdf};
  vouch_ret_t ret = collect(urdf, "link", &tree.links);
  if (ret == VOUCH_RET_OK) {
    ret = collect(urdf, "joint", &tree.joints);
  }
  if (ret == VOUCH_RET_OK) {
    ret = connect(&tree);
  }
  if (ret == VOUCH_RET_OK) {
    ret = order_links(&tree);
  }
  if (ret == VOUCH_RET_OK) {
    ret = fill(&tree);
  }
  return ret;
}
