import { isTestPath } from '../../languages/languages.ts';
import { filePlace } from '../gather/code.ts';
import { readHistory } from '../gather/around.ts';
import { readMakers } from '../gather/makers.ts';
import { isInScope } from '../gather/scope.ts';
import { findCoupling, findHotspots, type HotspotRow } from '../gather/structure.ts';
import type { Inquiry } from './inquiry.ts';
import type { Paragraph } from '../prose/prose.ts';
import { coupledSentence, hotspotSentence, makersSentence } from '../prose/structure.ts';
import { asks } from '../question/kinds.ts';
import { topicsOf } from '../question/topics.ts';
import { isVendored } from '../gather/vendored.ts';
import { noteVendored } from './size.ts';

/** With fewer changes of every file the last year says nothing of what changes often. */
const FEWEST_CHANGES = 3;
/** A span that no history exceeds. */
const EVER = '100y';

/** The place that a question names, else the part of the repository that it is narrowed to. */
function pathOf({ named: [place], scope }: Inquiry): string | undefined {
  return place?.path ?? scope?.path;
}

/** The files that change often and are complex, with who changed them; only by their changes where a question asks for that. */
export async function tellHotspots(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, most, notes, absent, scope } = inquiry;
  const path = pathOf(inquiry);
  const lately = await findHotspots(tools, { path, limit: MOST_ROWS });
  const isQuiet = lately.rows.every(({ revisions }) => revisions < FEWEST_CHANGES);
  const { repo, rows: all } = isQuiet ? await findHotspots(tools, { path, since: EVER, limit: MOST_ROWS }) : lately;
  // Of a folder its tests are no hotspots, unless it is one of tests.
  const isOfTests = scope?.folders.some((folder) => isTestPath(`${folder}/`)) ?? true;
  const written = all.filter((row) => !isVendored(row.path));
  noteVendored(notes, all.length - written.length);
  const own = isOfTests ? written : written.filter((row) => !isTestPath(row.path));
  const isOwned = topicsOf(question.words).includes('owner');
  const ranked = inAskedOrder(own, question.words);
  const rows = ranked.slice(0, most);
  if (isQuiet && rows.length > 0)
    notes.push('nothing changed often in the last twelve months: the changes of the whole history are counted');
  if (rows.length === 0 && path !== undefined) absent.push(`No file of code in ${nameOf(inquiry)} was changed.`);
  const sentences = await Promise.all(
    rows.map(async (row) =>
      hotspotSentence(cite, row, await readHistory(tools, filePlace(repo, row.path, 1, '')), isOwned),
    ),
  );
  const told = sentences.filter(({ sources }) => sources.length > 0);
  return [{ sentences: told, isList: told.length > 1 }];
}

/** By their fixes or their changes where a question asks for these, else as they are. */
function inAskedOrder(rows: readonly HotspotRow[], words: string): HotspotRow[] {
  if (asks('fixes', words)) return rows.toSorted((a, b) => b.fixes - a.fixes);
  return asks('changes', words) ? rows.toSorted((a, b) => b.revisions - a.revisions) : [...rows];
}

function nameOf({ named: [place], scope }: Inquiry): string {
  return place?.path ?? scope?.name ?? 'the repository';
}

/** Rows that are looked through where not the first ones are told. */
const MOST_ROWS = 100;

/** The files that change together, or none of them. */
export async function tellCoupling(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, most, absent, notes, scope } = inquiry;
  const isUnlinked = asks('unlinked', question.words);
  const path = pathOf(inquiry);
  // Which pairs come first is told by how surely they belong together, unless a question asks how often.
  const isByCount = scope !== undefined || asks('mostOften', question.words);
  const limit = isUnlinked || isByCount ? MOST_ROWS : most;
  const lately = await findCoupling(tools, { path, limit });
  const isQuiet = lately.rows.every(({ shared }) => shared < FEWEST_CHANGES);
  const found = isQuiet ? await findCoupling(tools, { path, since: EVER, limit }) : lately;
  const span = isQuiet ? 'the whole history' : 'the last twelve months';
  const { repo } = found;
  const fitting = found.rows.filter(({ shared, linked }) => shared > 0 && !(isUnlinked && linked));
  const within = fitting.filter(({ a, b }) => isInScope(scope, a) && isInScope(scope, b));
  // Files of a part that change together are pairs of it; what changes with the part lies beside it.
  const isOfPart = scope !== undefined;
  const across = fitting.filter(({ a, b }) => isInScope(scope, a) !== isInScope(scope, b));
  const meant = asksForOthers(question.words) ? across : within;
  const asked = isOfPart && meant.length > 0 ? meant : fitting;
  const ordered = isByCount ? asked.toSorted((a, b) => b.shared - a.shared || b.degree_pct - a.degree_pct) : asked;
  const rows = ordered.slice(0, most);
  if (isOfPart && asksForOthers(question.words) && rows.length > 0 && across.length === 0)
    absent.push(`None of the files that change together most often lies outside ${nameOf(inquiry)}:`);
  if (rows.length === 0)
    absent.push(
      `No file ${isUnlinked ? 'that refers to none of the others ' : ''}changed together with ${path === undefined ? 'another one' : nameOf(inquiry)} often enough in ${isQuiet ? span : `${span} of the history`}.`,
    );
  else if (found.leftOut !== '') notes.push(`of the commits of ${span} are left out: ${found.leftOut}`);
  const sentences = await Promise.all(
    rows.map(async (row) => coupledSentence(cite, row, await readHistory(tools, filePlace(repo, row.a, 1, '')))),
  );
  return [{ sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true }];
}

/** Whether a question asks what else changes with a part: `with the themes`, `when the themes change`. */
function asksForOthers(words: string): boolean {
  return /\bchanges?d?\b[^?]*\b(?:with|when(?:ever)?|alongside)\b|\bwhen(?:ever)?\b[^?]*\bchang/i.test(words);
}

/** Who made most commits to a part of the repository, to what another topic was answered with, or to all of it, lately and ever. */
export async function tellOwner(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, cite } = inquiry;
  const path = pathOf(inquiry) ?? inquiry.answer;
  // Who made what is listed is told with it.
  if (path === undefined && topicsOf(inquiry.question.words).includes('hotspots')) return [];
  const lately = await readMakers(tools, path ?? '.');
  const ever = await readMakers(tools, path ?? '.', EVER);
  const name = inquiry.answer ?? nameOf(inquiry);
  const sentences = [
    ...makersSentence(cite, { name, makers: ever, span: 'over the whole history' }),
    ...makersSentence(cite, { name, makers: lately, span: lately?.period ?? '' }),
  ];
  return [{ sentences, isList: true }];
}
