import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentsOf, type ScipDocument, type ScipOccurrence } from '../../src/code-index/scip/scip-index.ts';
import { NAME_FLAG, type OracleAccount, type OracleName, OUTSIDE } from './account.ts';
import { ROLES } from '../../src/code-index/program/exact-names.ts';

/** A name of a file: flags are those of names; behind them lines and columns of the declarations around a call. */
type PythonName = [line: number, column: number, flags: number, ...around: number[]];

const PROJECT = 'oracle';
const TEST = /(^|\/)(t|tests?|testing|examples?|docs?)\/|(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/;

/**
 * Writes what pyright reports of a checkout without its packages, from an index of scip-python in `tools`.
 *
 * Names in strings (`__all__`) are no names to it, and it calls a name that `as` renames by its old one: neither is
 * reported. A folder `src` is part of its names of modules where a file is declared, and not where it is imported.
 */
export function pythonAccount(checkout: string, output: string, tools: string): void {
  for (const name of ['pyproject.toml', 'pyrightconfig.json', 'setup.py', 'setup.cfg'])
    rmSync(join(checkout, name), { force: true });
  const [index, packages] = [join(checkout, 'oracle.scip'), join(checkout, 'oracle-packages.json')];
  writeFileSync(packages, '[]');
  const program = join(tools, 'node_modules/.bin/scip-python');
  const project = ['--project-name', PROJECT, '--project-version', '1'];
  execFileSync(program, ['index', '.', ...project, '--environment', packages, '--output', index], {
    cwd: checkout,
    stdio: 'ignore',
  });
  const documents = [...documentsOf(readFileSync(index))].filter(({ path }) => path.endsWith('.py'));
  const named = namesOf(
    checkout,
    documents.map(({ path }) => path),
  );
  const account: OracleAccount = { symbols: [], names: {}, families: [] };
  const texts = new Map(
    documents.map(({ path }) => [path, readFileSync(join(checkout, path), 'utf8').split('\n')] as const),
  );
  const ids = addSymbols(documents, texts, account);
  const byLocation = new Map(
    account.symbols.flatMap(({ places }, id) => places.map((location) => [location.join(':'), id] as const)),
  );
  for (const document of documents) {
    const names = named[document.path];
    if (names === undefined) continue;
    account.names[document.path] = rowsOf(document, names, { ids, byLocation, lines: texts.get(document.path) ?? [] });
  }
  writeFileSync(output, JSON.stringify(account));
  console.log(`scip-python: ${documents.length} files`);
}

function namesOf(checkout: string, paths: readonly string[]): Record<string, PythonName[]> {
  const program = join(import.meta.dirname, 'python-names.py');
  const json = execFileSync('python3', [program], { cwd: checkout, input: paths.join('\n'), maxBuffer: 1e9 });
  // What the program beside this file prints.
  return JSON.parse(json.toString()) as Record<string, PythonName[]>;
}

/** Returns the part of a symbol's name that is the same everywhere: module, and path inside it. */
function keyOf(symbol: string): string {
  return symbol.replace(/^.*?`(?:src\.)?/, '`');
}

/** The kind of what a descriptor ends with, undefined for modules, parameters and what is inside functions. */
function kindOf(descriptors: string): string | undefined {
  if (/\(\)\./.test(descriptors.slice(0, -3)) || /\([^)]+\)$|:$/.test(descriptors)) return undefined;
  if (descriptors.endsWith('().')) return descriptors.includes('#') ? 'method' : 'function';
  if (descriptors.endsWith('#')) return 'class';
  if (descriptors.endsWith('.')) return descriptors.includes('#') ? 'property' : 'variable';
  return undefined;
}

function ownName(symbol: string): string {
  return /([^#./`()[\]:]+)(?:\(\)\.|[#.:])$/.exec(symbol.replace(/\(\+\d+\)/, '()'))?.[1] ?? '';
}

function textAt({ line, column, endColumn }: ScipOccurrence, lines: readonly string[]): string {
  return (lines[line] ?? '').slice(column, endColumn);
}

function addSymbols(
  documents: readonly ScipDocument[],
  texts: ReadonlyMap<string, string[]>,
  account: OracleAccount,
): Map<string, number> {
  const ids = new Map<string, number>();
  for (const { path, occurrences } of documents)
    for (const occurrence of occurrences) {
      if ((occurrence.roles & ROLES.definition) === 0) continue;
      const name = ownName(occurrence.symbol);
      const kind = kindOf(/`[^`]*`\/(.*)$/.exec(occurrence.symbol)?.[1] ?? '');
      if (kind === undefined || name === '' || textAt(occurrence, texts.get(path) ?? []) !== name) continue;
      const id = ids.get(keyOf(occurrence.symbol)) ?? account.symbols.length;
      if (id === account.symbols.length) account.symbols.push({ kind, name, places: [], isTest: TEST.test(path) });
      ids.set(keyOf(occurrence.symbol), id);
      account.symbols[id]?.places.push([path, occurrence.line + 1, occurrence.column]);
    }
  return ids;
}

interface Lookup {
  ids: ReadonlyMap<string, number>;
  byLocation: ReadonlyMap<string, number>;
  lines: readonly string[];
}

function rowsOf({ path, occurrences }: ScipDocument, names: readonly PythonName[], lookup: Lookup): OracleName[] {
  const locals = new Set(
    occurrences
      .filter(({ symbol, roles }) => symbol.startsWith('local ') && (roles & ROLES.definition) !== 0)
      .map(({ symbol }) => symbol),
  );
  const at = Map.groupBy(occurrences, ({ line, column }) => `${line + 1}:${column}`);
  return names.map(([line, column, ownFlags, ...around]): OracleName => {
    const here = at.get(`${line}:${column}`) ?? [];
    const isDeclared = here.some(({ roles }) => (roles & ROLES.definition) !== 0);
    const flags = ownFlags | (isDeclared ? NAME_FLAG.declaration : 0);
    let caller = -1;
    for (let next = 0; next < around.length; next += 2)
      caller = lookup.byLocation.get(`${path}:${around[next] ?? 0}:${around[next + 1] ?? 0}`) ?? caller;
    return [
      line,
      column,
      flags,
      caller,
      ...new Set(here.flatMap((occurrence) => targetsOf(occurrence, locals, lookup))),
    ];
  });
}

function targetsOf(occurrence: ScipOccurrence, locals: ReadonlySet<string>, { ids, lines }: Lookup): number[] {
  if (occurrence.symbol.startsWith('local ')) return locals.has(occurrence.symbol) ? [OUTSIDE] : [];
  if (ownName(occurrence.symbol) !== textAt(occurrence, lines)) return [];
  const id = ids.get(keyOf(occurrence.symbol));
  if (id !== undefined) return [id];
  return occurrence.symbol.startsWith(`scip-python python ${PROJECT} `) ? [] : [OUTSIDE];
}
