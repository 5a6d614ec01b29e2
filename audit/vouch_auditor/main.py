# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
"""The command line, and the comparison of a problem with its sources."""

import argparse
import json
import os
import pathlib
import sys
from types import SimpleNamespace as Record

from . import octomap, problem, shapes, space
from .documents import Files, Refused
from .motion import Motion
from .robot import Packages, Robot
from .scene import Scene
from .shapes import Differs

AUDITED, DIFFERS, UNREADABLE = 0, 1, 3
NEAR = 1e-12     # relative, of numbers
KNOTS = 1e-9     # of the knots of a bare path, which have no meaning but their order
REASONS = ('', 'nothing between them moves', 'two shapes of one object', 'adjacent links',
           'SRDF: Adjacent', 'SRDF: Never', 'SRDF', 'the matrix', 'a default of the matrix',
           'held', 'asked for', 'two planes')


def near(a, b, tolerance=NEAR):
    return abs(a - b) <= tolerance * max(1.0, abs(a), abs(b))


class Audit:
    def __init__(self, found, options):
        self.problem, self.options, self.differences = found, options, []
        self.files = Files()
        self.packages = Packages(self.files, dict(reversed(options.package)))
        self.robot = Robot(self.files, self.packages, options)
        self.scene = Scene(self.robot, self.files, self.packages, options)
        self.motion = Motion(self.robot, self.scene, self.files, options)
        self.worst = 0.0

    def differ(self, what):
        self.differences.append(what)

    def run(self):
        self.frames()
        self.motions()
        bodies = self.bodies()
        self.pairs(bodies)
        self.sources()
        return self.differences

    # ---- frames and joints ----

    def frames(self):
        scene, robot = self.problem.scene, self.robot
        if scene.robot != robot.name:
            self.differ(f"the robot is called '{scene.robot}', in its file '{robot.name}'")
        names = [frame.name for frame in scene.frames]
        for name in sorted(set(robot.links) ^ set(names)):
            where = 'the robot' if name in robot.links else 'the problem'
            self.differ(f"only {where} has the link '{name}'")
        if len(set(names)) != len(names):
            self.differ('two frames have one name')
        for number, frame in enumerate(scene.frames):
            if frame.name in robot.links:
                self.frame(number, frame, names[frame.parent])

    def frame(self, number, frame, parent):
        joint = self.robot.joints.get(frame.name)
        if joint is None:
            if number != 0:
                self.differ(f"frame '{frame.name}' is the root, and not frame 0")
            if space.gap(self.pose(frame.pose), space.IDENTITY) > 0.0 or frame.joint:
                self.differ('the root frame is not where it belongs')
            return
        where = f"joint '{joint.name}'"
        if parent != joint.parent or number == 0:
            self.differ(f"{where}: its parent is '{parent}', not '{joint.parent}'")
        if not space.gap(self.pose(frame.pose), self.robot.place(joint)) <= NEAR:
            self.differ(f'{where}: its origin is another one')
        kind = 0 if not joint.moves else 2 if joint.type == 'prismatic' else 1
        if frame.joint != kind:
            self.differ(f'{where}: it is {("fixed", "revolute", "prismatic")[frame.joint]}, not '
                        f'{joint.type}')
        elif kind:
            length, own = space.norm(joint.axis), space.norm(frame.axis)
            if not max(abs(a / length - b / own) for a, b in zip(joint.axis, frame.axis)) <= NEAR:
                self.differ(f'{where}: its axis is another one')
            names = self.problem.motion.names
            if frame.variable >= len(names) or names[frame.variable] != joint.master:
                self.differ(f"{where}: it does not follow '{joint.master}'")
            if not near(frame.multiplier, joint.multiplier):
                self.differ(f'{where}: its factor is {frame.multiplier}, not {joint.multiplier}')
            if not near(frame.offset, joint.offset):
                self.differ(f'{where}: its offset is {frame.offset}, not {joint.offset}')

    @staticmethod
    def pose(numbers):
        return space.from_quaternion(numbers[:4]), tuple(numbers[4:])

    # ---- motion ----

    def motions(self):
        given, motion = self.problem.motion, self.motion
        if given.model != motion.model:
            self.differ(f"the motion's model is '{given.model}', not '{motion.model}'")
        if sorted(given.names) != sorted(self.robot.variables):
            self.differ('the motion has other variables than the robot has joints')
            return
        for name, tolerance in zip(given.names, given.tolerances):
            if not near(tolerance, motion.tolerance(name)):
                self.differ(f"joint '{name}': the tolerance is {tolerance}, not "
                            f'{motion.tolerance(name)}')
        if len(given.segments) != len(motion.segments):
            self.differ(f'the motion has {len(given.segments)} segments, not '
                        f'{len(motion.segments)}')
            return
        tolerance = NEAR if motion.knots is motion.seconds else KNOTS
        for i, (segment, found) in enumerate(zip(given.segments, motion.segments)):
            if not (near(segment.start, motion.knots[i], tolerance) and
                    near(segment.end, motion.knots[i + 1], tolerance) and
                    near(segment.seconds, motion.seconds[i + 1])):
                self.differ(f'segment {i}: its time is not that of the trajectory')
            for name, numbers in zip(given.names, segment.coefficients):
                wanted = found[name]
                if len(numbers) != len(wanted) or not all(map(near, numbers, wanted)):
                    self.differ(f"segment {i}: the polynomial of joint '{name}' is another one")
        if given.begin != motion.seconds[0]:
            self.differ('the motion does not begin at the time of the trajectory')

    # ---- bodies ----

    def expected(self):
        """Bodies by id: link, shapes in its frame, padding."""
        found, robot, scene = {}, self.robot, self.scene
        for link, parts in robot.shapes.items():
            if parts:
                found[f'link/{link}'] = Record(
                    name=link, object='', link=link, robot=True, plane=None, shapes=parts,
                    padding=scene.padding.get(link, 0.0), cells=None)
        for key, thing in scene.objects.items():
            held = thing.link is not None
            pose = thing.pose if held else space.product(
                scene.frame_now(thing.frame), thing.pose)
            padding = max(thing.padding, scene.padding.get(thing.link, 0.0)) if held else \
                thing.padding
            made = [make(space.product(pose, at)) for make, at in thing.parts]
            body = {'name': key, 'object': key, 'link': thing.link if held else robot.root,
                    'robot': held, 'padding': padding}
            solid = [shape for shape in made if shape.kind != 'plane']
            if solid or thing.cells:
                found[f'object/{key}'] = Record(
                    **body, plane=None, shapes=solid, cells=thing.cells and (thing.cells, pose))
            planes = [shape for shape in made if shape.kind == 'plane']
            for i, plane in enumerate(planes):
                found[f'object/{key}#{i}'] = Record(**body, plane=plane, shapes=[], cells=None)
        for body in found.values():
            body.cluster = robot.cluster(body.link)
        return found

    def bodies(self):
        wanted, given = self.expected(), [body.id for body in self.problem.scene.bodies]
        for key in sorted(set(wanted) ^ set(given)):
            where = 'the sources have' if key in wanted else 'the problem has'
            self.differ(f"only {where} the body '{key}'")
        if len(set(given)) != len(given):
            self.differ('two bodies have one id')
        for body in self.problem.scene.bodies:
            if body.id in wanted:
                try:
                    self.body(body, wanted[body.id])
                except Differs as error:
                    self.differ(f'{body.id}: {error}')
        return wanted

    def body(self, body, wanted):
        frame = self.problem.scene.frames[body.frame].name
        if frame != wanted.link:
            raise Differs(f"it rides on '{frame}', not on '{wanted.link}'")
        if body.name != wanted.name:
            raise Differs(f"its name is '{body.name}'")
        placement = self.pose(body.placement)
        if wanted.plane is not None:
            self.plane(body, placement, wanted.plane)
            return
        if body.kind != 0:
            raise Differs('it is a plane or half-space, and should not be')
        geometry = self.problem.geometries[body.geometry]
        if wanted.cells:
            self.cells(geometry, placement, *wanted.cells)
        else:
            self.worst = max(self.worst, shapes.compare(
                geometry, placement, wanted.shapes, self.options.surfaces))

    def plane(self, body, placement, plane):
        if body.kind != (1 if plane.half else 2):
            raise Differs('it is no plane or half-space of this kind')
        length = space.norm(plane.normal)
        normal = tuple(row[2] for row in placement[0])
        if not all(near(a / length, b) for a, b in zip(plane.normal, normal)) or \
                not near(plane.offset / length, space.dot(normal, placement[1])):
            raise Differs('it is another plane')

    @staticmethod
    def cells(geometry, placement, cells, pose):
        if space.gap(placement, pose) > NEAR:
            raise Differs('the octomap is at another place')
        boxes = []
        for primitive in geometry.primitives:
            corners = {geometry.vertices[v] for v in primitive.points}
            low, high = [tuple(f(c[k] for c in corners) for k in range(3)) for f in (min, max)]
            if len(corners) != 8 or any(c[k] not in (low[k], high[k])
                                        for c in corners for k in range(3)):
                raise Differs('a primitive of the octomap is no box')
            boxes.append((low, high))
        if not octomap.same(*cells, boxes):
            raise Differs('its boxes are not the occupied cells of the octomap')

    # ---- pairs ----

    def pairs(self, wanted):
        bodies = self.problem.scene.bodies
        known = [wanted.get(body.id) for body in bodies]
        together = {frozenset((a, b)) for group in self.problem.scene.together
                    for a in group for b in group}
        for i, a in enumerate(known):
            for k, b in enumerate(known[:i]):
                if a is None or b is None:
                    continue
                what = f"'{bodies[k].id}' and '{bodies[i].id}'"
                said, value = self.problem.scene.pairs.get((k, i), ('', None))
                reasons = self.scene.reasons(b, a)
                if said == 'margin':
                    margin = self.options.margin
                    if a.robot != b.robot:
                        margin += a.padding + b.padding
                    if reasons:
                        self.differ(f'{what} are checked, and should not be ({self.why(reasons)})')
                    elif not near(value, margin):
                        self.differ(f'{what} have the margin {value}, not {margin}')
                elif not reasons:
                    self.differ(f'{what} are not checked')
                elif said == 'reason' and value not in reasons:
                    told = REASONS[value] if value < len(REASONS) else value
                    self.differ(f'{what} are left out ({told}), '
                                f'but the files give another reason ({self.why(reasons)})')
                elif said == '' and not (frozenset((i, k)) in together and 1 in reasons):
                    self.differ(f'{what} are not mentioned')

    @staticmethod
    def why(reasons):
        return ', '.join(REASONS[reason] for reason in sorted(reasons))

    # ---- sources ----

    def sources(self):
        """A problem that names its sources names all of them, with the bytes that are there now.

        Trajectory and request are not among them: what they say is in the motion, in full.
        """
        given = {(role, digest) for role, _, digest in self.problem.sources}
        read = {}
        for (role, path), digest in self.files.read.items():
            if role in ('trajectory', 'request'):
                continue
            read.setdefault((role, digest), os.path.basename(path))
        for role, name, digest in self.problem.sources:
            if (role, digest) not in read:
                self.differ(f"the {role} '{name}' is not what is there now")
        for (role, digest), name in read.items() if given else ():
            if (role, digest) not in given:
                self.differ(f"the problem was not made from the {role} '{name}' as it is now")


def named(kind):
    def read(word):
        name, equals, value = word.rpartition('=')
        if not equals and kind != 'padding':
            raise argparse.ArgumentTypeError('NAME=VALUE is expected')
        return (name or None, float(value))
    return read


def package(word):
    name, equals, directory = word.partition('=')
    if not equals or not name:
        raise argparse.ArgumentTypeError('NAME=DIRECTORY is expected')
    return name, directory


def parser():
    p = argparse.ArgumentParser(
        prog='vouch-audit', allow_abbrev=False,
        description='Reads robot, scene and trajectory by itself, and compares with a problem '
        'that vouch made from them.', epilog='Exit codes: 0 AUDITED, 1 DIFFERS, 3 cannot be '
        'read. Other options of vouch check are taken and have no meaning here.')
    p.add_argument('problem', help='a file of vouch check --problem')
    p.add_argument('--robot', required=True, metavar='FILE')
    p.add_argument('--trajectory', required=True, metavar='FILE')
    p.add_argument('--json', action='store_true')
    for name in ('srdf', 'request'):
        p.add_argument(f'--{name}', metavar='FILE')
    for name in ('scene', 'group-state'):
        p.add_argument(f'--{name}', action='append', default=[])
    p.add_argument('--package', action='append', type=package, default=[], metavar='NAME=DIR')
    for name in ('start', 'padding', 'scale', 'joint-tolerance'):
        p.add_argument(f'--{name}', action='append', type=named(name), default=[],
                       metavar='NAME=VALUE')
    for name in ('margin', 'tolerance', 'tolerance-m'):
        p.add_argument(f'--{name}', type=float, default=0.0)
    p.add_argument('--model', default='auto',
                   choices=('auto', 'controller', 'planner', 'linear'))
    for name in ('hulls', 'surfaces', 'humble-lead-in'):
        p.add_argument(f'--{name}', action='store_true')
    for name in ('method', 'deadline', 'depth', 'memory', 'threads', 'first-contact', 'cache',
                 'clearance', 'clearance-resolution', 'certificate', 'picture'):
        p.add_argument(f'--{name}', help=argparse.SUPPRESS)
    p.add_argument('--quiet', action='store_true', help=argparse.SUPPRESS)
    return p


def answer(options, verdict, found, sentences, audit=None):
    if options.json:
        report = {'verdict': verdict, 'problem_sha256': found and found.hash,
                  'differences': sentences}
        if audit is not None:
            report['files'] = [
                {'role': role, 'name': path, 'sha256': digest}
                for (role, path), digest in sorted(audit.files.read.items())]
            report['largest_deviation_m'] = audit.worst
        print(json.dumps(report, indent=2))
        return
    for sentence in sentences:
        print(sentence)
    scene = found.scene if found else None
    count = f'{len(scene.bodies)} bodies, {len(found.motion.segments)} segments, ' \
        f'problem {found.hash}' if found else ''
    told = '' if audit is None or found.sources else '; it names no sources'
    print(f'{verdict}: {count}{told}' if found else verdict)


def main(arguments=None):
    p = parser()
    try:
        options = p.parse_args(arguments)
    except SystemExit as error:
        return 0 if error.code == 0 else UNREADABLE
    found = None
    try:
        found = problem.read(pathlib.Path(options.problem).read_bytes())
        audit = Audit(found, options)
        sentences = audit.run()
    except (OSError, problem.Malformed) as error:
        answer(options, 'UNREADABLE', None, [f'{options.problem}: {error}'])
        return UNREADABLE
    except Refused as error:
        answer(options, 'UNREADABLE', found, [str(error)])
        return UNREADABLE
    except Exception as error:   # of a file that is damaged in a way that nobody thought of
        answer(options, 'UNREADABLE', found, [f'cannot be read: {type(error).__name__} {error}'])
        return UNREADABLE
    verdict = 'DIFFERS' if sentences else 'AUDITED'
    answer(options, verdict, found, sentences, audit)
    return DIFFERS if sentences else AUDITED


if __name__ == '__main__':
    sys.exit(main())
