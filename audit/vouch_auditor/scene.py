# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""Scene files: PlanningScene and MotionPlanRequest of moveit_msgs, and vouch's own format."""

import base64
import pathlib
from types import SimpleNamespace as Record

from . import octomap, shapes, space
from .documents import (
    document, is_null, items, known, member, number, numbers, Refused, text, texts, truth)

OCTOMAP = '<octomap>'
OPERATIONS = ('add', 'remove', 'append', 'move')
OWN = 'objects remove allow check allow_default check_default padding transforms state'


def vector(value, keys):
    """A list of numbers, or a map of them; what is missing is 0 (w: 1)."""
    if value is None or isinstance(value, dict):
        known(value, ' '.join(keys))
        given = value or {}
        whole = 1.0 if keys[-1] == 'w' and not given else 0.0
        return tuple(number(given[k]) if not is_null(given.get(k)) else
                     whole if k == 'w' else 0.0 for k in keys)
    found = tuple(numbers(value))
    if len(found) != len(keys):
        raise Refused(f'{len(keys)} numbers are expected')
    return found


def pose(value):
    known(value, 'position orientation translation rotation')
    place = member(value, 'position') or member(value, 'translation')
    turn = member(value, 'orientation') or member(value, 'rotation')
    q = vector(turn, 'xyzw') if turn is not None else (0.0, 0.0, 0.0, 1.0)
    q = (0.0, 0.0, 0.0, 1.0) if q == (0.0, 0.0, 0.0, 0.0) else q
    return space.from_quaternion(q), vector(place, 'xyz')


def is_identity(a):
    return a[1] == (0.0, 0.0, 0.0) and a[0] == space.IDENTITY[0]


def points(value):
    return [vector(p, 'xyz') if isinstance(p, dict) or len(p) == 3 else (*numbers(p), 0.0)
            for p in items(value)]


class Scene:
    def __init__(self, robot, files, packages, options):
        self.robot, self.files, self.packages, self.options = robot, files, packages, options
        self.objects, self.transforms = {}, {}
        self.padding, self.entries, self.defaults = {}, {}, {}
        self.state, self.velocities = {}, {}
        self.base = space.IDENTITY
        self.start()
        for path in options.scene:
            self.beside = pathlib.Path(path).resolve().parent
            try:
                self.apply(document(files.text('scene', path), path))
            except Refused as error:
                raise Refused(f'{path}: {error}') from error
        self.start()
        bare = [value for name, value in options.padding if name is None]
        for name in robot.links if bare else ():
            self.padding[name] = bare[-1]
        for name, value in options.padding:
            if name is not None:
                self.pad(name, value)

    # ---- states ----

    def start(self):
        """What the command line says of the state wins, before and after the files."""
        if self.options.request:
            path = self.options.request
            root = document(self.files.text('request', path), path)
            for key in ('start_state', 'robot_state', 'trajectory_start'):
                if member(root, key) is not None:
                    root = member(root, key)
                    break
            joints = member(root, 'joint_state')
            self.joint_state(root if joints is None else joints)
        for wanted in self.options.group_state:
            group, _, name = wanted.partition('/')
            if (group, name) not in self.robot.states:
                raise Refused(f"the SRDF has no state '{wanted}'")
            for joint, value in self.robot.states[group, name].items():
                if joint in self.robot.variables:
                    self.state[joint], self.velocities[joint] = float(value), 0.0
        for joint, value in self.options.start:
            if joint not in self.robot.variables:
                raise Refused(f"--start: the robot has no joint '{joint}' that moves by itself")
            self.state[joint], self.velocities[joint] = value, 0.0

    def joint_state(self, value):
        names, values = texts(member(value, 'name')), numbers(member(value, 'position'))
        speeds = numbers(member(value, 'velocity')) or [0.0] * len(names)
        if not len(names) == len(values) == len(speeds):
            raise Refused('a joint state has lists of different lengths')
        for name, position, speed in zip(names, values, speeds):
            if name in self.robot.variables:
                self.state[name], self.velocities[name] = position, speed

    def robot_state(self, value):
        known(value, 'joint_state multi_dof_joint_state attached_collision_objects is_diff')
        if member(value, 'joint_state') is not None:
            self.joint_state(member(value, 'joint_state'))
        multi = member(value, 'multi_dof_joint_state')
        for name, place in zip(texts(member(multi, 'joint_names')),
                               items(member(multi, 'transforms'))):
            self.hold(name, pose(place))

    def hold(self, name, place):
        joint = self.robot.by_joint.get(name)
        if self.robot.virtual is not None and name == self.robot.virtual.name:
            self.base = place
        elif joint is not None and joint.type in ('planar', 'floating'):
            self.robot.held[name] = place
        elif not is_identity(place):
            raise Refused(f"multi-DOF joint '{name}' is none of the robot's")

    # ---- frames ----

    def frame(self, name):
        """Where a frame is in the root; None: the state does not say."""
        if self.robot.is_planning_frame(name):
            return space.inverse(self.base)
        if name in self.robot.links:
            return self.robot.link_pose(name, self.state)
        if name in self.transforms:
            return space.product(space.inverse(self.base), self.transforms[name])
        raise Refused(f"the frame '{name}' is not known")

    def frame_now(self, name):
        found = self.frame(name)
        if found is None:
            raise Refused(f"the state does not say where the frame '{name}' is")
        return found

    def settle(self, key):
        """An object that is given in the frame of a link stays where the link is now."""
        thing = self.objects.get(key)
        if thing is None or thing.link is not None or thing.frame not in self.robot.links or \
                self.robot.is_planning_frame(thing.frame):
            return
        joints = list(self.robot.chain(thing.frame))
        moves = any(joint.type != 'fixed' for joint in joints)
        there = self.frame(thing.frame)
        if there is not None and (moves or (self.robot.virtual and self.robot.virtual.moves)):
            thing.pose = space.product(self.base, space.product(there, thing.pose))
            thing.frame = ''

    # ---- objects ----

    def add(self, key, frame, place, parts):
        if key == '':
            raise Refused('an object has no id')
        self.frame(frame)
        old = self.objects.get(key)
        self.objects[key] = Record(
            frame=frame, pose=place, parts=parts, link=None, touch=(), cells=None,
            padding=old.padding if old else 0.0)

    def attach(self, key, link, touch):
        thing = self.objects[key]
        if link not in self.robot.links:
            raise Refused(f"object '{key}' cannot be attached: there is no link '{link}'")
        given = thing.link
        if given is None and thing.frame in self.robot.links and \
                not self.robot.is_planning_frame(thing.frame):
            given = thing.frame
        if given != link:
            there = self.frame_now(thing.frame if given is None else given)
            back = space.inverse(self.frame_now_of_link(link))
            thing.pose = space.product(back, space.product(there, thing.pose))
        thing.link, thing.frame, thing.touch = link, link, tuple(touch)

    def frame_now_of_link(self, link):
        found = self.robot.link_pose(link, self.state)
        if found is None:
            raise Refused(f"the state does not say where link '{link}' is")
        return found

    def detach(self, key):
        thing = self.objects.get(key)
        if thing is None or thing.link is None:
            raise Refused(f"object '{key}' is not attached")
        there = self.frame_now_of_link(thing.link)
        thing.pose = space.product(self.base, space.product(there, thing.pose))
        thing.frame, thing.link, thing.touch = '', None, ()

    def remove(self, key):
        if key not in self.objects:
            raise Refused(f"object '{key}' is not in the scene")
        del self.objects[key]
        if not self.robot.shapes.get(key):
            self.entries = {pair: v for pair, v in self.entries.items() if key not in pair}

    def clear(self, attached_too):
        self.objects = {key: thing for key, thing in self.objects.items()
                        if thing.link is not None and not attached_too}
        self.transforms, self.padding, self.entries, self.defaults = {}, {}, {}, {}

    def pad(self, name, value):
        if name not in self.robot.links and name not in self.objects:
            raise Refused(f"padding is given for '{name}', which is neither a link nor an object")
        if name in self.objects:
            self.objects[name].padding = value
        if name in self.robot.links:
            self.padding[name] = value

    # ---- messages ----

    def primitive(self, value):
        known(value, 'type dimensions polygon')
        words = ('', 'box', 'sphere', 'cylinder', 'cone', 'prism')
        kind = text(member(value, 'type'))
        kind = kind if kind in words[1:] else words[int(kind)] if kind in '12345' else ''
        size = numbers(member(value, 'dimensions'))
        if len(size) < {'box': 3, 'sphere': 1, 'cylinder': 2, 'cone': 2, 'prism': 1}.get(kind, 9):
            raise Refused(f'a primitive of the type {kind!r} with {len(size)} dimensions')
        if kind == 'box':
            return lambda at: shapes.box(size[:3], at)
        if kind == 'sphere':
            return lambda at: shapes.ellipsoid(size[:1] * 3, at)
        if kind == 'prism':
            base = [p[:2] for p in points(member(member(value, 'polygon'), 'points'))]
            return lambda at: shapes.prism(base, size[0], at)
        make = shapes.cylinder if kind == 'cylinder' else shapes.cone
        return lambda at: make(size[1], size[0], at)

    def mesh(self, value):
        known(value, 'triangles vertices resource dimensions')
        resource = member(value, 'resource')
        if resource is not None:
            scale = numbers(member(value, 'dimensions')) or [1.0] * 3
            return self.mesh_file(text(resource), scale)
        faces = [tuple(int(c) for c in numbers(
            member(t, 'vertex_indices') if isinstance(t, dict) else t))
            for t in items(member(value, 'triangles'))]
        return self.mesh_of(points(member(value, 'vertices')), faces, [1.0] * 3, 0.0)

    def mesh_file(self, uri, scale):
        mesh = self.packages.mesh(uri, self.beside)
        return self.mesh_of(mesh.points, mesh.faces, scale, mesh.loss)

    def mesh_of(self, corners, faces, scale, loss):
        source = Record(points=corners, faces=faces, loss=loss)
        return lambda at: shapes.mesh(source, scale, at, self.options.hulls)

    @staticmethod
    def plane(value):
        normal, offset = value[:3], -value[3]

        def make(at):
            turn = space.turned(at[0], normal)
            return Record(kind='plane', half=False, normal=turn,
                          offset=offset + space.dot(turn, at[1]))
        return make

    def object(self, value):
        known(value, 'header pose id type primitives primitive_poses meshes mesh_poses planes '
              'plane_poses subframe_names subframe_poses operation')
        parts = []
        for key, poses, make in (
                ('primitives', 'primitive_poses', self.primitive),
                ('meshes', 'mesh_poses', self.mesh),
                ('planes', 'plane_poses', lambda v: self.plane(
                    numbers(member(v, 'coef') if isinstance(v, dict) else v)))):
            given, places = items(member(value, key)), items(member(value, poses))
            if len(places) > len(given):
                raise Refused(f'more {poses} than {key}')
            places = [pose(p) for p in places] + [space.IDENTITY] * (len(given) - len(places))
            parts += [(make(v), place) for v, place in zip(given, places)]
        word = text(member(value, 'operation')) or 'add'
        if word not in OPERATIONS:
            code = base64.b64decode(word)[0] if word.endswith('==') else int(word)
            word = OPERATIONS[code]
        place = pose(member(value, 'pose'))
        header = member(value, 'header')
        thing = Record(id=text(member(value, 'id')), operation=word, pose=place, parts=parts,
                       frame=text(member(header, 'frame_id')))
        if word == 'add' and len(parts) == 1 and is_identity(place):
            thing.pose, thing.parts = parts[0][1], [(parts[0][0], space.IDENTITY)]
        return thing

    def world_object(self, value):
        given = self.object(value)
        thing = self.objects.get(given.id)
        attached = thing is not None and thing.link is not None
        if given.operation == 'remove':
            if given.id == '':
                for key in [k for k, t in self.objects.items() if t.link is None and k != OCTOMAP]:
                    self.remove(key)
            elif not attached:
                self.remove(given.id)
            return
        if given.operation == 'move':
            if thing is None or attached or given.parts:
                raise Refused(f"object '{given.id}' cannot be moved")
            self.frame(given.frame)
            thing.frame, thing.pose = given.frame, given.pose
        elif given.operation == 'append' and thing is not None:
            if attached:
                raise Refused(f"object '{given.id}' is attached")
            thing.parts = thing.parts + given.parts
        elif not attached:
            self.add(given.id, given.frame, given.pose, given.parts)
        self.settle(given.id)

    def attached_object(self, value, put_down):
        given = self.object(member(value, 'object'))
        if (given.operation == 'remove') != put_down:
            return
        if put_down:
            self.detach(given.id)
            return
        if given.operation == 'append' and given.parts and given.id in self.objects:
            self.objects[given.id].parts += given.parts
        elif given.parts or given.id not in self.objects:
            self.add(given.id, given.frame, given.pose, given.parts)
        self.attach(given.id, text(member(value, 'link_name')),
                    texts(member(value, 'touch_links')))

    def matrix(self, value, is_diff):
        known(value, 'entry_names entry_values default_entry_names default_entry_values')
        names, rows = texts(member(value, 'entry_names')), items(member(value, 'entry_values'))
        defaults = texts(member(value, 'default_entry_names'))
        flags = items(member(value, 'default_entry_values'))
        if len(names) != len(rows) or len(defaults) != len(flags):
            raise Refused('the matrix has not one row for each name')
        if not names and not defaults:
            return
        self.entries = {}
        self.defaults = {name: truth(flag) for name, flag in zip(defaults, flags)}
        for i, row in enumerate(rows):
            row = items(member(row, 'enabled') if isinstance(row, dict) else row)
            if len(row) != len(names):
                raise Refused('a row of the matrix is too short or too long')
            for k in range(i):
                self.entries[frozenset((names[i], names[k]))] = truth(row[k])
        # What only the SRDF would leave out is checked, once there is a matrix.
        links = [link for link, parts in self.robot.shapes.items() if parts]
        for i, a in enumerate(links if self.robot.has_srdf else ()):
            for b in links[:i]:
                if frozenset((a, b)) not in self.entries and self.by_default(a, b) is None:
                    self.entries[frozenset((a, b))] = False

    def planning_scene(self, root):
        known(root, 'name robot_state robot_model_name fixed_frame_transforms link_padding '
              'allowed_collision_matrix link_scale object_colors world is_diff')
        state = member(root, 'robot_state')
        is_diff = truth(member(root, 'is_diff')) if member(root, 'is_diff') is not None else False
        if not is_diff:
            keeps = state is not None and member(state, 'is_diff') is not None and \
                truth(member(state, 'is_diff'))
            self.clear(not keeps)
        self.robot_state(state)
        for value in items(member(root, 'fixed_frame_transforms')):
            self.transform(value)
        attached = items(member(state, 'attached_collision_objects'))
        for value in attached:
            self.attached_object(value, True)
        if member(root, 'allowed_collision_matrix') is not None:
            self.matrix(member(root, 'allowed_collision_matrix'), is_diff)
        world = member(root, 'world')
        known(world, 'collision_objects octomap')
        for value in items(member(world, 'collision_objects')):
            self.world_object(value)
        if member(world, 'octomap') is not None:
            self.octomap(member(world, 'octomap'))
        for value in attached:
            self.attached_object(value, False)
        for value in items(member(root, 'link_padding')):
            padding = member(value, 'padding')
            self.pad(text(member(value, 'link_name')), number(padding) if padding else 0.0)
        for value in items(member(root, 'link_scale')):
            if number(member(value, 'scale')) != 1.0:
                raise Refused('link_scale is not 1')

    def transform(self, value):
        parent = text(member(member(value, 'header'), 'frame_id'))
        child, place = text(member(value, 'child_frame_id')), pose(member(value, 'transform'))
        robot = self.robot
        if child and robot.is_planning_frame(child) and not robot.is_planning_frame(parent) and \
                parent not in robot.links:
            parent, child = '', parent   # as MoveIt writes them
        there = self.frame_now('' if parent == child else parent)
        self.transforms[child] = space.product(space.product(self.base, there), place)

    def octomap(self, value):
        known(value, 'header origin octomap')
        found = octomap.read(value)
        if found is None:
            return
        if found[0]:
            frame = text(member(member(value, 'header'), 'frame_id'))
            self.add(OCTOMAP, frame, pose(member(value, 'origin')), [])
            self.objects[OCTOMAP].cells = found
            self.settle(OCTOMAP)
        elif OCTOMAP in self.objects:
            self.remove(OCTOMAP)

    # ---- the own format ----

    def own_shape(self, value):
        kind = text(member(value, 'type'))

        def get(key):
            return number(member(value, key))

        def three(key):
            return vector(member(value, key), 'xyz')
        if kind == 'box':
            return lambda at: shapes.box(three('size'), at)
        if kind == 'sphere':
            return lambda at: shapes.ellipsoid([get('radius')] * 3, at)
        if kind == 'ellipsoid':
            return lambda at: shapes.ellipsoid(three('radii'), at)
        if kind == 'capsule':
            return lambda at: shapes.capsule(get('radius'), get('length'), at)
        if kind in ('cylinder', 'cone'):
            make = shapes.cylinder if kind == 'cylinder' else shapes.cone
            return lambda at: make(get('radius'), get('height'), at)
        if kind == 'prism':
            base = [p[:2] for p in points(member(value, 'points'))]
            return lambda at: shapes.prism(base, get('height'), at)
        if kind == 'convex':
            return lambda at: shapes.hull(points(member(value, 'points')), at)
        if kind == 'mesh' and member(value, 'file') is not None:
            scale = three('scale') if member(value, 'scale') is not None else (1.0, 1.0, 1.0)
            return self.mesh_file(text(member(value, 'file')), scale)
        if kind == 'mesh':
            return self.mesh({key: value[key] for key in ('triangles',)} |
                             {'vertices': value['points']})
        if kind in ('plane', 'half_space'):
            offset = get('offset') if member(value, 'offset') is not None else 0.0
            make = self.plane((*three('normal'), -offset))

            def plane(at):
                found = make(at)
                found.half = kind == 'half_space'
                return found
            return plane
        raise Refused(f'the shape type {kind!r} is not known')

    def own(self, root):
        known(root, OWN + ' name is_diff')
        if member(root, 'is_diff') is None or not truth(member(root, 'is_diff')):
            self.clear(True)
        for joint, value in (member(root, 'state') or {}).items():
            if joint not in self.robot.variables:
                raise Refused(f"the robot has no joint '{joint}' to set")
            self.state[joint], self.velocities[joint] = number(value), 0.0
        for name, value in (member(root, 'transforms') or {}).items():
            self.transforms[name] = pose(value)
        for key in texts(member(root, 'remove')):
            self.remove(key)
        for value in items(member(root, 'objects')):
            known(value, 'id frame pose shapes padding attach')
            key = text(member(value, 'id'))
            parts = [(self.own_shape(s), pose(member(s, 'pose')))
                     for s in items(member(value, 'shapes'))]
            self.add(key, text(member(value, 'frame')), pose(member(value, 'pose')), parts)
            if member(value, 'padding') is not None:
                self.pad(key, number(member(value, 'padding')))
            attach = member(value, 'attach')
            if attach is not None:
                self.attach(key, text(member(attach, 'link')),
                            texts(member(attach, 'touch_links')))
        for word, allowed in (('allow', True), ('check', False)):
            for pair in items(member(root, word)):
                self.entries[frozenset(texts(pair))] = allowed
        for word, allowed in (('allow_default', True), ('check_default', False)):
            for name in texts(member(root, word)):
                self.defaults[name] = allowed
        for name, value in (member(root, 'padding') or {}).items():
            self.pad(name, number(value))

    def apply(self, root):
        if not isinstance(root, dict):
            raise Refused('a scene must be a map')
        if member(root, 'start_state') is not None:
            state = member(root, 'start_state')
            self.robot_state(state)
            for put_down in (True, False):
                for value in items(member(state, 'attached_collision_objects')):
                    self.attached_object(value, put_down)
        elif any(word in root for word in OWN.split()):
            self.own(root)
        else:
            self.planning_scene(root)

    # ---- what follows from it ----

    def by_default(self, a, b):
        given = [self.defaults[name] for name in (a, b) if name in self.defaults]
        return all(given) if given else None

    def reasons(self, a, b):
        """The reasons for which a pair of bodies may be left out; none: it must be checked."""
        if not a.robot and not b.robot:
            return {1}
        found = set()
        if a.cluster == b.cluster:
            found.add(1)
        if a.object and a.object == b.object:
            return found | {2}
        for held, other in ((a, b), (b, a)):
            if self.touches(held, other):
                return found | {9}
        reason = self.allowed(a, b)
        if reason:
            found.add(reason)
        elif a.plane and b.plane:
            found.add(11)
        return found

    def touches(self, held, other):
        thing = self.objects.get(held.object)
        if thing is None or thing.link is None or not other.robot:
            return False
        if not other.object:
            return other.name == thing.link or other.name in thing.touch
        return other.name in thing.touch and other.name not in self.robot.links

    def allowed(self, a, b):
        """The number of the reason, or 0."""
        for body in (a, b):
            if body.object and self.robot.shapes.get(body.name):
                return 0   # has the name of a link, which is meant
        entry = self.entries.get(frozenset((a.name, b.name)))
        if entry is not None:
            return 7 if entry else 0
        default = self.by_default(a.name, b.name)
        if a.object or b.object:
            return 8 if default else 0
        if default is False:
            return 0
        named = self.robot.named(a.name, b.name)
        if named is not None:
            return named[1]
        if default:
            return 8
        return 6 if {a.name, b.name} & set(self.robot.default_disabled) else 0
