// SPDX-License-Identifier: GPL-2.0
//! wlink.h in Rust, where pkg-config finds it. bindgen needs libclang.

fn main() {
    let found = pkg_config::probe_library("wlink").expect("libwlink: make lib, make lib-install");
    let includes = found
        .include_paths
        .iter()
        .map(|path| format!("-I{}", path.display()));
    bindgen::Builder::default()
        .header_contents("all.h", "#include <wlink.h>")
        .clang_args(includes)
        .allowlist_item("wlink.*|WLINK.*")
        .generate()
        .expect("wlink.h")
        .write_to_file(format!("{}/wlink.rs", std::env::var("OUT_DIR").unwrap()))
        .unwrap();
}
