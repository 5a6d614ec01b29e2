// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of fcl.cpp where FCL was not found: its rows say "not run".
#include "peers/peer.h"

const peer_t peer_fcl_bvh = {.name = "FCL meshes"};
const peer_t peer_fcl_hull = {.name = "FCL hulls"};
const peer_t peer_fcl_ca = {.name = "FCL continuous"};
