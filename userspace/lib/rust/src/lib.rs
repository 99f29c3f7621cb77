// SPDX-License-Identifier: GPL-2.0
//! The calls of wlink.h, as they are: see wlink(3).
#![allow(non_camel_case_types)]

include!(concat!(env!("OUT_DIR"), "/wlink.rs"));

/// What bindgen does not see: its values are macros of macros.
pub const WLINK_NEVER: u64 = u64::MAX;
pub const WLINK_NEXT: u64 = u64::MAX;
pub const WLINK_PACKET: u64 = u64::MAX;
