import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of Rust. */
export const RUST_FRAMES: readonly FrameForm[] = [
  {
    //   at ./src/mail.rs:12:5        thread 'main' panicked at src/mail.rs:12:5
    pattern: /(?:^\s*at|panicked at(?: '[^']*',)?) (?<path>[^\s':]+\.rs):(?<line>\d+)(?::\d+)?/,
  },
];

/** Paths of the files of packages that a package manager installed. */
export const RUST_INSTALLED = /^(?:.*\/)?(?<all>\.cargo\/registry\/src\/[^/]+)\/(?<name>[\w-]+?)-\d[^/]*\/(?<path>.+)$/;
