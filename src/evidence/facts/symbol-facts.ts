import { CODE_OUTPUTS } from '../../code/outputs/outputs.ts';
import { languageOfPath, traitsOf } from '../../languages/languages.ts';
import { counted } from '../../kernel/counted.ts';
import type { Fact } from '../model/brief.ts';
import type { Operations } from '../model/operations.ts';
import type { NamedPlace, NamedThing } from '../model/question.ts';
import { groupByFile, isComment, lineReference, listSome, pathOf, productFirst, totalOf } from './lines.ts';

const TOOL = 'code-tool';

/** Definitions of one name that are looked at: each has its own list. */
const MOST_PLACES = 3;
/** Rows of a list that are read, and names that a sentence has. */
const [MOST_ROWS, MOST_NAMED] = [100, 8];
/** Lines of a file that a sentence has. */
const MOST_LINES = 4;

/** A place as calls take it. */
export function handleOf({ symbol, path }: Pick<NamedPlace, 'symbol' | 'path'>): string {
  return symbol === undefined ? path : `sym:${symbol.replaceAll('.', '/')}@${path}`;
}

function placeReference(place: NamedPlace, why: string): Fact['sources'][number] {
  return lineReference(place.repo, place.path, place.lines?.start, why);
}

/** A list as a fact. */
interface ListFact extends Fact {
  /** True if there is nothing: no fact about a name that several things share. */
  isEmpty?: true;
}

/** Facts about each definition of a name; `compute` gives none where nothing is known. */
export async function perPlace(
  things: readonly NamedThing[],
  compute: (name: string, place: NamedPlace) => Promise<ListFact | undefined>,
): Promise<ListFact[]> {
  const places = things.flatMap(({ name, places: all }) => all.slice(0, MOST_PLACES).map((place) => ({ name, place })));
  const isOne = places.length === 1;
  const lists = await Promise.all(
    places.map(({ name, place }) => compute(isOne || name === place.path ? name : `${name} (${place.path})`, place)),
  );
  return lists.filter((list) => list !== undefined).filter(({ isEmpty }) => isOne || isEmpty !== true);
}

/** Lists the users of a symbol; `tests` alone where the question is about tests. */
export async function listUsers(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
  tests: 'include' | 'only',
): Promise<ListFact | undefined> {
  const { repo } = place;
  const args = { action: 'usages', query: handleOf(place), tests, limit: MOST_ROWS, repo };
  const answer = await operations.read(TOOL, args, CODE_OUTPUTS.usages);
  if (answer === undefined) return undefined;
  // Rows of names alone come only where nothing is resolved.
  const isResolved = answer.rows.some(({ grade }) => grade !== 'name');
  const where = tests === 'only' ? ' in tests' : '';
  const byPath = groupByFile(answer.rows, ({ path }) => path);
  const named = byPath.map(([path, rows]) => {
    const lines = [...new Set(rows.map(({ line }) => line))];
    return `${path}:${lines.slice(0, MOST_LINES).join(',')}${lines.length > MOST_LINES ? ',…' : ''}`;
  });
  const total = `${totalOf(answer)} ${answer.total === 1 ? 'time' : 'times'}`;
  const files = answer.total > answer.rows.length ? '' : ` in ${counted(byPath.length, 'file')}`;
  const ofFamily = answer.total - (answer.own ?? answer.total);
  const more = answer.possible?.total ?? 0;
  const byName = more > 0 ? `; its name occurs ${counted(more, 'more time')} without being resolved` : '';
  const family = ofFamily > 0 ? ` (${ofFamily} of them by what it overrides or what overrides it)` : '';
  if (answer.rows.length === 0)
    return {
      sentence: `No use of ${name} was found${where || ' in the code'}.`,
      sources: [placeReference(place, `is ${name}`)],
    };
  const sentence = isResolved
    ? `${name} is used${where} ${total}${files}${family}: ${listSome(named, MOST_NAMED)}${byName}.`
    : `No use of ${name} is resolved${where}; its name occurs ${total}${files}, which may be another: ${listSome(named, MOST_NAMED)}.`;
  return {
    sentence,
    sources: byPath
      .slice(0, MOST_NAMED)
      .flatMap(([path, [row]]) => (row === undefined ? [] : [lineReference(repo, path, row.line, useOf(row))])),
  };
}

function useOf({ use, enclosing }: { use: string; enclosing: string }): string {
  return enclosing === '' ? use : `${use} in ${enclosing}`;
}

/** Lists the code that a change reaches, by hop. */
export async function listImpact(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
): Promise<ListFact | undefined> {
  const { repo } = place;
  const args = { action: 'impact', query: handleOf(place), depth: 2, limit: MOST_ROWS, repo };
  const answer = await operations.read(TOOL, args, CODE_OUTPUTS.impact);
  if (answer === undefined) return undefined;
  const own = placeReference(place, `is ${name}`);
  if (answer.rows.length === 0)
    return { sentence: `Nothing that was resolved depends on ${name} within two hops.`, sources: [own] };
  const near = answer.rows.filter(({ hop }) => hop === 1);
  const direct = productFirst(
    near.filter(({ is_test: isTest }) => !isTest),
    ({ path }) => path,
  );
  const inTests = near.length - direct.length;
  const shown = direct.slice(0, MOST_NAMED).map(({ path, symbol }) => (symbol === '' ? path : `${symbol} (${path})`));
  const further = [
    ...(direct.length > MOST_NAMED ? [`${direct.length - MOST_NAMED} more`] : []),
    ...(inTests > 0 ? [`${inTests} in tests`] : []),
  ];
  const list = [shown.join(', '), ...further].filter((part) => part !== '').join(' and ');
  const { total: testFiles = 0, paths = [] } = answer.tests ?? {};
  const tests = testFiles === 0 ? 'no test file is' : counted(testFiles, 'test file is', 'test files are');
  const testList = testFiles === 0 ? '' : `: ${paths.slice(0, 3).join(', ')}`;
  return {
    sentence: `A change of ${name} reaches ${totalOf(answer)} ${answer.total === 1 ? 'place' : 'places'} within two hops, ${answer.counts?.['hop1'] ?? near.length} of them directly${list === '' ? '' : `: ${list}`}; ${tests} among them${testList}.`,
    sources: [
      ...direct
        .slice(0, MOST_NAMED)
        .map(({ path, line, symbol }) => lineReference(repo, path, line, `hop 1, ${symbol || 'file'}`)),
      own,
    ],
  };
}

/** Lists the symbols that implement, extend or override a symbol. */
export async function listHeirs(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
): Promise<ListFact | undefined> {
  const { repo } = place;
  const args = { action: 'implementations', query: handleOf(place), limit: MOST_ROWS, repo };
  const answer = await operations.read(TOOL, args, CODE_OUTPUTS.implementations);
  if (answer === undefined) return undefined;
  if (answer.rows.length === 0)
    return {
      sentence: `Nothing that was resolved implements, extends or overrides ${name}.`,
      sources: [placeReference(place, `is ${name}`)],
      isEmpty: true,
    };
  const rows = productFirst(answer.rows, ({ path }) => path);
  const named = rows.map(({ qualified, path, line }) => `${qualified} (${path}:${line})`);
  const relations = Object.entries(answer.counts ?? {}).flatMap(([relation, count]) =>
    count === 0 ? [] : [`${count} by ${relation}`],
  );
  return {
    sentence: `${name} has ${counted(answer.total, 'implementation')} (${relations.join(', ')}): ${listSome(named, MOST_NAMED)}.`,
    sources: rows
      .slice(0, MOST_NAMED)
      .map(({ path, line, relation }) => lineReference(repo, path, line, `${relation} ${name}`)),
  };
}

/** The files that import a file or folder, or the file of a symbol. */
export async function listImporters(
  operations: Operations,
  [name, place]: readonly [string, NamedPlace],
): Promise<ListFact | undefined> {
  const { repo } = place;
  const args = { action: 'dependencies', query: handleOf(place), direction: 'in', limit: MOST_ROWS, repo };
  const answer = await operations.read(TOOL, args, CODE_OUTPUTS.dependencies);
  if (answer === undefined) return undefined;
  const edges = answer.rows.filter(({ grade }) => grade !== 'name');
  const byFile = groupByFile(edges, ({ from }) => pathOf(from)).filter(([path]) => path !== place.path);
  if (byFile.length === 0)
    return {
      sentence: `Nothing that was resolved depends on ${name}.`,
      sources: [placeReference(place, `is ${name}`)],
    };
  const paths = byFile.map(([path]) => path);
  return {
    sentence: `${counted(byFile.length, 'file depends', 'files depend')} directly on ${name}${answer.total > answer.rows.length ? ' (of the first 100 dependencies)' : ''}: ${listSome(paths, MOST_NAMED)}.`,
    sources: byFile
      .slice(0, MOST_NAMED)
      .map(([path, [edge]]) => lineReference(repo, path, edge?.line, `${edge?.relation ?? 'imports'} ${name}`)),
  };
}

/** Words of a question that may be a package: tried in their order until one is imported. */
const MOST_PACKAGES = 4;

/** The lines that import a package by its name: one of others is no symbol of the index. */
export async function listPackageImports(operations: Operations, words: readonly string[]): Promise<Fact[]> {
  for (const word of words.slice(0, MOST_PACKAGES)) {
    const query = importPattern(word);
    const answer = await operations.read(TOOL, { action: 'grep', query, limit: MOST_ROWS }, CODE_OUTPUTS.grep);
    const lines = (answer?.rows ?? []).filter(
      // Documents and data only quote code.
      ({ path, text }) => traitsOf(languageOfPath(path).name).content === undefined && !isComment(text),
    );
    if (answer === undefined || lines.length === 0) continue;
    const byPath = groupByFile(lines, ({ path }) => path);
    const more = answer.total > answer.rows.length ? ' (of the first 100 lines)' : '';
    return [
      {
        sentence: `${counted(byPath.length, 'file imports', 'files import')} the package ${word}${more}: ${listSome(
          byPath.map(([path]) => path),
          MOST_NAMED,
        )}.`,
        sources: byPath
          .slice(0, MOST_NAMED)
          .flatMap(([path, [row]]) =>
            row === undefined ? [] : [lineReference(operations.repoOf(answer, row), path, row.line, `imports ${word}`)],
          ),
      },
    ];
  }
  return [];
}

/** Lines that import a package, or of a whole module path a package in it, as the languages of the index write them. */
function importPattern(name: string): string {
  const word = name.replaceAll(/[^\w]/g, '.');
  const modulePath = name.includes('/')
    ? String.raw`${word}(?:/[\w./-]*)?`
    : String.raw`(?:[\w.-]+/)+${word}(?:/v\d+)?`;
  return [
    String.raw`^\s*(?:pub\s+)?(?:use|import|from|using|extern crate)\s+["'<]?${word}(?:[^\w-]|$)`,
    String.raw`\b(?:from|import|require)\s*\(?\s*["']${word}["'/]`,
    String.raw`^\s*(?:import\s+)?(?:[\w.]+ )?"${modulePath}"\s*(?://.*)?$`,
    String.raw`^#include\s*[<"]${word}(?:[^\w-]|$)`,
  ].join('|');
}
