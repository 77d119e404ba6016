import { shorten } from './shown-values.ts';
import { charactersIn, tokensOf } from './budget.ts';
import { describeIndex, indexJson, type IndexState, unindexedNotes } from './freshness.ts';
import { quoteVisible, visible } from './visible.ts';

/** Repository, ref and index that an answer was read from. */
export interface Provenance {
  repo: string;
  /** Branch, tag or commit the repository follows. */
  ref: string;
  /** Set if the call asked for this ref. */
  isRequested?: true;
  commit: string;
  index: IndexState;
}

/** Amount shown of each row. Below `ids` only counts per folder remain. */
export type Detail = 'ids' | 'lines' | 'body';

/**
 * One row in every form an answer may need. Rows of one group come together in the text under its name. Texts are as they
 * are: the answer makes visible what is hidden in them, and quotes the body.
 */
export interface Row {
  group: string;
  /** A line above the name of the group. */
  heading?: string;
  /** The shortest form that still names it. */
  id: string;
  line: string;
  /** Lines below `line`, only with `detail=body`. */
  body?: string;
  /** True if the line above shows all of it: no line of its own in the text. */
  isShownAbove?: boolean;
  json: Record<string, unknown>;
}

/** An answer before it is cut to its budget. */
export interface Draft {
  operation: string;
  action: string;
  /** Subject of the call, as short as the caller wrote it. */
  subject: string;
  sources: readonly Provenance[];
  /** Scope of the search: the second line of the header. */
  coverage?: string;
  /** Exact, whatever is shown, unless `isCut`. */
  total: number;
  /** True if the search ended at a limit, so that there may be more than `total`. A note says which and what to do. */
  isCut?: boolean;
  /** Exact totals by kind in the order to be shown, for example `{ call: 2, import: 1 }`. */
  counts?: Record<string, number>;
  rows: readonly Row[];
  detail: Detail;
  maxTokens: number;
  /** Sentences below the rows: why there are none, what was omitted, what to try. */
  notes: readonly string[];
  /** Arguments of the call as given, to spell out the call that gets what was cut. */
  arguments: Record<string, unknown>;
  /** The cursor that continues after the first `shown` rows of this page; undefined when they are the last. */
  next: (shown: number) => string | undefined;
}

const MAX_SOURCES_NAMED = 3;
const MAX_TOKENS = 20_000;
/** Characters that remain of a text that does not fit, whatever the budget. */
const SHORTEST = 20;

/** The answer as a model reads it: a header line, rows under their group, notes. Never more tokens than `maxTokens`. */
export function answerText(given: Draft): string {
  const draft = shownSafely(withUnindexed(given));
  const whole = compose(draft, draft.detail, draft.rows.length);
  if (tokensOf(whole) <= draft.maxTokens) return whole;
  const wholeTokens = tokensOf(whole);
  if (draft.detail === 'body') {
    const some = withSomeBodies(draft, wholeTokens);
    if (some !== undefined) return some;
  }
  for (const detail of draft.detail === 'body' ? (['lines', 'ids'] as const) : (['ids'] as const)) {
    const cut = compose(draft, detail, draft.rows.length, cutNote(draft, `shown as ${detail}`, wholeTokens));
    if (tokensOf(cut) <= draft.maxTokens) return cut;
  }
  return composeSome(draft, wholeTokens);
}

/**
 * The answer as a program reads it: the contract's object, with as many rows as fit into `maxTokens`. Where not even the
 * first does, its long texts are cut, so that who follows the cursors comes to the end. `truncated` says what the budget cut.
 */
export function answerJson(given: Draft): Record<string, unknown> {
  const draft = withUnindexed(given);
  const bodies = draft.detail === 'body';
  const fitting = fit(draft, (row) => row.json);
  if (fitting < draft.rows.length && bodies) {
    const bare = fit(draft, (row) => withoutBody(row.json));
    if (bare > fitting) return { ...envelope(draft, bare, (row) => withoutBody(row.json)), truncated: 'bodies' };
  }
  if (fitting === 0 && draft.rows.length > 0) return composeOneRow(draft);
  const whole = envelope(draft, fitting, (row) => row.json);
  return fitting < draft.rows.length ? { ...whole, truncated: 'rows' } : whole;
}

/** An answer without results names what is not indexed yet: it may be there. */
function withUnindexed(draft: Draft): Draft {
  return draft.total > 0 ? draft : { ...draft, notes: [...draft.notes, ...unindexedNotes(draft.sources)] };
}

/** A call in words that can be sent as they are: `code-tool usages query="sendMail" limit=50`. */
export function describeCall(operation: string, args: Record<string, unknown>): string {
  const { action, ...rest } = args;
  const words = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return visible([operation, ...(typeof action === 'string' ? [action] : []), ...words].join(' '));
}

/**
 * The one place where text of others becomes text of an answer: names, subjects and notes stay on their line, and bodies
 * are quoted, so that nothing in them can be taken for a header, a group or a row.
 */
function shownSafely(draft: Draft): Draft {
  return {
    ...draft,
    subject: visible(draft.subject),
    ...(draft.coverage !== undefined && { coverage: visible(draft.coverage) }),
    sources: draft.sources.map((source) => ({ ...source, repo: visible(source.repo), ref: visible(source.ref) })),
    rows: draft.rows.map((row) => ({
      ...row,
      group: visible(row.group),
      ...(row.heading !== undefined && { heading: visible(row.heading) }),
      id: visible(row.id),
      line: visible(row.line),
      ...(row.body !== undefined && { body: quoteVisible(row.body) }),
    })),
    notes: draft.notes.map(visible),
  };
}

function compose(draft: Draft, detail: Detail, shown: number, last?: string): string {
  const out = [header(draft, shown)];
  // The header has just named a file that the call is about.
  let group: string | undefined = draft.coverage === undefined ? draft.subject : undefined;
  let heading: string | undefined;
  for (const { row, count } of mergeSame(draft.rows.slice(0, shown), detail)) {
    const isBelowOther = row.heading !== undefined && row.heading !== heading;
    if (row.group !== group || isBelowOther) {
      ({ group } = row);
      if (isBelowOther) out.push(row.heading ?? '');
      heading = row.heading ?? heading;
      if (group !== '') out.push(group);
    }
    out.push(` ${detail === 'ids' ? row.id : row.line}${count === 1 ? '' : ` (${count} times)`}`);
    if (detail === 'body' && row.body !== undefined) out.push(row.body);
  }
  out.push(...draft.notes);
  if (last !== undefined) out.push(last);
  return out.join('\n');
}

/** The rows that have a line of their own, with how many rows in succession it is the same for: a line that uses a name twice. */
function mergeSame(rows: readonly Row[], detail: Detail): { row: Row; count: number }[] {
  const merged: { row: Row; count: number }[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    const isSame = detail !== 'ids' && row.body === undefined && row.line === last?.row.line;
    if (last !== undefined && isSame && row.group === last.row.group && row.heading === last.row.heading)
      last.count += 1;
    else if (detail === 'ids' || row.isShownAbove !== true || last === undefined) merged.push({ row, count: 1 });
  }
  return merged;
}

/** Composes the answer with as many bodies as fit, first rows first; a body that does not fit alone is cut at a line. */
function withSomeBodies(draft: Draft, wholeTokens: number): string | undefined {
  const bare = draft.rows.map((row) => ({ ...row, body: '' }));
  const lines = draft.rows.map(({ body: _, ...row }) => row);
  const note = cutNote(draft, 'bodies cut', wholeTokens);
  const base = tokensOf(compose({ ...draft, rows: lines }, 'body', lines.length, note));
  let remaining = Math.floor((draft.maxTokens - base) * 3.5) - bare.length;
  if (remaining < 80) return undefined;
  const rows = draft.rows.map((row) => {
    const { body, ...rest } = row;
    if (body === undefined || remaining < 80) return rest;
    const part = body.length < remaining ? body : body.slice(0, body.lastIndexOf('\n', remaining));
    remaining -= part.length + 1;
    return part === '' ? rest : { ...rest, body: part };
  });
  const text = compose({ ...draft, rows }, 'body', rows.length, note);
  return tokensOf(text) <= draft.maxTokens ? text : undefined;
}

/**
 * Composes the answer with as many rows as fit in their shortest form, and the folders of the other rows of the page; without
 * the folders where no row fits beside them. At least one row, shortened where it must be: the next page begins where this one
 * ends.
 */
function composeSome(draft: Draft, wholeTokens: number): string {
  const folders = cutNote(draft, 'the rest as counts per folder', wholeTokens);
  const alone = cutNote(draft, 'the rest is on the next page', wholeTokens);
  for (const isCounted of [true, false]) {
    for (let shown = draft.rows.length - 1; shown > 0; shown -= 1) {
      const folderLines = isCounted ? folderCounts(draft.rows.slice(shown)) : [];
      const bare = { ...draft, notes: folderLines };
      const text = compose(bare, 'ids', shown, isCounted ? folders : alone);
      if (tokensOf(text) <= draft.maxTokens) return text;
    }
  }
  const [first] = draft.rows;
  if (first === undefined) return [header(draft, 0), cutNote(draft, 'notes left out', wholeTokens)].join('\n');
  const last = cutNote(draft, draft.rows.length === 1 ? 'notes left out' : 'the rest is on the next page', wholeTokens);
  const head = header(draft, 1);
  const remaining = charactersIn(draft.maxTokens) - head.length - last.length - 4;
  const name = first.group === '' ? first.id : `${first.group} ${first.id}`;
  return [head, ` ${shorten(name, Math.max(remaining, SHORTEST))}`, last].join('\n');
}

/** Counts of rows per folder, one line each. */
function folderCounts(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const folder = row.group.includes('/') ? row.group.slice(0, row.group.lastIndexOf('/') + 1) : './';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name, n]) => ` ${n} ${name}`);
}

function cutNote(draft: Draft, what: string, wholeTokens: number): string {
  const args =
    wholeTokens <= MAX_TOKENS
      ? { ...draft.arguments, max_tokens: Math.ceil(wholeTokens / 100) * 100 }
      : {
          ...draft.arguments,
          limit: Math.max(1, Math.floor((draft.rows.length * MAX_TOKENS) / wholeTokens)),
          max_tokens: MAX_TOKENS,
        };
  return `cut by max_tokens=${draft.maxTokens}: ${what} | all: ${describeCall(draft.operation, args)}`;
}

function header(draft: Draft, shown: number): string {
  const named = draft.sources.slice(0, MAX_SOURCES_NAMED).map(describeSource);
  const more = draft.sources.length - named.length;
  const counts = Object.entries(draft.counts ?? {}).filter(([, count]) => count > 0);
  const kinds = counts.length === 0 ? '' : ` (${counts.map(([kind, count]) => `${kind} ${count}`).join(', ')})`;
  const next = draft.next(shown);
  const first = [
    [draft.operation, draft.action, draft.subject].filter((part) => part !== '').join(' '),
    ...(named.length === 0 ? [] : [more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')]),
    `${shown} of ${draft.isCut === true ? 'at least ' : ''}${draft.total}${kinds}`,
    ...(next === undefined ? [] : [`next=${next}`]),
  ].join(' · ');
  return draft.coverage === undefined ? first : `${first}\n${draft.coverage}`;
}

function describeSource(source: Provenance): string {
  const ref = source.isRequested === true ? `ref ${source.ref}` : source.ref;
  const { hasUncommitted, uncommitted } = source.index;
  const commit = `${source.commit.slice(0, 7)}${hasUncommitted === true ? `+${uncommitted}` : ''}`;
  return `${source.repo}@${commit} ${ref} ${describeIndex(source.index)}`;
}

/** Returns the number of rows of the page that fit into the budget together with the envelope. */
function fit(draft: Draft, form: (row: Row) => Record<string, unknown>): number {
  const empty = JSON.stringify({ ...envelope(draft, 0, form), truncated: 'bodies' }).length;
  let remaining = Math.floor(draft.maxTokens * 3.5) - empty;
  let count = 0;
  for (const row of draft.rows) {
    remaining -= JSON.stringify(form(row)).length + 1;
    if (remaining < 0) return count;
    count += 1;
  }
  return count;
}

function envelope(
  draft: Draft,
  shown: number,
  form: (row: Row) => Record<string, unknown>,
  notes: readonly string[] = draft.notes,
): Record<string, unknown> {
  const [first] = draft.sources;
  const isSingle = draft.sources.length === 1 && first !== undefined;
  const next = draft.next(shown);
  return {
    op: draft.operation,
    action: draft.action,
    ...(isSingle ? { repo: first.repo, ref: first.ref, commit: first.commit } : { repo: '*' }),
    index: isSingle
      ? indexJson(first.index)
      : draft.sources.map((source) => ({ repo: source.repo, commit: source.commit, ...indexJson(source.index) })),
    total: draft.total,
    ...(draft.isCut === true && { at_least: true }),
    ...(draft.counts === undefined ? {} : { counts: draft.counts }),
    shown,
    ...(next === undefined ? {} : { next }),
    rows: draft.rows.slice(0, shown).map(form),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** The page with its first row alone, its texts as long as the budget allows; without the notes where they do not fit. */
function composeOneRow(draft: Draft): Record<string, unknown> {
  const [{ json } = { json: {} }] = draft.rows;
  const row = draft.detail === 'body' ? withoutBody(json) : json;
  const tried = [draft.notes, []].flatMap((notes) =>
    [400, 200, 100, 50, SHORTEST].map((most) => ({
      ...envelope(draft, 1, () => textsCut(row, most), notes),
      truncated: 'texts',
    })),
  );
  return tried.find((shorter) => tokensOf(JSON.stringify(shorter)) <= draft.maxTokens) ?? tried.at(-1) ?? {};
}

/** An object with its texts cut to a length, and its lists to as many entries as are short. */
function textsCut(given: object, most: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, cutValue(value, most)]));
}

function cutValue(value: unknown, most: number): unknown {
  if (typeof value === 'string') return shorten(value, most);
  if (Array.isArray(value)) return value.slice(0, Math.ceil(most / 50)).map((item) => cutValue(item, most));
  return typeof value === 'object' && value !== null ? textsCut(value, most) : value;
}

function withoutBody({ body: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}
