import type { FrameForm } from '../walk/language.ts';

/** How stack traces of Rust are written. */
export const RUST_FRAMES: readonly FrameForm[] = [
  {
    //   at ./src/mail.rs:12:5        thread 'main' panicked at src/mail.rs:12:5
    pattern: /(?:^\s*at|panicked at(?: '[^']*',)?) (?<path>[^\s':]+\.rs):(?<line>\d+)(?::\d+)?/,
  },
];

/** Where package managers put the files of packages. */
export const RUST_INSTALLED = /^(?:.*\/)?(?<all>\.cargo\/registry\/src\/[^/]+)\/(?<name>[\w-]+?)-\d[^/]*\/(?<path>.+)$/;
