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

/* The node: what it knows (robot, scene, joint states, running trajectory) and what it talks to.
 * Everything happens on one thread; a check may use workers of its own inside. */

#ifndef NODE__NODE_H_
#define NODE__NODE_H_

#include "diagnostic_msgs/msg/diagnostic_array.h"
#include "node/executor.h"
#include "node/parameters.h"
#include "node/vetting.h"
#include "rcl/rcl.h"
#include "rcutils/logging_macros.h"
#include "rosidl_runtime_c/string_functions.h"
#include "sensor_msgs/msg/joint_state.h"
#include "trajectory_msgs/msg/joint_trajectory.h"
#include "vouch/msg/robot_geometry.h"
#include "vouch/msg/scene.h"
#include "vouch/msg/trajectory_report.h"
#include "vouch/vouch.h"

#define NODE_INFO(node, ...) RCUTILS_LOG_INFO_NAMED((node)->logger, __VA_ARGS__)
#define NODE_WARN(node, ...) RCUTILS_LOG_WARN_NAMED((node)->logger, __VA_ARGS__)
#define NODE_ERROR(node, ...) RCUTILS_LOG_ERROR_NAMED((node)->logger, __VA_ARGS__)

#define CHECKER_CACHE_SIZE 4
#define TIME_WINDOW 1024
#define MAX_INPUTS 8
#define MAX_CHANGES 4

/// What a checker is made for; equal keys mean the same checker can be used.
typedef struct checker_key_s
{
  uint64_t generation;     // of robot, scene and parameters together
  double margin_m, tolerance_rad, tolerance_m, deadline_s;
  vouch_method_t method;
  bool clearance, first_contact, certificate;
} checker_key_t;

typedef struct cached_checker_s
{
  checker_key_t key;
  vouch_checker_t * checker;   // NULL: free place
  uint64_t used;
} cached_checker_t;

/// A position that was measured, to tell from later ones how fast a joint moves.
typedef struct anchor_s
{
  double position, stamp;
  double rate;           // up to it, per second; 0 for noise
} anchor_t;

typedef struct range_s
{
  double low, high;
} range_t;

/// Joint states per robot variable.
typedef struct joint_store_s
{
  double * positions;    // NaN: never heard of
  double * velocities;   // NaN: not given
  double * stamps;       // seconds of the node's clock, as the sender says
  double * arrivals;     // and as the middleware says
  anchor_t * anchors;    // some hundredths of a second apart
  range_t * recent;      // of the positions in this round of the node
  range_t * before;      // and in the one before
  size_t count;
} joint_store_t;

/// A trajectory that was forwarded and is watched until it ends.
typedef struct watched_s
{
  vetting_t vetting;
  vouch_motion_t * motion;
  double * tolerances;       // per robot variable
  bool * moved;              // per robot variable: the trajectory names it
  double tolerance_rad, tolerance_m;   // of joints that were given none of their own
  bool custom;               // some were
  char id[64];
  void (* on_revoked)(void * context, const char * why);   // may be NULL
  void * context;
} watched_t;

/// Something that is to be vetted, who wants it, and what became of it.
typedef struct live_order_s
{
  const trajectory_msgs__msg__JointTrajectory * trajectory;
  const vouch_joint_tolerance_t * tolerances;   // may be NULL
  size_t tolerance_count;
  bool within_limits;     // one that may leave a position limit is not forwarded
  /// Asked when the proof is there: false when it is not to be sent any more. May be NULL.
  bool (* wanted)(void * context);
  /// Sends it on; it is watched already. False: it did not go out. NULL: ~/vetted/joint_trajectory.
  bool (* forward)(void * context, double duration_s);
  /// It was forwarded, and the proof is lost. May be NULL.
  void (* on_revoked)(void * context, const char * why);
  void * context;
  char * why;             // gets the report's sentence; may be NULL
  size_t why_size;
  char id[64];            // of the report
  bool forwarded;
} live_order_t;

typedef struct gate_node_s gate_node_t;
typedef struct stream_node_s stream_node_t;

/// The last verdict, until there is time to draw it.
typedef struct picture_s
{
  bool due;
  double since;                          // steady seconds
  vouch__msg__TrajectoryReport * report; // NULL: none
  vouch_motion_t * motion;
  vouch_scene_t * scene;                 // NULL: the monitored one
} picture_t;

typedef struct statistics_s
{
  uint64_t checks, verdicts[4], refused_inputs, forwarded, revoked;
  double times[TIME_WINDOW];   // of the last checks, seconds
  size_t time_count;           // all that were ever written
} statistics_t;

typedef struct vouch_node_s
{
  rcl_context_t context;
  rcl_node_t node;
  rcl_clock_t clock;
  rcl_allocator_t allocator;
  bool context_ready, node_ready, clock_ready, rosout_ready;
  const char * logger;
  executor_t * executor;
  size_t inputs[MAX_INPUTS];       // numbers of the subscriptions that tell what the world is like
  size_t input_count;
  size_t changes[MAX_CHANGES];     // numbers of the services that change what FREE means
  size_t change_count;
  parameters_t parameters;
  bool parameters_ready;

  /* robot_source.c */
  vouch_robot_t * robot;           // NULL: none yet
  uint8_t robot_hash[32];
  uint8_t description_hash[32];    // of the URDF's text
  char * urdf_topic;               // last text from the topics, NULL: none
  char * srdf_topic;
  char * urdf_loaded;              // those of them that the robot was made from
  char * srdf_loaded;
  char * robot_error;              // why the newest description was not taken; NULL: it was
  const char * robot_lack;         // why the newest good description is not the robot, or NULL
  bool robot_held;                 // a check refers to it: a new one waits in the members above
  bool robot_pending;              // and there is one
  vouch__msg__RobotGeometry geometry;   // received, with geometry_source: topic
  bool geometry_ready, geometry_received;

  /* scene_store.c */
  vouch_scene_t * scene;           // NULL exactly when robot is
  uint8_t scene_hash[32];
  vouch__msg__Scene rest;          // only its not_understood is used
  bool rest_ready;
  uint64_t generation;             // raised whenever a proof may be outdated

  joint_store_t joints;
  size_t joint_input;              // the number of their subscription
  bool scene_taken;                // in this round: another one may have waited as long
  cached_checker_t cache[CHECKER_CACHE_SIZE];
  uint64_t cache_clock;
  bool robot_cached;   // its geometry may come from the cache on the disk: nothing is forwarded
  watched_t watched;
  bool vetting_busy;               // what runs is not looked at now: live_resume() does it later
  bool scene_pending;              // the scene changed meanwhile
  uint64_t next_id;
  char told[1024];                 // the sentence of live vetting's last report
  gate_node_t * gate;              // NULL: no controller was named
  stream_node_t * stream;
  picture_t picture;
  bool revocation_told;            // the newest report says so: it must arrive before the next one
  statistics_t statistics;
  double last_diagnostics;         // steady seconds

  rcl_publisher_t report, markers, diagnostics, vetted, robot_geometry, monitored_scene;
  rcl_publisher_t parameter_events;
} vouch_node_t;

/* ---- node.c ---- */

/// Seconds of the node's clock (ROS time).
double node_now(vouch_node_t * node);
/// True while simulated time has not begun: nothing grows old then.
bool node_time_lacks(vouch_node_t * node);
/// Seconds of a clock that nobody sets.
double node_steady(void);
/// Asks the node to end, from anywhere, also from inside a signal handler.
void node_stop(void);
/// True from then on: nothing may begin that has to be watched.
bool node_stops(void);
/// Fills a header with the time and the robot's root link.
bool node_stamp(vouch_node_t * node, std_msgs__msg__Header * header);
void node_publish(vouch_node_t * node, const rcl_publisher_t * publisher, const void * message);
/// Something that came in was refused; counted for the diagnostics.
void node_refused(vouch_node_t * node);
/// A proof may be outdated from now on: scene, robot or a parameter changed.
void node_changed(vouch_node_t * node);
/// Subscribes to something that tells what the world is like.
bool node_listen(vouch_node_t * node, const subscription_setting_t * setting);
/// Serves something that changes what FREE means: the scene, the robot, a parameter.
bool node_serve_change(vouch_node_t * node, const service_setting_t * setting);
/// Takes all that has arrived about the world, so that a check does not speak about an old one. Requests
/// for changes are answered too, unless the robot is held: they may replace it.
void node_catch_up(vouch_node_t * node);
/// True when somebody has asked for a change and was not answered yet.
bool node_change_waits(const vouch_node_t * node);

/// Makes everything that can be seen from outside. False: told to the log.
bool node_init(vouch_node_t * node, int argc, char ** argv);
void node_fini(vouch_node_t * node);
/// What is due without a message: trajectories that end, pictures, diagnostics. Returns for how
/// many nanoseconds nothing more is due.
int64_t node_tick(vouch_node_t * node);

/* ---- robot_source.c ---- */

bool robot_source_init(vouch_node_t * node);
void robot_source_fini(vouch_node_t * node);
/// False, and told to the log: a parameter names a file that is not there.
bool robot_source_files_exist(const vouch_node_t * node);
/// Loads the robot from parameters or topics. On failure the old robot stays and the log says why; so
/// does what is returned. NULL: loaded, or nothing to load.
const char * robot_source_reload(vouch_node_t * node);
/// Parameters of the robot were set back: so is the robot, if it is not the one `before` any more, and
/// what was wrong with it.
void robot_source_restore(vouch_node_t * node, const vouch_robot_t * before, const char * lack);
/// Until robot_source_release() the robot stays the same, whatever comes in.
void robot_source_hold(vouch_node_t * node);
void robot_source_release(vouch_node_t * node);
/// Why nothing can be checked; NULL: there is a robot as the parameters want it.
const char * robot_source_lack(const vouch_node_t * node);

/* ---- robot_geometry.c ---- */

/// What the node built, as convex meshes. False: no memory.
bool robot_geometry_fill(const vouch_robot_t * robot, vouch__msg__RobotGeometry * message);
/// INVALID when the meshes carry the name of another robot, or were made for another text than the
/// one with this SHA-256.
vouch_ret_t robot_geometry_check_source(
  const vouch__msg__RobotGeometry * message, const vouch_robot_t * robot,
  const uint8_t description_hash[32]) VOUCH_WARN_UNUSED;
/// Puts received meshes onto the links of a robot that was loaded without geometry.
vouch_ret_t robot_geometry_apply(
  vouch_robot_t * robot, const vouch__msg__RobotGeometry * message) VOUCH_WARN_UNUSED;

/* ---- scene_store.c ---- */

bool scene_store_init(vouch_node_t * node);
void scene_store_fini(vouch_node_t * node);
/// Makes the scene for a new robot (objects of the old one are taken over). `robot` stays the
/// caller's on failure.
vouch_ret_t scene_store_rebuild(vouch_node_t * node, vouch_robot_t * robot) VOUCH_WARN_UNUSED;
/// True when nothing is set: the monitored scene is meant.
bool scene_message_is_empty(const vouch__msg__Scene * message);
/// A new scene: the monitored one with a change, or the message's own. *rest gets what stays not
/// understood.
vouch_ret_t scene_store_derive(
  vouch_node_t * node, const vouch__msg__Scene * message, vouch_scene_t ** scene,
  rosidl_runtime_c__String__Sequence * rest) VOUCH_WARN_UNUSED;
/// Changes the monitored scene, publishes it, re-checks what is running.
vouch_ret_t scene_store_apply(
  vouch_node_t * node, const vouch__msg__Scene * message) VOUCH_WARN_UNUSED;
/// The link in whose frame an obstacle was given; VOUCH_NONE: in none, or it is attached.
uint32_t scene_store_frame_link(const vouch_scene_t * scene, size_t object);
/// There are obstacles, and nobody says where a robot that can move stands among them.
bool scene_store_base_lacks(const vouch_scene_t * scene);
/// Obstacles that still hang on the frame of a link stand where it is now.
vouch_ret_t scene_store_settle(vouch_node_t * node) VOUCH_WARN_UNUSED;
/// True when a message could be taken with every joint where it was last measured.
bool scene_store_fits_at_rest(vouch_node_t * node, const vouch__msg__Scene * message);
/// Something foreign is missing in the scene: `what` joins the parts that are not understood.
void scene_store_doubt(vouch_node_t * node, const char * what);
/// Takes the scene of the parameter scene_file. On failure the old scene stays and the log says why.
bool scene_store_load(vouch_node_t * node);
void scene_store_publish(vouch_node_t * node);
/// The first name in `rest` that the parameter `ignore` does not list; NULL: none.
const char * scene_store_open_name(
  const vouch_node_t * node, const rosidl_runtime_c__String__Sequence * rest);

/* ---- scene_message.c, scene_fill.c ---- */

/// Applies a message to a scene, in the order of its fields. `state`: one value per variable.
vouch_ret_t scene_message_apply(
  vouch_scene_t * scene, const vouch__msg__Scene * message) VOUCH_WARN_UNUSED;
/// The whole scene as a message. False: no memory.
bool scene_message_fill(const vouch_scene_t * scene, vouch__msg__Scene * message);

/* ---- check_run.c, and more in check_run.h ---- */

/// The one of the two that is meant for this joint.
double robot_joint_tolerance(const vouch_robot_t * robot, size_t variable, double rad, double m);

/* ---- joint_states.c ---- */

bool joint_states_init(vouch_node_t * node);
/// For a new robot: known values of joints with the same name stay.
bool joint_states_resize(vouch_node_t * node, const vouch_robot_t * robot);
void joint_states_fini(vouch_node_t * node);
/// Age in seconds of a variable's position; infinite when never heard of.
double joint_states_age(vouch_node_t * node, size_t variable);
/// How fast a joint was seen to move, whatever velocities say; NaN: not seen often enough.
double joint_states_rate(const vouch_node_t * node, size_t variable);
/// How far a joint may have moved since its state was measured: its velocity times its age.
double joint_states_drift(vouch_node_t * node, size_t variable);
/// INVALID when that is more than the tolerance: where the joint is now is not known.
vouch_ret_t joint_states_check_drift(
  vouch_node_t * node, size_t variable, double tolerance) VOUCH_WARN_UNUSED;
/// Takes the states that wait, from inside another callback.
void joint_states_catch_up(vouch_node_t * node);
/// The node has looked for messages and handled them: called once a round.
void joint_states_round(vouch_node_t * node);
/// True when a joint is known, but moved by more than vetting.tolerance_* since the last round began
/// in which no scene waited: nobody knows where it was when a scene that is taken now came in.
bool joint_states_moved(vouch_node_t * node, size_t variable);
/// Positions that are neither stale nor of a joint that moved, NaN elsewhere.
void joint_states_still(vouch_node_t * node, double * values);

/* ---- live.c ---- */

bool live_init(vouch_node_t * node);
void live_fini(vouch_node_t * node);
/// New joint state: is the robot still inside the proved tube?
void live_joints_changed(vouch_node_t * node);
/// The scene changed: check the remaining part again.
void live_scene_changed(vouch_node_t * node);
/// The robot goes away: nothing that was proved holds for the next one.
void live_robot_changes(vouch_node_t * node);
void live_tick(vouch_node_t * node);
/// The node ends: nobody watches what runs any more.
void live_stop(vouch_node_t * node);
/// What came in while nobody looked at the running trajectory; does nothing while that lasts.
void live_resume(vouch_node_t * node);
/// Vets a trajectory and forwards it when it is free.
void live_vet(vouch_node_t * node, live_order_t * order);
/// Whoever executes what was forwarded under this id says that it does not any more.
void live_release(vouch_node_t * node, const char * id);
/// Reports that something sent for vetting is not even looked at. `told` (may be NULL) gets the sentence.
void live_refuse(vouch_node_t * node, const char * why, char * told, size_t told_size);

/* ---- stream_node.c: the chunk gate ---- */

bool stream_init(vouch_node_t * node);
void stream_fini(vouch_node_t * node);

/* ---- gate_node.c: the action gate, where the parameter gate.controller names a controller ---- */

bool gate_init(vouch_node_t * node);
void gate_fini(vouch_node_t * node);
/// Takes what has arrived at the gate and does what is due. Once a round.
void gate_poll(vouch_node_t * node);
/// True while a goal is under way.
bool gate_has_goal(const vouch_node_t * node);

/* ---- services and publishers of their own files ---- */

bool check_service_init(vouch_node_t * node);
bool scene_service_init(vouch_node_t * node);
bool verify_service_init(vouch_node_t * node);
bool parameter_services_init(vouch_node_t * node);
/// What has to be done when a parameter was set.
enum {CHANGE_ROBOT = 1, CHANGE_SCENE = 2, CHANGE_PROOF = 4};
unsigned node_change_of(parameter_id_t id);
/// Parameters were set: load anew or forget what depends on them. Returns why their content could not
/// be used, or NULL. What was loaded before stays then, and they have to be set back.
const char * node_parameters_changed(vouch_node_t * node, unsigned changes);
void diagnostics_publish(vouch_node_t * node);
/// Draws the last verdict, if it was not drawn yet.
void markers_draw(vouch_node_t * node);
void markers_forget(vouch_node_t * node);
bool sim_time_init(vouch_node_t * node);
bool type_description_init(vouch_node_t * node);
bool convert_moveit_init(vouch_node_t * node);
bool convert_control_init(vouch_node_t * node);

#endif  // NODE__NODE_H_
