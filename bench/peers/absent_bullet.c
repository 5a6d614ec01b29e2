// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of bullet.cpp where Bullet was not found: its rows say "not run".
#include "peers/peer.h"

const peer_t peer_bullet = {.name = "Bullet hulls"};
const peer_t peer_bullet_cast = {.name = "Bullet cast"};
