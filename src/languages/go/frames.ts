import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of Go. */
export const GO_FRAMES: readonly FrameForm[] = [
  {
    // \t/app/mail/send.go:12 +0x1d
    pattern: /^\s+(?<path>\S+\.(?:go|s)):(?<line>\d+)(?: \+0x[0-9a-f]+)?\s*$/,
  },
];

/** Paths of installed modules (`github.com/shop/mail@v1.2.0`): an upper-case letter is written `!` and its lower-case one. */
export const GO_INSTALLED = /^(?:.*\/)?(?<all>pkg\/mod)\/(?<name>[^@]+)@[^/]+\/(?<path>.+)$/;
