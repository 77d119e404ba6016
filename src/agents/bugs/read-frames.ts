/** Whether a line is part of a trace: a frame, or what goes before one. */
export function isOfTrace(line: string): boolean {
  const bare = line.replace(PREFIX, '');
  return (
    /^\s*(?:Traceback \(most recent call last\)|goroutine \d+ \[|stack backtrace:)/.test(bare) ||
    readFrame(bare) !== undefined
  );
}

/** A line of a stack trace: where the program was. */
export interface Frame {
  /** As the trace writes it; of a trace that names classes instead, the path that such a class has by convention. */
  path: string;
  /** 1-based. */
  line?: number;
  /** The function, with its class or module where the trace tells it. */
  symbol?: string;
}

/** How one kind of runtime writes a frame. */
interface FrameForm {
  pattern: RegExp;
  /** Whether the innermost call, where it failed, stands last. */
  isLastInnermost?: true;
  read: (groups: Record<string, string | undefined>) => Frame | undefined;
}

const FORMS: readonly FrameForm[] = [
  {
    // File "/app/shop/mail.py", line 12, in send
    pattern: /^\s*File "(?<path>[^"\n]+)", line (?<line>\d+)(?:, in (?<symbol>\S+))?/,
    isLastInnermost: true,
    read: toFrame,
  },
  {
    // File ~/shop/mail.py:12, in Mailer.send(self, to)
    pattern: /^\s*File (?<path>[^\s:"]+):(?<line>\d+), in (?<symbol>[\w.<>]+)/,
    isLastInnermost: true,
    read: toFrame,
  },
  {
    // ~/shop/mail.py in send(self, to)
    pattern: /^(?<path>[~/.\w][^\s:"]*\.pyx?) in (?<symbol>[\w.<>]+)\(/,
    isLastInnermost: true,
    read: toFrame,
  },
  {
    // src/mail.py:12: TypeError          tests/test_mail.py:3: in test_send
    pattern: /^(?:E\s+)?(?<path>[\w./\\+-]+\.pyx?):(?<line>\d+): (?:in (?<symbol>[\w.<>]+)|(?:[A-Z]\w*)?$)/,
    isLastInnermost: true,
    read: toFrame,
  },
  {
    // at send (file:///app/src/mail.ts:12:3)     at async Mailer.send (webpack:///./src/mail.ts?:12:3)
    pattern:
      /^\s*at (?:async )?(?:(?:new )?(?<symbol>[^\s()][^()\n]*?) (?:\[as [^\]]+\] )?)?\(?(?<path>[^\s():][^\s()]*?):(?<line>\d+):\d+\)?/,
    read: toFrame,
  },
  {
    // send@https://shop.example/src/mail.js:12:3
    pattern: /^\s*(?<symbol>[\w$./<>*]*)@(?<path>(?:https?|file|webpack|app)[^\s]*?):(?<line>\d+):\d+/,
    read: toFrame,
  },
  {
    // at com.shop.mail.Mailer$Queue.send(Mailer.java:12)
    pattern:
      /^\s*at (?:[\w.@-]+\/{1,2})?(?<scope>[\w$.]+)\.(?<symbol>[\w$<>-]+)\((?<path>[\w$-]+\.(?:java|kt|scala|groovy))(?::(?<line>\d+))?\)/,
    read: ofClass,
  },
  {
    // at Shop.Mail.Mailer.Send(String to) in C:\app\Mailer.cs:line 12
    pattern: /^\s*at (?<symbol>[\w.`<>[\],+]+)\([^)]*\)(?: in (?<path>.+?):line (?<line>\d+))?\s*$/,
    read: toFrame,
  },
  {
    // \t/app/mail/send.go:12 +0x1d
    pattern: /^\s+(?<path>\S+\.(?:go|s)):(?<line>\d+)(?: \+0x[0-9a-f]+)?\s*$/,
    read: toFrame,
  },
  {
    //   at ./src/mail.rs:12:5        thread 'main' panicked at src/mail.rs:12:5
    pattern: /(?:^\s*at|panicked at(?: '[^']*',)?) (?<path>[^\s':]+\.rs):(?<line>\d+)(?::\d+)?/,
    read: toFrame,
  },
  {
    // app/mail.rb:12:in `send'        from /gems/shop/lib/mail.rb:12:in 'Mailer#send'
    pattern: /^\s*(?:from |\d+: from )?(?<path>[^\s:][^\s:]*\.(?:rb|rake|erb)):(?<line>\d+):in [`'](?<symbol>[^'\n]+)'/,
    read: toFrame,
  },
  {
    // #3 /app/src/Mailer.php(12): Shop\Mailer->send('...')
    pattern: /^\s*#\d+ (?<path>[^\s(]+\.php)\((?<line>\d+)\): (?<symbol>[\w\\]+(?:(?:->|::)\w+)?)/,
    read: toFrame,
  },
  {
    // in /app/src/Mailer.php:12            in /app/src/Mailer.php on line 12
    pattern: /\bin (?<path>\/?[\w./\\-]+\.php)(?::| on line )(?<line>\d+)/,
    read: toFrame,
  },
];

/** What programs and people put before the lines of a trace: `INTERNALERROR> `, `| `, `> `. */
const PREFIX = /^\s*(?:[A-Z_]{3,}>|[|>])+ ?/;

/** Most frames that are kept: of endless recursion the first say it all. */
const MOST_FRAMES = 60;

/**
 * The frames of all stack traces in a text, innermost first, of each place one. Knows the traces of Python, JavaScript,
 * Java, Kotlin, Go, Rust, C#, Ruby and PHP.
 */
export function readFrames(text: string): Frame[] {
  const frames: Frame[] = [];
  // A trace that ends with its innermost frame is turned round as a whole.
  let turned: Frame[] = [];
  for (const line of text.split('\n')) {
    const found = readFrame(line.replace(PREFIX, ''));
    if (found === undefined) continue;
    if (found.isLastInnermost) {
      turned.unshift(found.frame);
      continue;
    }
    frames.push(...turned, found.frame);
    turned = [];
  }
  frames.push(...turned);
  const distinct = new Map(frames.map((frame) => [`${frame.path}:${frame.line ?? ''} ${frame.symbol ?? ''}`, frame]));
  return [...distinct.values()].slice(0, MOST_FRAMES);
}

function readFrame(line: string): { frame: Frame; isLastInnermost: boolean } | undefined {
  for (const { pattern, read, isLastInnermost = false } of FORMS) {
    const groups = pattern.exec(line)?.groups;
    const frame = groups === undefined ? undefined : read(groups);
    if (frame !== undefined) return { frame, isLastInnermost };
  }
  return undefined;
}

function toFrame({ path = '', line, symbol }: Record<string, string | undefined>): Frame | undefined {
  const clean = cleanPath(path);
  if (clean === '' && symbol === undefined) return undefined;
  const name = symbol?.replace(/^(?:block|rescue|ensure)(?: \(\d+ levels\))? in /, '').replace(/^async /, '');
  return {
    path: clean,
    ...(line !== undefined && { line: Number(line) }),
    ...(name !== undefined && name !== '' && !/^<.*>$/.test(name) && { symbol: name }),
  };
}

/** `com.shop.Mailer$Queue` in `Mailer.java` is `com/shop/Mailer.java`. */
function ofClass({ scope = '', symbol = '', path = '', line }: Record<string, string | undefined>): Frame {
  const parts = scope.split('.');
  const type = parts.at(-1) ?? '';
  const name = [...type.split('$').filter((part) => !/^\d+$/.test(part)), ...(/^[\w-]+$/.test(symbol) ? [symbol] : [])];
  return {
    path: [...parts.slice(0, -1), path].join('/'),
    ...(line !== undefined && { line: Number(line) }),
    symbol: name.join('.'),
  };
}

/** Without the address that a bundler or a browser puts before it, and what follows a question mark. */
function cleanPath(path: string): string {
  return path
    .replace(/^(?:webpack|webpack-internal|rsc|app|turbopack):\/\/\/?(?:\([^)]*\)\/|[\w-]+\/(?=\.))?/, '')
    .replace(/^https?:\/\/[^/]+\//, '')
    .replace(/^file:\/\//, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/')
    .replace(/^\.\//, '');
}
