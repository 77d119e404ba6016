import { CODE_ROWS } from '../outputs/outputs.ts';
import { folderOf } from '../../kernel/paths.ts';
import { roundTo, shorten } from '../../kernel/shown-values.ts';
import { termsOf } from '../../text/terms.ts';
import { cutPage, mergeLists, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { mapAnswer } from './map.ts';
import {
  emptyNotes,
  headOf,
  linesOf,
  requireQuery,
  rowMaker,
  symbolHandle,
  symbolKinds,
  symbolRow,
  tidyHead,
} from './rows.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { Selection } from '../catalog/catalog.ts';
import type { ActionCall } from './code-tool-input.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { OutlineRow, SearchRow, SymbolRow } from '../../code-index/format/rows.ts';
import { wordsOf } from '../../text/words.ts';

/** Body lines that a ranked hit shows at most; the rest is one `definition` call away. */
const MOST_BODY_LINES = 60;

/** Characters of a signature or of documentation that a ranked hit shows at most. */
const MOST_ABOUT = 120;
/** Characters of a signature in an outline, which is about all of the file. */
const MOST_HEAD = 100;

/** `search_symbols`: symbols by name or wildcard, the best fit first. */
export async function searchSymbolsAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests } = call.args;
  const query = requireQuery(call.args, 'sendMail');
  const kinds = symbolKinds(call.args);
  const { may } = await call.select({ names: query });
  const answers = await call.sources.askAll(['searchSymbols', { query, kinds, path, tests, ...pageOf(call) }], may);
  const rows = answers.flatMap(({ repository, result }) => result.rows.map((row) => ({ repository, row })));
  const total = sum(answers.map(({ result }) => result.total));
  const likeness = answers.every(({ result }) => result.tier === undefined || result.tier === 'fuzzy');
  return {
    total,
    rows: await Promise.all(cutPage(call, rows).map(({ repository, row }) => withBody(call, repository, row))),
    notes:
      total === 0 ? await emptyNotes(call, query) : likeness ? [`no name contains "${query}"; these are similar`] : [],
  };
}

/** `outline`: the symbols of a file or glob in their order, the map of a folder; with `kind` its symbols. */
export async function outlineAnswer(call: ActionCall): Promise<Findings> {
  const { tests } = call.args;
  const path = call.args.path ?? call.args.query ?? '';
  const kinds = symbolKinds(call.args);
  if (kinds === undefined && (await isFolder(call, path))) return mapAnswer(call);
  const answers = await call.sources.askAll(['outline', { path, kinds, tests, ...pageOf(call) }]);
  const rows = answers.flatMap(({ repository, result }) =>
    result.rows.map((row, at) => outlineRow(call, repository, { outlined: row, owner: ownerOf(result.rows, at) })),
  );
  const total = sum(answers.map(({ result }) => result.total));
  const scoped = { ...call, args: { ...call.args, path: path === '' ? undefined : path } };
  return { total, rows: cutPage(call, rows), notes: total === 0 ? await emptyNotes(scoped) : [] };
}

/** True if a path is a folder, or the whole repository: it names files, and none by its own name. */
async function isFolder(call: ActionCall, path: string): Promise<boolean> {
  const folder = path.replace(/\/+$/, '');
  if (/[*?[{]/.test(folder)) return false;
  const files = await call.sources.askAll(['countFiles', { path: folder }]);
  const named = await call.sources.askAll(['sourceOf', { path: folder.replace(/^(?:\.?\/)+/, ''), from: 1, to: 1 }]);
  return files.some(({ result }) => result > 0) && named.every(({ result }) => result === undefined);
}

/** `grep`: lines that match a regular expression. */
export async function grepAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests } = call.args;
  const pattern = requireQuery(call.args, 'TODO|FIXME');
  const { may } = await call.select({ pattern });
  // One is asked in any case: it says whether the pattern is a regular expression.
  const chosen = may.length > 0 ? may : call.sources.repositories.slice(0, 1);
  const answers = await call.sources.askAll(['grep', { pattern, path, tests, ...pageOf(call) }], chosen);
  const rows = answers.flatMap(({ repository, result }) => {
    const make = rowMaker(call, repository);
    return result.rows.map((row): Row => ({
      group: make.group(row.path),
      id: `${row.line}`,
      line: `${row.line} ${row.text.trim()}`,
      json: make.json(CODE_ROWS.line, row, {}),
    }));
  });
  const total = sum(answers.map(({ result }) => result.total));
  const files = sum(answers.map(({ result }) => result.files));
  const literal = answers.some(({ result }) => result.literal);
  return {
    total,
    ...(total === 0 ? {} : { counts: { files } }),
    rows: cutPage(call, rows),
    notes: [
      ...(total === 0 ? await emptyNotes(call) : []),
      ...(literal ? ['the query is not a valid regular expression and was searched as plain text'] : []),
    ],
  };
}

/** `semantic_search`: symbols and files that answer a question in words, best first. */
export async function semanticSearchAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests } = call.args;
  const query = requireQuery(call.args, 'where are mails sent');
  const kinds = symbolKinds(call.args);
  const { embedding, failure } = await call.embed(query);
  const terms = [...new Set(termsOf(query))];
  const selection = await call.select({ words: query, isEmbedded: embedding !== undefined, counted: terms });
  const counts = await termCounts(call, terms, selection);
  // Repositories have words in common that are rare in one of them.
  const statistics =
    call.sources.repositories.length > 1 ? { documents: counts.searched, having: counts.terms } : undefined;
  const search = { query, kinds, path, tests, embedding, statistics, ...pageOf(call) };
  const answers = await call.sources.askAll(['semanticSearch', search], selection.may);
  const best = Math.max(...answers.map(({ result }) => result.best));
  const ranked = mergeLists(
    answers.map(({ repository, result }) =>
      result.rows.map((row) => ({ repository, row: { ...row, score: roundTo(3, (row.score * result.best) / best) } })),
    ),
    (a, b) => b.row.score - a.row.score,
    call.offset + call.args.limit,
  );
  const total = sum(answers.map(({ result }) => result.total));
  const isCut = answers.some(({ result }) => result.isCut);
  return {
    total,
    isCut,
    extra: counts,
    rows: await Promise.all(cutPage(call, ranked).map(({ repository, row }) => rankedRow(call, repository, row))),
    notes: [
      ...(total === 0
        ? [...(await emptyNotes(call, query)), 'words match in any grammatical form, but not by synonym']
        : []),
      ...(isCut && call.offset + call.args.limit >= total
        ? ['weaker hits are not ranked: narrow by path or kind, or use other words']
        : []),
      ...(failure === undefined ? [] : [`${failure} Ranked with the built-in encoder.`]),
      ...(embedding === undefined ? [] : unembeddedNotes(answers)),
    ],
  };
}

/** Counts the symbols and files that are searched, and those of them with each term of the question: rare ones say most. */
async function termCounts(
  call: ActionCall,
  terms: readonly string[],
  selection: Selection,
): Promise<{ searched: number; terms: Record<string, number> }> {
  const others = await call.sources.askAll(['hitTexts', { terms, places: [] }], selection.apart);
  const counts = [selection, ...others.map(({ result }) => result)];
  return {
    searched: sum(counts.map(({ documents }) => documents)),
    terms: Object.fromEntries(terms.map((term, at) => [term, sum(counts.map(({ having }) => having[at] ?? 0))])),
  };
}

/** Names the repositories whose code has no vectors of the embedding service yet. */
function unembeddedNotes(
  answers: readonly { repository: IndexedRepository; result: { isEmbedded: boolean } }[],
): string[] {
  const names = answers.filter(({ result }) => !result.isEmbedded).map(({ repository }) => repository.provenance.repo);
  if (names.length === 0) return [];
  return [`${names.join(', ')}: not embedded with the configured model yet. Ranked with the built-in encoder.`];
}

async function withBody(call: ActionCall, repository: IndexedRepository, symbol: SymbolRow): Promise<Row> {
  const row = symbolRow(rowMaker(call, repository), symbol);
  if (call.args.detail !== 'body') return row;
  return addBody(call, repository, { row, path: symbol.path, from: symbol.line, to: symbol.end });
}

function outlineRow(
  call: ActionCall,
  repository: IndexedRepository,
  { outlined, owner }: { outlined: OutlineRow; owner: OutlineRow | undefined },
): Row {
  const make = rowMaker(call, repository);
  const { path, line, end, kind, name, qualified, signature, depth } = outlined;
  // What stands below a type and has no parameters is one of its members.
  const isMember = (kind === 'property' || kind === 'enum_member') && depth > 0;
  const head = isMember ? signature || name : headOf({ kind, qualified: name, signature });
  // A field without a name of its own, as in `struct Meters(f64)`, or one of a parameter's type, which may be on lines of its own.
  const isBelow = isMember && (line === owner?.line || owner?.kind === 'function' || owner?.kind === 'method');
  const isShownAbove = isBelow && ` ${namesIn(owner?.signature ?? '')} `.includes(` ${namesIn(head)} `);
  // What is written outside of its type names it: a method in a block of Rust, for example.
  const type = depth === 0 ? qualified.slice(0, -name.length - 1) : '';
  const named = type === '' || head.includes(type.split('/').at(-1) ?? '') ? head : `${type}: ${head}`;
  return {
    group: make.group(path),
    id: `${line} ${qualified}`,
    line: `${'  '.repeat(depth)}${linesOf(line, end)} ${shorten(named, MOST_HEAD)}`,
    isShownAbove,
    json: make.json(CODE_ROWS.outline, outlined, { id: symbolHandle(outlined) }),
  };
}

/** The row below which another one is: the last one before it that is less deep. */
function ownerOf(rows: readonly OutlineRow[], at: number): OutlineRow | undefined {
  const depth = rows[at]?.depth ?? 0;
  let above = at - 1;
  while (above >= 0 && (rows[above]?.depth ?? 0) >= depth) above -= 1;
  return rows[above];
}

/** The names in a text with a space between them. */
function namesIn(text: string): string {
  return wordsOf(text, 'name').join(' ');
}

async function rankedRow(call: ActionCall, repository: IndexedRepository, match: SearchRow): Promise<Row> {
  const make = rowMaker(call, repository);
  const { path, start, end, symbol, kind, signature, doc } = match;
  // What it does tells more than how it is called. A signature has the last part of its name.
  const owner = folderOf(symbol);
  const isMember = kind === 'property' || kind === 'enum_member';
  const head = isMember ? tidyHead(signature) : headOf({ kind, qualified: symbol, signature });
  const isNamed = doc === '' && signature !== '';
  const about = isNamed
    ? `${owner === '' ? '' : `${owner}: `}${shorten(head, MOST_ABOUT)}`
    : `${kind} ${symbol}${doc === '' ? '' : `  // ${shorten(doc, MOST_ABOUT)}`}`;
  const row: Row = {
    group: make.group(path),
    id: `${start} ${symbol}`,
    line: `${linesOf(start, end)} ${about}`.trimEnd(),
    json: make.json(CODE_ROWS.ranked, match, {}),
  };
  if (call.args.detail !== 'body') return row;
  return addBody(call, repository, { row, path, from: start, to: Math.min(end, start + MOST_BODY_LINES - 1) });
}

/** The row with the source lines below it. */
export async function addBody(
  call: ActionCall,
  repository: IndexedRepository,
  { row, path, from, to }: { row: Row; path: string; from: number; to: number },
): Promise<Row> {
  const source = await call.sources.ask(repository, ['sourceOf', { path, from, to }]);
  if (source === undefined || source.lines.length === 0) return row;
  const body = source.lines.join('\n');
  return { ...row, body, json: { ...row.json, body } };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
