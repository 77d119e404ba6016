import { parseSync, Visitor } from 'oxc-parser';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { readSources } from './testing/sources.ts';

const ROOT = dirname(import.meta.dirname);

/** Words that say nothing as a part of a name, or only to those who have read everything else. */
const REFUSED: ReadonlySet<string> = new Set('told said found kept wanted asked alike worth folded settled'.split(' '));
/** Names that are refused as they are; `lastSeenAt` and `isKnown` are terms. */
const REFUSED_ALONE: ReadonlySet<string> = new Set(['seen', 'known']);
/** HTTP's own word. */
const TERM = /not_?found/i;

/** The parts of a declaration that names stand in, whatever its kind. */
interface Pattern {
  type: string;
  name: string;
  elements: (Pattern | null)[];
  properties: { value?: Pattern | null; shorthand?: boolean }[];
  left: Pattern;
  parameter: Pattern;
}

/** Names that a pattern declares; shorthand ones are those of the fields that it takes apart. */
function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : namesIn(element)));
    case 'ObjectPattern':
      return pattern.properties.flatMap(({ value, shorthand }) =>
        value == null || shorthand === true ? [] : namesIn(value),
      );
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'TSParameterProperty':
      return namesIn(pattern.parameter);
    default:
      return [];
  }
}

/** Names of variables, parameters, functions, classes and types that a file declares. Fields may be those of stored or sent data. */
function declaredNames(file: string, text: string): string[] {
  const names: string[] = [];
  // All of these are patterns; the types of the parser say more than is needed here.
  const declare = (...patterns: unknown[]): void =>
    void names.push(
      ...(patterns as (Pattern | null)[]).flatMap((pattern) => (pattern === null ? [] : namesIn(pattern))),
    );
  new Visitor({
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration: ({ id, params }) => declare(id, ...params),
    FunctionExpression: ({ params }) => declare(...params),
    ArrowFunctionExpression: ({ params }) => declare(...params),
    ClassDeclaration: ({ id }) => declare(id),
    TSInterfaceDeclaration: ({ id }) => declare(id),
    TSTypeAliasDeclaration: ({ id }) => declare(id),
  }).visit(parseSync(file, text).program);
  return names;
}

/** `lastRunMs` is `last`, `run`, `ms`. */
const wordsOf = (name: string): string[] => name.split(/_|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());

const isRefused = (name: string): boolean =>
  REFUSED_ALONE.has(name) || (!TERM.test(name) && wordsOf(name).some((word) => REFUSED.has(word)));

test('names say what a thing is, in words that somebody who is new here would search for', () => {
  const sources = ['src', 'web', 'lab', 'scripts', 'test'].flatMap((folder) => readSources(ROOT, folder));
  const refused = sources.flatMap(({ file, text }) =>
    declaredNames(file, text)
      .filter(isRefused)
      .map((name) => ({ file, name })),
  );

  expect(refused).toEqual([]);
});

test('each kind of declaration is looked at', () => {
  const text = `interface FoundRow {} type Told = 1; class KeptShard {} function wantedOf(asked, [said], { a: folded, settled }) {}
    const found = 1; const lastSeenAt = 2; const NotFoundPage = 3; for (const known of []) {} const isKnown = (seen = 1) => seen;`;

  expect(declaredNames('a.ts', text).filter(isRefused)).toEqual(
    expect.arrayContaining([
      'FoundRow',
      'Told',
      'KeptShard',
      'wantedOf',
      'asked',
      'said',
      'folded',
      'found',
      'known',
      'seen',
    ]),
  );
  expect(['lastSeenAt', 'NotFoundPage', 'isKnown', 'settled'].filter(isRefused)).toEqual(['settled']);
});
