import type { FrameForm } from '../walk/language.ts';

/** How stack traces of Ruby are written. */
export const RUBY_FRAMES: readonly FrameForm[] = [
  {
    // app/mail.rb:12:in `send'        from /gems/shop/lib/mail.rb:12:in 'Mailer#send'
    pattern: /^\s*(?:from |\d+: from )?(?<path>[^\s:][^\s:]*\.(?:rb|rake|erb)):(?<line>\d+):in [`'](?<symbol>[^'\n]+)'/,
  },
];

/** Where package managers put the files of packages. */
export const RUBY_INSTALLED = /^(?:.*\/)?(?<all>gems)\/(?<name>[\w.-]+?)-\d[^/]*\/(?<path>.+\.rb)$/;
