import { codeExtensions } from '../languages/languages.ts';
import { partReport } from './part-report.ts';
import { type Frame, readFrames } from './read-frames.ts';
import { wordsOf } from '../text/words.ts';

/** Parts of a bug report. */
export interface Report {
  /** Its first line that says something. */
  title: string;
  /** All of it, without the hidden remarks of a template. */
  text: string;
  /** Text of people: without code blocks, traces, output and lists of versions. */
  prose: string;
  /** The code blocks and output, without traces and lists of versions. */
  code: string;
  /** The error that it shows: its type and what it says, as written. */
  error: { type: string; message: string } | undefined;
  /** Innermost first. */
  frames: Frame[];
  /** Names that stand there as code: `retryAfter`, `Mailer.send`, `DEFAULT_LIMIT`; the strongest first. */
  names: string[];
  /** Texts that a program may have written: error messages and what stands in quotes. */
  quotes: string[];
  paths: string[];
  /** Distinct words and identifiers of four letters and more, as written. */
  identifiers: string[];
  /** Names of failing tests. */
  tests: string[];
}

/** Characters of one report. Far more is a log: its beginning and its end are read. */
const MOST_CHARACTERS = 60_000;
const MOST_NAMES = 80;
const MOST_QUOTES = 24;
const MOST_IDENTIFIERS = 2_000;
const LONGEST_QUOTE = 160;
const SHORTEST_QUOTE = 6;
/** Of a piece of several words. */
const LEAST_LETTERS = 8;

const ERROR =
  /^(?:E\s+|\[?(?:error|fatal|panic)\]?:\s+|Uncaught (?:\(in promise\) )?|Caused by: |Exception in thread "[^"]*" |Unhandled exception\. )*(?<type>(?:[A-Za-z_$][\w$]*[.\\:]{1,2})*[A-Z][\w$]*(?:Error|Exception|Warning|Failure|Fault|Panic|Exit|Interrupt)|panic|AssertionError|fatal error)(?:\s*\[[\w-]+\])?: ?(?<message>.*)$/;
/** `Error: could not open …`, which names no type of its own; a type before it is found first. */
const PLAIN_ERROR =
  /^(?:Uncaught (?:\(in promise\) )?)?\[?(?<type>Error|ERROR|error|Exception|fatal|FATAL)\]?: +(?<message>\S.*\s.*)$/;
/** A type with what it says amid a sentence or in quotes: ``fails with `ValueError: too long` ``. */
const ERROR_IN_PROSE =
  /(?<![\w.$\\])(?<type>(?:[A-Za-z_$][\w$]*(?:\.|::|\\))*[A-Z][\w$]*(?:Error|Exception|Warning|Failure|Fault|Panic)):\s+(?<message>[^\s`][^`]*)/;
/** A type that says nothing, alone on its line. */
const BARE_ERROR =
  /^(?:E\s+|Caused by: |Exception in thread "[^"]*" )*(?<type>(?:[a-z][\w$]*\.)*[A-Z][\w$]*[a-z](?:Error|Exception))$/;
const PANIC = /panicked at '(?<message>[^']+)'/;
const PATH = new RegExp(
  `(?<![\\w/.@:-])(?:[\\w@.+-]+/)*[\\w@+-][\\w@.+-]*\\.(?:${codeExtensions()
    .join('|')
    .replaceAll(/[.+]/g, String.raw`\$&`)})\\b(?![\\w/])`,
  'g',
);
const TEST = [
  // FAILED tests/test_mail.py::TestMail::test_send
  /^(?:FAILED|ERROR)\s+(?<test>\S+::\S+)/gm,
  // --- FAIL: TestSend (0.00s)
  /^\s*--- FAIL: (?<test>\S+)/gm,
  // ✕ sends one mail      × src/mail.test.ts > sends one mail       FAIL src/mail.test.ts > sends one mail
  /^\s*(?:FAIL|✕|✗|×|●)\s+(?<test>\S.*?)(?: \(?\d+(?:\.\d+)? ?m?s\)?)?$/gm,
  // test mail::sends ... FAILED
  /^test (?<test>\S+) \.\.\. FAILED$/gm,
];
/** Code in a text: between back quotes, or shaped as no word of a language is. */
const QUOTED_CODE = /`([^`\n]{2,120})`/g;
const CODE_WORD =
  /(?<![\w$])(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))+[A-Za-z_$][\w$]*|(?<![\w$])(?:[a-z$][a-z\d$]*[A-Z][\w$]*|[A-Z][a-z\d]+[A-Z][\w$]*|[A-Za-z\d$]*_[\w$]+|[A-Z][A-Z\d]{3,})(?![\w$])|(?<![\w$.])[A-Za-z_$][\w$]{2,}(?=\()/g;
/** Between back quotes these are no names of a program. */
const WORDS = new Set(
  'true false null undefined none nil this self async await return const let var function def class import from export new type string number object boolean int void static public private if else for while in not and or the is'.split(
    ' ',
  ),
);

/** Takes a report apart. Pure; linear in its length. */
export function readReport(given: string): Report {
  const text = shortenText(
    given
      .replaceAll('\r\n', '\n')
      .replaceAll(/<!--[\s\S]*?-->/g, ' ')
      .trim(),
  );
  const frames = readFrames(text);
  const error = readError(text);
  return {
    title: titleOf(text),
    text,
    ...partReport(text),
    error,
    frames,
    names: readNames(text),
    quotes: readQuotes(text, error?.message),
    paths: [...new Set(text.match(PATH) ?? [])].filter((path) => !frames.some((frame) => frame.path.endsWith(path))),
    identifiers: [...new Set(wordsOf(text, 'asciiIdentifier').filter((word) => word.length > 3))].slice(
      0,
      MOST_IDENTIFIERS,
    ),
    tests: [...new Set(TEST.flatMap((form) => [...text.matchAll(form)].map(({ groups }) => groups?.['test'] ?? '')))],
  };
}

function shortenText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const half = MOST_CHARACTERS / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

function titleOf(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^[#>*\s]+/, '').trim());
  return lines.find((line) => /\p{L}{2}/u.test(line) && !line.startsWith('```')) ?? '';
}

/** The last error of the first trace is the one that the others led to; without a trace the first. */
function readError(text: string): Report['error'] {
  const lines = text.split('\n').map((line) => line.trim());
  for (const line of lines) {
    const { type, message } = (ERROR.exec(line) ?? PANIC.exec(line))?.groups ?? {};
    if (message !== undefined) return { type: type ?? 'panic', message: message.trim() };
  }
  for (const line of lines) {
    const { type, message = '' } = PLAIN_ERROR.exec(line)?.groups ?? {};
    if (type !== undefined) return { type, message: message.trim() };
  }
  for (const line of lines) {
    const { type, message = '' } = (ERROR_IN_PROSE.exec(line) ?? BARE_ERROR.exec(line))?.groups ?? {};
    if (type !== undefined) return { type, message: message.trim() };
  }
  return undefined;
}

function readNames(text: string): string[] {
  const weights = new Map<string, number>();
  const add = (name: string, weight: number): void => {
    const bare = name.replaceAll(/->|::|#/g, '.').replace(/^\.+|\.+$/g, '');
    if (bare.length < 2 || WORDS.has(bare.toLowerCase())) return;
    weights.set(bare, (weights.get(bare) ?? 0) + weight);
  };
  for (const [, code = ''] of text.matchAll(QUOTED_CODE))
    for (const name of wordsOf(code, 'qualifiedName')) add(name, 2);
  for (const [name] of text.matchAll(CODE_WORD)) add(name, 1);
  return [...weights]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MOST_NAMES)
    .map(([name]) => name);
}

/**
 * Returns quoted texts that may be in the code as they are here: values are cut out of them, as the code holds a placeholder
 * there.
 */
function readQuotes(text: string, message: string | undefined): string[] {
  const quoted = [...text.matchAll(/"([^"\n]{4,200})"|(?<![\w])'([^'\n]{4,200})'(?![\w])|`([^`\n]{4,200})`/g)].map(
    ([, double, single, back]) => double ?? single ?? back ?? '',
  );
  const errors = text.split('\n').flatMap((line) => ERROR.exec(line.trim())?.groups?.['message'] ?? []);
  const pieces = [...(message === undefined ? [] : [message]), ...errors, ...quoted].flatMap(fixedParts);
  return [...new Set(pieces)].slice(0, MOST_QUOTES);
}

function fixedParts(text: string): string[] {
  return text
    .split(/\d+|['"`<>{}[\]()=]+|0x[0-9a-f]+|%[sdrfx]|(?:[\w.-]*\/)+[\w.-]*/)
    .map((part) => part.trim().replace(/^[\s:;,.!-]+|[\s:;,-]+$/g, ''))
    .filter((part) => part.length >= SHORTEST_QUOTE && part.length <= LONGEST_QUOTE && isTelling(part, text));
}

/** Letters say something; of a piece that was cut out of a longer text it takes more of them than of a whole one. */
function isTelling(part: string, text: string): boolean {
  const letters = part.match(/\p{L}/gu)?.length ?? 0;
  return /\p{L}{3}/u.test(part) && (letters >= LEAST_LETTERS || part === text || !/\s/.test(part));
}
