# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""URDF and SRDF: links with their shapes, joints, pairs that need no check, named states."""

import os
import pathlib
import urllib.parse
from types import SimpleNamespace as Record

from . import meshes, shapes, space
from .documents import Refused, xml

MOVES = ('revolute', 'continuous', 'prismatic')


def origin(element):
    found = element.one('origin')
    if found is None:
        return space.IDENTITY
    place = found.numbers('xyz', 3, (0.0, 0.0, 0.0))
    if 'quat_xyzw' in found.attributes:
        return space.from_quaternion(found.numbers('quat_xyzw', 4)), place
    return space.from_rpy(found.numbers('rpy', 3, (0.0, 0.0, 0.0))), place


class Packages:
    """Where package://, file:// and relative names lead."""

    def __init__(self, files, given):
        self.files, self.given, self.meshes = files, given, {}

    def path(self, uri, beside):
        if uri.startswith('package://'):
            name, _, rest = uri[len('package://'):].partition('/')
            if name in self.given:
                return os.path.join(self.given[name], rest)
            for prefix in filter(None, os.environ.get('AMENT_PREFIX_PATH', '').split(':')):
                if os.path.exists(f'{prefix}/share/ament_index/resource_index/packages/{name}'):
                    return f'{prefix}/share/{name}/{rest}'
            for above in [beside, *beside.parents][:16]:
                if self.names(above / 'package.xml', name):
                    return str(above / rest)
                if (above / name / rest).exists():
                    return str(above / name / rest)
            raise Refused(f'{uri}: the package is not found (--package {name}=DIRECTORY)')
        if uri.startswith('file://'):
            return urllib.parse.unquote(uri[len('file://'):].removeprefix('localhost'))
        if '://' in uri:
            raise Refused(f'{uri}: only package:// and file:// are read')
        return str(beside / uri)

    @staticmethod
    def names(path, name):
        try:
            found = xml(path.read_bytes(), path).one('name')
        except (OSError, Refused):
            return False
        return found is not None and found.text.strip() == name

    def mesh(self, uri, beside):
        path = self.path(uri, beside)
        data = self.files.bytes('mesh', path)
        if path not in self.meshes:
            self.meshes[path] = meshes.read(data, path)
        return self.meshes[path]


def is_convex(root, element):
    if element.one('drake:declare_convex') is not None:
        return True
    own = element.attributes.get('tesseract:make_convex', element.attributes.get('make_convex'))
    own = root.attributes.get('tesseract:make_convex') if own is None else own
    return own in ('true', '1')


class Robot:
    def __init__(self, files, packages, options):
        path = pathlib.Path(options.robot)
        root = xml(files.bytes('robot', path), path)
        if root.name != 'robot':
            raise Refused(f'{path}: not a URDF')
        self.name = root.need('name')
        self.links = {link.need('name'): link for link in root.all('link')}
        self.joints = {}    # by the child's name
        self.shapes = {}    # by the link's name, in the link's frame
        self.held = {}      # poses of planar and floating joints
        self.disabled, self.enabled, self.default_disabled = [], [], []
        self.states, self.virtual = {}, None
        self.has_srdf = options.srdf is not None
        for element in root.all('joint'):
            self.read_joint(element)
        self.follow_mimics()
        roots = [name for name in self.links if name not in self.joints]
        if len(roots) != 1:
            raise Refused(f'{path}: {len(roots)} root links')
        self.root = roots[0]
        scales = dict(options.scale)
        for name, link in self.links.items():
            self.shapes[name] = [
                self.read_shape(root, element, scales.get(name, 1.0), packages,
                                path.resolve().parent, options)
                for element in link.all('collision')]
        if options.srdf is not None:
            self.read_srdf(xml(files.bytes('srdf', options.srdf), options.srdf))

    def read_joint(self, element):
        child = element.one('child').need('link')
        joint = Record(
            name=element.need('name'), type=element.need('type'), parent=element.one(
                'parent').need('link'), child=child, origin=origin(element), axis=(1.0, 0.0, 0.0),
            master=element.need('name'), multiplier=1.0, offset=0.0, mimic=False)
        joint.moves = joint.type in MOVES
        if not joint.moves and joint.type not in ('fixed', 'planar', 'floating'):
            raise Refused(f"joint '{joint.name}' is of the unknown type '{joint.type}'")
        if element.one('axis') is not None and joint.moves:
            joint.axis = element.one('axis').numbers('xyz', 3)
        mimic = element.one('mimic')
        if mimic is not None and joint.moves:
            joint.mimic, joint.master = True, mimic.need('joint')
            joint.multiplier = mimic.numbers('multiplier', 1, (1.0,))[0]
            joint.offset = mimic.numbers('offset', 1, (0.0,))[0]
        if child in self.joints or child not in self.links or joint.parent not in self.links:
            raise Refused(f"joint '{joint.name}' joins no two links, or one that has a parent")
        self.joints[child] = joint

    def follow_mimics(self):
        self.by_joint = {joint.name: joint for joint in self.joints.values()}
        given = {j.name: (j.mimic, j.master, j.multiplier, j.offset) for j in self.joints.values()}
        for joint in self.joints.values():
            for _ in range(len(given)):
                if joint.master not in given:
                    raise Refused(f"joint '{joint.name}' mimics '{joint.master}', which is none")
                is_mimic, master, multiplier, offset = given[joint.master]
                if not is_mimic:
                    break
                joint.offset += joint.multiplier * offset
                joint.multiplier *= multiplier
                joint.master = master
            else:
                raise Refused(f"joint '{joint.name}' mimics itself")
        self.variables = [j.name for j in self.joints.values() if j.moves and not j.mimic]

    def read_shape(self, root, element, scale, packages, beside, options):
        pose = origin(element)
        inside = element.one('geometry').children
        if len(inside) != 1:
            raise Refused(f'line {element.line}: a <geometry> without one shape')
        shape = inside[0]
        if shape.name == 'box':
            return shapes.box([scale * c for c in shape.numbers('size', 3)], pose)
        if shape.name == 'sphere':
            return shapes.ellipsoid([scale * shape.numbers('radius', 1)[0]] * 3, pose)
        if shape.name in ('cylinder', 'capsule'):
            make = shapes.cylinder if shape.name == 'cylinder' else shapes.capsule
            return make(scale * shape.numbers('radius', 1)[0],
                        scale * shape.numbers('length', 1)[0], pose)
        if shape.name == 'mesh':
            stretch = [scale * c for c in shape.numbers('scale', 3, (1.0, 1.0, 1.0))]
            mesh = packages.mesh(shape.need('filename'), beside)
            return shapes.mesh(mesh, stretch, pose, options.hulls or is_convex(root, shape))
        raise Refused(f'line {shape.line}: <{shape.name}> is not a shape that is known here')

    def read_srdf(self, root):
        for element in root.children:
            if element.name in ('disable_collisions', 'enable_collisions'):
                pair = frozenset((element.need('link1'), element.need('link2')))
                if pair <= set(self.links):
                    word = element.attributes.get('reason', '')
                    disables = element.name == 'disable_collisions'
                    (self.disabled if disables else self.enabled).append((pair, word))
            elif element.name == 'disable_default_collisions':
                self.default_disabled.append(element.need('link'))
            elif element.name == 'virtual_joint' and self.virtual is None and \
                    element.need('child_link') == self.root:
                self.virtual = Record(
                    name=element.need('name'), frame=element.need('parent_frame'),
                    moves=element.attributes.get('type') in ('planar', 'floating'))
            elif element.name == 'group_state':
                self.states[element.need('group'), element.need('name')] = {
                    e.need('name'): e.need('value') for e in element.all('joint')}

    # ---- what follows from it ----

    def chain(self, link):
        """The joints above a link, the nearest first."""
        while link != self.root:
            yield self.joints[link]
            link = self.joints[link].parent

    def cluster(self, link):
        """The topmost link that this one never moves against."""
        for joint in self.chain(link):
            if joint.moves:
                return joint.child
        return self.root

    def place(self, joint):
        """Where a joint is on its parent."""
        if joint.type in ('planar', 'floating'):
            if joint.name not in self.held:
                raise Refused(f"no state says where joint '{joint.name}' is")
            return space.product(joint.origin, self.held[joint.name])
        return joint.origin

    def link_pose(self, link, state):
        """The pose of a link in the root, or None where a joint has no value."""
        pose = space.IDENTITY
        for joint in self.chain(link):
            if joint.moves:
                value = state.get(joint.master)
                if value is None:
                    return None
                value = joint.multiplier * value + joint.offset
                length = space.norm(joint.axis)
                along = tuple(value * c / length for c in joint.axis)
                motion = (space.IDENTITY[0], along) \
                    if joint.type == 'prismatic' else \
                    (space.about(joint.axis, value), (0.0, 0.0, 0.0))
                pose = space.product(motion, pose)
            pose = space.product(self.place(joint), pose)
        return pose

    def neighbours(self, a, b):
        """Whether one is the next link with shapes above the other; one joint moves at most."""
        for parent, child in ((a, b), (b, a)):
            moving = 0
            for joint in self.chain(child):
                moving += joint.moves
                if joint.parent == parent:
                    if moving <= 1:
                        return True
                    break
                if self.shapes[joint.parent]:
                    break
        return False

    def named(self, a, b):
        """(True, reason) if the pair is disabled by name, (False, 0) if enabled, else None."""
        if not self.has_srdf:
            return (True, 3) if self.neighbours(a, b) else None
        pair = frozenset((a, b))
        for other, word in self.disabled:
            if other == pair:
                return True, {'Adjacent': 4, 'Never': 5}.get(word, 6)
        return (False, 0) if any(other == pair for other, _ in self.enabled) else None

    def is_planning_frame(self, frame):
        return frame in ('', self.virtual.frame if self.virtual else self.root)
