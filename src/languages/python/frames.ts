import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of Python and its test runners. */
export const PYTHON_FRAMES: readonly FrameForm[] = [
  {
    // File "/app/shop/mail.py", line 12, in send
    pattern: /^\s*File "(?<path>[^"\n]+)", line (?<line>\d+)(?:, in (?<symbol>\S+))?/,
    isLastInnermost: true,
  },
  {
    // File ~/shop/mail.py:12, in Mailer.send(self, to)
    pattern: /^\s*File (?<path>[^\s:"]+):(?<line>\d+), in (?<symbol>[\w.<>]+)/,
    isLastInnermost: true,
  },
  {
    // ~/shop/mail.py in send(self, to)
    pattern: /^(?<path>[~/.\w][^\s:"]*\.pyx?) in (?<symbol>[\w.<>]+)\(/,
    isLastInnermost: true,
  },
  {
    // src/mail.py:12: TypeError          tests/test_mail.py:3: in test_send
    pattern: /^(?:E\s+)?(?<path>[\w./\\+-]+\.pyx?):(?<line>\d+): (?:in (?<symbol>[\w.<>]+)|(?:[A-Z]\w*)?$)/,
    isLastInnermost: true,
  },
];

/** Paths of the files of packages that a package manager installed. */
export const PYTHON_INSTALLED = /^(?:.*\/)?(?<all>(?:site|dist)-packages)\/(?<path>(?<module>[^/]+?)(?:\/.+|\.py))$/;
