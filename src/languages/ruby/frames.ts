import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of Ruby. */
export const RUBY_FRAMES: readonly FrameForm[] = [
  {
    // app/mail.rb:12:in `send'        from /gems/shop/lib/mail.rb:12:in 'Mailer#send'
    pattern: /^\s*(?:from |\d+: from )?(?<path>[^\s:][^\s:]*\.(?:rb|rake|erb)):(?<line>\d+):in [`'](?<symbol>[^'\n]+)'/,
  },
];

/** Paths of the files of packages that a package manager installed. */
export const RUBY_INSTALLED = /^(?:.*\/)?(?<all>gems)\/(?<name>[\w.-]+?)-\d[^/]*\/(?<path>.+\.rb)$/;
