import { LANGUAGES } from '../languages/languages.ts';

/** True if a line is part of a trace: a frame, or what goes before one. */
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

const FORMS = LANGUAGES.flatMap(({ frames = [] }) => frames);

/** Prefixes that programs and people put before the lines of a trace: `INTERNALERROR> `, `| `, `> `. */
const PREFIX = /^\s*(?:[A-Z_]{3,}>|[|>])+ ?/;

/** Most frames of a trace: of endless recursion the first say it all. */
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
    const read = readFrame(line.replace(PREFIX, ''));
    if (read === undefined) continue;
    if (read.isLastInnermost) {
      turned.unshift(read.frame);
      continue;
    }
    frames.push(...turned, read.frame);
    turned = [];
  }
  frames.push(...turned);
  const distinct = new Map(frames.map((frame) => [`${frame.path}:${frame.line ?? ''} ${frame.symbol ?? ''}`, frame]));
  return [...distinct.values()].slice(0, MOST_FRAMES);
}

function readFrame(line: string): { frame: Frame; isLastInnermost: boolean } | undefined {
  for (const { pattern, isInPackage, isLastInnermost = false } of FORMS) {
    const groups = pattern.exec(line)?.groups;
    const frame = groups === undefined ? undefined : isInPackage === true ? ofClass(groups) : toFrame(groups);
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
