import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of runtimes of JavaScript, browsers and bundlers. */
export const JAVASCRIPT_FRAMES: readonly FrameForm[] = [
  {
    // at send (file:///app/src/mail.ts:12:3)     at async Mailer.send (webpack:///./src/mail.ts?:12:3)
    pattern:
      /^\s*at (?:async )?(?:(?:new )?(?<symbol>[^\s()][^()\n]*?) (?:\[as [^\]]+\] )?)?\(?(?<path>[^\s():][^\s()]*?):(?<line>\d+):\d+\)?/,
  },
  {
    // send@https://shop.example/src/mail.js:12:3
    pattern: /^\s*(?<symbol>[\w$./<>*]*)@(?<path>(?:https?|file|webpack|app)[^\s]*?):(?<line>\d+):\d+/,
  },
];

/** Packages may have packages of their own: the last folder counts. */
export const JAVASCRIPT_INSTALLED = /^(?:.*\/)?(?<all>node_modules)\/(?<name>@[^/]+\/[^/]+|[^@/][^/]*)\/(?<path>.+)$/;

export const JAVASCRIPT_BUILT = {
  output: /\.[cm]?jsx?$/,
  source: /(?<!\.d)\.(?:[cm]?[jt]sx?|vue|svelte|astro|coffee)$/,
};
