import { filePlace } from './gather/code.ts';
import { readHistory } from './gather/around.ts';
import { findCoupling, findHotspots } from './gather/structure.ts';
import type { Inquiry } from './inquiry.ts';
import type { Paragraph } from './prose/prose.ts';
import { coupledSentence, hotspotSentence } from './prose/structure.ts';
import { asksForChanges, asksForUnlinked } from './question/topics.ts';

/** With fewer changes of every file the last year says nothing of what changes often. */
const FEWEST_CHANGES = 3;
/** A span that no history exceeds. */
const EVER = '100y';

/** The files that change often and are complex, with who changed them; only by their changes where a question asks for that. */
export async function tellHotspots(inquiry: Inquiry): Promise<Paragraph[]> {
  const { tools, question, cite, most, gaps } = inquiry;
  const path = inquiry.named[0]?.path;
  const lately = await findHotspots(tools, { path, limit: MOST_ROWS });
  const isQuiet = lately.rows.every(({ revisions }) => revisions < FEWEST_CHANGES);
  const { repo, rows: all } = isQuiet ? await findHotspots(tools, { path, since: EVER, limit: MOST_ROWS }) : lately;
  const ranked = asksForChanges(question.words) ? all.toSorted((a, b) => b.revisions - a.revisions) : all;
  const rows = ranked.slice(0, most);
  if (isQuiet && rows.length > 0)
    gaps.push('nothing changed often in the last twelve months: the changes of the whole history are counted');
  const sentences = await Promise.all(
    rows.map(async (row) => hotspotSentence(cite, row, await readHistory(tools, filePlace(repo, row.path, 1, '')))),
  );
  const told = sentences.filter(({ sources }) => sources.length > 0);
  return [{ sentences: told, isList: told.length > 1 }];
}

/** Rows that are looked through where not the first ones are told. */
const MOST_ROWS = 100;

/** The files that change together, or none of them. */
export async function tellCoupling({
  tools,
  question,
  cite,
  most,
  absent,
  named: [place],
}: Inquiry): Promise<Paragraph[]> {
  const isUnlinked = asksForUnlinked(question.words);
  const found = await findCoupling(tools, place?.path, isUnlinked ? MOST_ROWS : most);
  const { repo } = found;
  const rows = found.rows.filter(({ shared, linked }) => shared > 0 && !(isUnlinked && linked)).slice(0, most);
  if (rows.length === 0)
    absent.push(
      `No file ${isUnlinked ? 'that refers to none of the others ' : ''}changed together with ${place === undefined ? 'another one' : place.path} often enough in the last twelve months of the history.`,
    );
  const sentences = await Promise.all(
    rows.map(async (row) => coupledSentence(cite, row, await readHistory(tools, filePlace(repo, row.a, 1, '')))),
  );
  return [{ sentences: sentences.filter(({ sources }) => sources.length > 0), isList: true }];
}
