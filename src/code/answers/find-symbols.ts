import { ServiceError } from '../../kernel/errors.ts';
import { definitionOf } from '../../languages/languages.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { SymbolKind, SymbolRow } from '../../code-index/format/rows.ts';
import type { ActionCall } from './code-tool-input.ts';
import type { Meaning } from './each-definition.ts';
import { emptyNotes, findNearestNames, sameIndex, symbolHandle } from './rows.ts';

/** Definitions that one query looks at, over all pages. */
const MOST_DEFINITIONS = 500;

const MOST_CANDIDATES = 5;

/** Symbols of one name that are each answered; of more the candidates are told. */
const MOST_ANSWERED = 3;

/** Candidates that are compared with each other, to tell how many different things they are. */
const MOST_COMPARED = 20;

/** Overloads that are named in the note about those that are counted together. */
const MOST_OVERLOADS = 10;

/** A definition and the repository it stands in. */
export interface SymbolMatch {
  repository: IndexedRepository;
  symbol: SymbolRow;
}

/** Symbols that a query names, the likeliest first. */
interface SymbolMatches {
  found: SymbolMatch[];
  total: number;
  /** Notes on the match: that it is by name alone, or which others there are. */
  notes: string[];
}

/**
 * Finds the symbols that a query names in all repositories of the call, narrowed by path and tests. A path that is one file is
 * where the question comes from: what the file uses or defines is meant, else what is nearest to it.
 */
export async function findSymbols(call: ActionCall, query: string): Promise<SymbolMatches> {
  const { path, tests, action } = call.args;
  const isUse = action === 'definition' || action === 'usages';
  const answers = await call.sources.fromEach(call.sources.repositories, async (repository) => {
    const seenFrom = path === undefined ? undefined : await call.sources.ask(repository, ['fileMeant', { path }]);
    const files = seenFrom === undefined ? { path, tests } : { tests };
    const search = { query, ...files, seenFrom: seenFrom ?? '', isUse, limit: MOST_DEFINITIONS };
    const result = await call.sources.ask(repository, ['findDefinitions', search]);
    return { repository, seenFrom, result };
  });
  const focused = answers.reduce((sum, { result }) => sum + result.focused, 0);
  const meant = answers.map(({ repository, result: { rows, ...result } }) => {
    const selected = focused > 0 && result.match === 'name' ? rows.slice(0, result.focused) : rows;
    return {
      repository,
      match: result.match,
      total: selected.length === rows.length ? result.total : selected.length,
      selected,
    };
  });
  const total = meant.reduce((sum, answer) => sum + answer.total, 0);
  const others = answers.reduce((sum, { result }) => sum + result.total, 0) - total;
  const [file] = answers.flatMap(({ seenFrom }) => (seenFrom === undefined ? [] : [seenFrom]));
  const notes: string[] = [];
  if (others > 0) notes.push(`${others} more of this name elsewhere; leave path out to see them`);
  if (file !== undefined && focused === 0 && total > 0 && meant.some(({ match }) => match === 'name'))
    notes.push(`${file} neither defines nor uses it: the nearest come first`);
  if (meant.some(({ match, total: count }) => match === 'word' && count > 0))
    notes.push('nothing is resolved at this place: these have the same name');
  if (meant.some(({ match, total: count }) => match === 'inherited' && count > 0))
    notes.push(`${query} is inherited: the type declares no member of this name itself`);
  const matches = meant.flatMap(({ repository, selected }) => selected.map((symbol) => ({ repository, symbol })));
  return { found: matches, total, notes };
}

/** `src/a.ts:12:5`, or a word in place of the column. */
const POSITION = /^(.+):(\d{1,9}):([\p{L}\p{N}_$]+)$/u;

/** `GET /users/{id}`, `QUERY /user/list`, `GRAPHQL /Query/me`. */
const ROUTE = /^[A-Z]+ \/\S*$/;

/** The error for a name that nothing has, with the nearest names, or for a place where nothing of the repository is named. */
export async function unknownSymbol(call: ActionCall, query: string): Promise<ServiceError> {
  const [, path, line] = POSITION.exec(query) ?? [];
  if (path !== undefined && line !== undefined) {
    return new ServiceError(
      'unknown_symbol',
      `At ${query} no symbol of the repository is named: there is a local variable, a parameter, something of a library, or no name.`,
      { fix: `code-tool definition query=${JSON.stringify(`${path}:${line}`)} detail="body"${sameIndex(call.args)}` },
    );
  }
  if (ROUTE.test(query)) {
    return new ServiceError(
      'unknown_symbol',
      `${query} is a route: its handler and those who request it are in the graph.`,
      {
        fix: `entity-analysis-tool neighbors entity=${JSON.stringify(`route:${query}`)}`,
      },
    );
  }
  const near = await findNearestNames(call, query);
  const searched = (await emptyNotes(call)).join('; ');
  const [first] = near;
  const fix =
    first === undefined
      ? `code-tool semantic_search query=${JSON.stringify(query)}${sameIndex(call.args)}`
      : `code-tool ${call.args.action} query=${JSON.stringify(first)}${sameIndex(call.args)} (nearest names: ${near.join(', ')})`;
  return new ServiceError('unknown_symbol', `No symbol is named "${query}"; ${searched}.`, { fix });
}

/** One of the symbols that a query means. */
export interface Choice extends Meaning {
  /** Ids of the symbols that count as one, by repository. */
  symbols: Map<IndexedRepository, number[]>;
  /** Path that limits where uses are searched; everywhere when absent. */
  path: string | undefined;
  notes: string[];
}

/**
 * The symbols that are meant, up to three: each the declarations of one name in one file, or one override family. `path` picks
 * among several: the file that defines one of them picks it and limits nothing; a folder or glob picks when one is inside, and
 * limits.
 *
 * @throws ServiceError `unknown_symbol`, or `ambiguous_symbol` with up to 5 candidates where more are meant.
 */
export async function chooseSymbols(call: ActionCall, query: string): Promise<Choice[]> {
  const { path } = call.args;
  const anywhere = { ...call, args: { ...call.args, path: undefined, tests: 'include' as const } };
  const find = async (at: ActionCall): Promise<SymbolMatches> => withoutOtherSorts(at, await findSymbols(at, query));
  const { found, notes: searchNotes } = await find(anywhere);
  if (found.length === 0) throw await unknownSymbol(anywhere, query);
  const files = path === undefined ? [] : await call.sources.askAll(['fileMeant', { path }]);
  const defined = found.filter((symbol) =>
    files.some(({ repository, result }) => repository === symbol.repository && result === symbol.symbol.path),
  );
  if (defined.length > 0) {
    const isChoice = handlesOf(found).size > 1;
    const shown = call.args.action === 'impact' ? 'users' : call.args.action;
    const notes = isChoice ? [] : [`path is the file that defines it, so ${shown} in all files are shown`];
    return eachSymbol(call, query, { found: defined, path: undefined, notes: [...searchNotes, ...notes] });
  }
  const inside =
    path !== undefined && handlesOf(found).size > 1
      ? (await find({ ...anywhere, args: { ...anywhere.args, path } })).found
      : [];
  return eachSymbol(call, query, { found: inside.length > 0 ? inside : found, path, notes: searchNotes });
}

/** Kinds that others are made from, by how certain their existence is. */
const MADE_FROM: readonly ReadonlySet<SymbolKind>[] = [
  new Set<SymbolKind>(['interface', 'trait']),
  new Set<SymbolKind>(['class', 'struct', 'enum', 'type']),
];

/**
 * Removes symbols of other kinds. A question for implementations of a name means the interface, not a class, a field or a
 * variable with the same name. A question about a type means no field with its name, as where a struct of Go embeds it.
 */
function withoutOtherSorts({ args }: ActionCall, { found, notes, ...rest }: SymbolMatches): SymbolMatches {
  const kinds = MADE_FROM.find((sort) => found.some(({ symbol }) => sort.has(symbol.kind)));
  const ofKind = found.filter(({ symbol }) => kinds?.has(symbol.kind));
  const isOneType =
    handlesOf(ofKind).size === 1 && found.every((one) => ofKind.includes(one) || one.symbol.kind === 'property');
  if (args.action !== 'implementations' && !isOneType) return { found, notes, ...rest };
  const others = handlesOf(found).size - handlesOf(ofKind).size;
  const [first] = ofKind;
  if (others <= 0 || first === undefined) return { found, notes, ...rest };
  const what = `${first.symbol.kind} ${symbolHandle(first.symbol)}`;
  return { ...rest, found: ofKind, notes: [...notes, `${what} is meant, not ${others} of other kinds with this name`] };
}

/** Says which overloads a name means: all of them, until one is asked for by its handle. */
function describeGroup(matches: readonly SymbolMatch[]): string[] {
  const overloads = matches.filter(
    ({ symbol }) => symbol.parameters !== '' && symbol.qualified === matches[0]?.symbol.qualified,
  );
  const [first] = overloads;
  if (first === undefined || overloads.length < 2) return [];
  const shown = overloads.slice(0, MOST_OVERLOADS).map(({ symbol }) => `${symbol.parameters} line ${symbol.line}`);
  const more = overloads.length > MOST_OVERLOADS ? ` and ${overloads.length - MOST_OVERLOADS} more` : '';
  const handle = symbolHandle(first.symbol);
  return [
    `${overloads.length} overloads of ${first.symbol.qualified} counted together: ${shown.join('; ')}${more}; for a single one: query="${handle}"`,
  ];
}

/**
 * Returns what a name means: code rather than a heading of a document, each symbol or override family by itself.
 *
 * @throws ServiceError `ambiguous_symbol` for more than three.
 */
async function eachSymbol(
  call: ActionCall,
  query: string,
  { found, path, notes }: { found: readonly SymbolMatch[]; path: string | undefined; notes: string[] },
): Promise<Choice[]> {
  const code = found.filter(({ symbol }) => symbol.kind !== 'heading');
  const { meant, candidates } = outermost(code.length > 0 ? code : found);
  const handles = handlesOf(candidates);
  const one = { path, notes: [...notes, ...describeGroup(found)] };
  if (handles.size === 1) return [{ ...one, symbols: idsByRepository(meant) }];
  const groups = await differentSymbols(call, candidates);
  if (groups === undefined) throw ambiguous(call.args, query, [...handles.values()]);
  if (groups.length === 1) return [{ ...one, symbols: idsByRepository(meant) }];
  return groups.map((group, at) => {
    const [shown] = group;
    return {
      symbols: idsByRepository(group),
      path,
      notes: [...(at === 0 ? notes : []), ...describeGroup(group)],
      ...(shown !== undefined && { shown }),
    };
  });
}

function idsByRepository(matches: readonly SymbolMatch[]): Choice['symbols'] {
  const groups = Map.groupBy(matches, ({ repository }) => repository);
  return new Map([...groups].map(([holder, members]) => [holder, members.map(({ symbol }) => symbol.id)] as const));
}

/** Candidates by what they are, those of one override family together; undefined for more than three different things. */
async function differentSymbols(
  call: ActionCall,
  candidates: readonly SymbolMatch[],
): Promise<SymbolMatch[][] | undefined> {
  const isOneFamily = async (all: readonly SymbolMatch[]): Promise<boolean> => {
    const [[repository, symbols] = [], other] = idsByRepository(all);
    if (repository === undefined || symbols === undefined || other !== undefined) return false;
    return (await call.sources.ask(repository, ['countFamilies', { symbols }])) === 1;
  };
  if (await isOneFamily(candidates)) return [[...candidates]];
  const declared = [...Map.groupBy(candidates, handleKey).values()];
  if (declared.length > MOST_COMPARED) return undefined;
  const groups: SymbolMatch[][] = [];
  for (const symbols of declared) {
    let family: SymbolMatch[] | undefined;
    for (const group of groups)
      if (await isOneFamily([...group, ...symbols])) {
        family = group;
        break;
      }
    if (family === undefined) groups.push([...symbols]);
    else family.push(...symbols);
    if (groups.length > MOST_ANSWERED) return undefined;
  }
  return groups;
}

/**
 * Removes namesakes that another match holds: the name of a class means the class, not its constructor, whose uses are its own;
 * that of a function not a local one of the same name inside it.
 */
function outermost(matches: readonly SymbolMatch[]): {
  meant: readonly SymbolMatch[];
  candidates: readonly SymbolMatch[];
} {
  const outer = matches.find((symbol) =>
    matches.every((other) => handleKey(other) === handleKey(symbol) || isInside(other, symbol)),
  );
  if (outer === undefined) return { meant: matches, candidates: matches };
  const same = matches.filter((symbol) => handleKey(symbol) === handleKey(outer));
  const constructors = matches.filter(({ symbol }) => symbol.kind === 'method' && outer.symbol.kind !== 'function');
  return { meant: [...same, ...constructors.filter((constructor) => isInside(constructor, outer))], candidates: same };
}

function isInside({ repository, symbol }: SymbolMatch, outer: SymbolMatch): boolean {
  const { path, qualified } = outer.symbol;
  return repository === outer.repository && symbol.path === path && symbol.qualified.startsWith(`${qualified}/`);
}

/** Key that overloads of one name in one file share, and the declarations of one name under several build tags. */
function handleKey({ repository, symbol: { qualified, kind, path } }: SymbolMatch): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const isOncePerBuild = definitionOf(path)?.declaresPerBuild?.(path, qualified) === true;
  return `${repository.id} ${isOncePerBuild ? `${kind} ${qualified}@${folder}` : symbolHandle({ qualified, path })}`;
}

/** One symbol a handle: declarations of the same name in the same file are one, and so are overloads. */
function handlesOf(matches: readonly SymbolMatch[]): Map<string, SymbolMatch> {
  return new Map(matches.map((symbol) => [handleKey(symbol), symbol]));
}

function ambiguous(args: ActionCall['args'], query: string, candidates: readonly SymbolMatch[]): ServiceError {
  const shown = candidates
    .slice(0, MOST_CANDIDATES)
    .map(({ symbol }) => `${symbol.kind} ${symbolHandle(symbol)} line ${symbol.line}`);
  const more = candidates.length > MOST_CANDIDATES ? ` and ${candidates.length - MOST_CANDIDATES} more` : '';
  const [first] = candidates;
  const handle = first === undefined ? query : symbolHandle(first.symbol);
  // Of candidates in several repositories the call that is suggested means one.
  const repo = args.repo === '*' ? first?.repository.provenance.repo : args.repo;
  return new ServiceError(
    'ambiguous_symbol',
    `"${query}" names ${candidates.length} symbols: ${shown.join('; ')}${more}.`,
    {
      fix: `code-tool ${args.action} query=${JSON.stringify(handle)}${sameIndex({ ...args, repo })}`,
    },
  );
}
