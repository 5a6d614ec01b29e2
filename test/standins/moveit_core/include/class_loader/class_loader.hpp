// Copyright 2026 The vouch authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for a header of that name in the test of the response adapter: what the adapter calls, and no more.
#pragma once

#define CLASS_LOADER_REGISTER_CLASS(Derived, Base) \
  Base * make_registered() {return new Derived();}
