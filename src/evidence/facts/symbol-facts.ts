import { counted } from '../../kernel/counted.ts';
import type { Fact } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace, NamedThing } from '../model/question.ts';
import { HeirRow, ImpactRow, LineRow, lineReference, listSome, EdgeRow, pathOf, UsageRow } from './rows.ts';

/** Definitions of one name that are looked at: each has its own list. */
const MOST_PLACES = 3;
/** Rows of a list that are read, and names that a sentence has. */
const [MOST_ROWS, MOST_NAMED] = [100, 8];

/** A place as calls take it. */
export function handleOf({ symbol, path }: Pick<NamedPlace, 'symbol' | 'path'>): string {
  return symbol === undefined ? path : `sym:${symbol.replaceAll('.', '/')}@${path}`;
}

function placeReference(place: NamedPlace, why: string): Fact['sources'][number] {
  return lineReference(place.repo, place.path, place.lines?.start, why);
}

/** Facts about each definition of a name. */
export async function perPlace(
  things: readonly NamedThing[],
  compute: (name: string, place: NamedPlace) => Promise<Fact[]>,
): Promise<Fact[]> {
  const places = things.flatMap(({ name, places: all }) => all.slice(0, MOST_PLACES).map((place) => ({ name, place })));
  const isOne = places.length === 1;
  const facts = await Promise.all(
    places.map(({ name, place }) => compute(isOne ? name : `${name} (${place.path})`, place)),
  );
  return facts.flat();
}

/** Who uses a symbol; `tests` alone where tests are asked for. */
export async function listUsers(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
  tests: 'include' | 'only',
): Promise<Fact[]> {
  const { repo } = place;
  const args = { action: 'usages', query: handleOf(place), tests, limit: MOST_ROWS, repo };
  const found = await operations.ask('code-tool', args, UsageRow);
  if (found === undefined) return [];
  const known = found.rows.filter(({ grade }) => grade !== 'name');
  const what = tests === 'only' ? 'tests' : 'the code';
  if (known.length === 0)
    return [{ sentence: `No use of ${name} was found in ${what}.`, sources: [placeReference(place, `is ${name}`)] }];
  const byPath = [...Map.groupBy(known, ({ path }) => path)];
  const named = byPath.map(([path, rows]) => {
    const lines = rows.map(({ line }) => line);
    return `${path}:${[...new Set(lines)].slice(0, 4).join(',')}`;
  });
  const verb = tests === 'only' ? 'is used in tests' : 'is used';
  return [
    {
      sentence: `${name} ${verb} ${counted(found.total, 'time')}${found.total > known.length ? '' : ` in ${counted(byPath.length, 'file')}`}: ${listSome(named, MOST_NAMED)}.`,
      sources: byPath
        .slice(0, MOST_NAMED)
        .flatMap(([path, [row]]) => (row === undefined ? [] : [lineReference(repo, path, row.line, useOf(row))])),
    },
  ];
}

function useOf({ use, enclosing }: { use: string; enclosing: string }): string {
  return enclosing === '' ? use : `${use} in ${enclosing}`;
}

/** What a change reaches, by hop. */
export async function listImpact(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
): Promise<Fact[]> {
  const { repo } = place;
  const args = { action: 'impact', query: handleOf(place), depth: 2, limit: MOST_ROWS, repo };
  const found = await operations.ask('code-tool', args, ImpactRow);
  if (found === undefined) return [];
  const own = placeReference(place, `is ${name}`);
  if (found.rows.length === 0)
    return [{ sentence: `Nothing that was resolved depends on ${name} within two hops.`, sources: [own] }];
  const direct = found.rows.filter(({ hop, is_test: isTest }) => hop === 1 && !isTest);
  const tests = new Set(found.rows.filter(({ is_test: isTest }) => isTest).map(({ path }) => path));
  const named = direct.map(({ path, symbol }) => (symbol === '' ? path : `${symbol} (${path})`));
  const reached = `A change of ${name} reaches ${counted(found.total, 'place')} within two hops`;
  return [
    {
      sentence: `${reached}, ${direct.length} of them directly: ${listSome(named, MOST_NAMED) || 'none'}; tests among them: ${tests.size === 0 ? 'none' : listSome([...tests], 3)}.`,
      sources: [
        ...direct
          .slice(0, MOST_NAMED)
          .map(({ path, line, symbol }) => lineReference(repo, path, line, `hop 1, ${symbol || 'file'}`)),
        own,
      ],
    },
  ];
}

/** What implements, extends or overrides a symbol. */
export async function listHeirs(operations: Operations, [name, place]: readonly [string, NamedPlace]): Promise<Fact[]> {
  const { repo } = place;
  const args = { action: 'implementations', query: handleOf(place), limit: MOST_ROWS, repo };
  const found = await operations.ask('code-tool', args, HeirRow);
  if (found === undefined) return [];
  if (found.rows.length === 0)
    return [
      {
        sentence: `Nothing that was resolved implements, extends or overrides ${name}.`,
        sources: [placeReference(place, `is ${name}`)],
      },
    ];
  const named = found.rows.map(({ qualified, path, line }) => `${qualified} (${path}:${line})`);
  return [
    {
      sentence: `${name} has ${counted(found.total, 'implementation')} by ${listRelations(found.rows)}: ${listSome(named, MOST_NAMED)}.`,
      sources: found.rows
        .slice(0, MOST_NAMED)
        .map(({ path, line, relation }) => lineReference(repo, path, line, `${relation} ${name}`)),
    },
  ];
}

function listRelations(rows: readonly { relation: string }[]): string {
  return [...new Set(rows.map(({ relation }) => relation))].join(', ');
}

/** The files that import a file or folder, or the file of a symbol. */
export async function listImporters(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
): Promise<Fact[]> {
  const { repo } = place;
  const query = place.symbol === undefined ? place.path : handleOf(place);
  const args = { action: 'dependencies', query, direction: 'in', limit: MOST_ROWS, repo };
  const found = await operations.ask('code-tool', args, EdgeRow);
  if (found === undefined) return [];
  const edges = found.rows.filter(({ grade }) => grade !== 'name');
  const byFile = [...Map.groupBy(edges, ({ from }) => pathOf(from))].filter(([path]) => path !== place.path);
  if (byFile.length === 0)
    return [
      { sentence: `Nothing that was resolved depends on ${name}.`, sources: [placeReference(place, `is ${name}`)] },
    ];
  const paths = byFile.map(([path]) => path);
  return [
    {
      sentence: `${counted(byFile.length, 'file depends', 'files depend')} directly on ${name}${found.total > found.rows.length ? ' (of the first 100 dependencies)' : ''}: ${listSome(paths, MOST_NAMED)}.`,
      sources: byFile
        .slice(0, MOST_NAMED)
        .map(([path, [edge]]) => lineReference(repo, path, edge?.line, `${edge?.relation ?? 'imports'} ${name}`)),
    },
  ];
}

/** Words of a question that may be a package: tried in their order until one is imported. */
const MOST_PACKAGES = 4;

/** The lines that import a package by its name: one of others is no symbol of the index. */
export async function listPackageImports(operations: Operations, words: readonly string[]): Promise<Fact[]> {
  for (const word of words.slice(0, MOST_PACKAGES)) {
    const query = importPattern(word);
    const found = await operations.ask(
      'code-tool',
      { action: 'grep', query, limit: MOST_ROWS },
      LineRow.extend({ repo: LineRow.shape.path.optional() }),
    );
    if (found === undefined || found.rows.length === 0) continue;
    const byPath = [...Map.groupBy(found.rows, ({ path }) => path)];
    const more = found.total > found.rows.length ? ' (of the first 100 lines)' : '';
    return [
      {
        sentence: `${counted(byPath.length, 'file imports', 'files import')} the package ${word}${more}: ${listSome(
          byPath.map(([path]) => path),
          MOST_NAMED,
        )}.`,
        sources: byPath
          .slice(0, MOST_NAMED)
          .flatMap(([path, [row]]) =>
            row === undefined ? [] : [lineReference(operations.repoOf(found, row), path, row.line, `imports ${word}`)],
          ),
      },
    ];
  }
  return [];
}

/** Lines that import a package, as the languages of the index write them. */
function importPattern(name: string): string {
  const word = name.replaceAll(/[^\w]/g, '.');
  return [
    String.raw`^\s*(?:pub\s+)?(?:use|import|from|using|extern crate)\s+["'<]?${word}(?:[^\w-]|$)`,
    String.raw`\b(?:from|import|require)\s*\(?\s*["']${word}["'/]`,
    String.raw`^\s*(?:\w+ )?"(?:[\w.-]+/)+${word}"`,
    String.raw`^#include\s*[<"]${word}(?:[^\w-]|$)`,
  ].join('|');
}
