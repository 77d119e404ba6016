import { minuteOf } from '../../kernel/time.ts';
import { counted } from '../../kernel/counted.ts';
import { type ChangeRow, selectChanges } from '../store/store-changes.ts';
import type { Link } from '../watch/context.ts';
import { linkChanges } from '../watch/link-changes.ts';
import { listCompetitors } from '../watch/watch-list.ts';
import { bodyOfRow } from '../../platform/row-body.ts';
import { ChangeOutput, type CompetitorCall, filterOf, type CallResult } from './competitor-call.ts';

/** Of each side of a change, in a line of text. */
const SHOWN_BLOCKS = 12;

/** Changes, newest first. */
export async function listChanges(call: CompetitorCall, offset: number): Promise<CallResult> {
  const { competitors, context, args } = call;
  const filter = { ...(await filterOf(call)), isDismissed: false };
  const { db } = competitors;
  const { rows, total } = await selectChanges(db, context.caller, { ...filter, limit: args.limit, offset });
  const { total: all } = await selectChanges(db, context.caller, {
    ...filter,
    leastSeverity: 'low',
    limit: 1,
    offset: 0,
  });
  const { total: dismissed } = await selectChanges(db, context.caller, {
    ...filter,
    isDismissed: true,
    limit: 1,
    offset: 0,
  });
  const linked = await linkChanges(competitors, context.caller, { changes: rows, signal: context.signal });
  const since = filter.since?.toISOString().slice(0, 10) ?? '';
  return {
    rows: rows.map((row) => changeRow(row, linked.get(row.id) ?? [])),
    total,
    coverage: `since ${since}, severity ${args.min_severity} and above`,
    notes: [
      ...(all > total ? [`left out: ${counted(all - total, 'change')} below min_severity=${args.min_severity}`] : []),
      ...(dismissed > 0 ? [`left out: ${counted(dismissed, 'change')} that somebody dismissed`] : []),
      ...(all + dismissed === 0 ? await whyNothing(call) : []),
    ],
  };
}

async function whyNothing({ competitors, context }: CompetitorCall): Promise<string[]> {
  const pages = (await listCompetitors(competitors, context.caller)).flatMap((competitor) => competitor.pages);
  if (pages.length === 0) return ['no page is watched yet: svc competitor add <domain>'];
  const looked = pages.filter(({ captureId }) => captureId !== null).length;
  return [`no change was seen; ${looked} of ${pages.length} watched pages have been read at least once`];
}

function changeRow(row: ChangeRow, links: readonly Link[]) {
  const linked = links.map(({ id: handle }) => handle);
  const { id, at, competitor, kind, severity, url, summary, statements, reasons, added, removed } = row;
  const owned = row.owner === '' ? '' : ` · owner ${row.owner}`;
  return {
    group: competitor,
    id: `chg:${id}`,
    line: ` ${minuteOf(at)} ${row.importance ?? severity} ${kind}: ${summary}${owned} · ${url} · chg:${id}${linked.length === 0 ? '' : ` · ${linked.join(', ')}`}`,
    body: [
      ...showTexts(statements.map(({ text }) => text)).map((text) => `* ${text}`),
      `why: ${reasons.join('; ')}`,
      ...showTexts(removed).map((text) => `- ${text}`),
      ...showTexts(added).map((text) => `+ ${text}`),
    ].join('\n'),
    json: bodyOfRow(ChangeOutput, row, {
      id: `chg:${id}`,
      when: at.toISOString(),
      owner: row.owner || undefined,
      importance: row.importance ?? undefined,
      linked,
    }),
  };
}

function showTexts(texts: readonly string[]): string[] {
  return texts.length <= SHOWN_BLOCKS
    ? [...texts]
    : [...texts.slice(0, SHOWN_BLOCKS), `(${texts.length - SHOWN_BLOCKS} more)`];
}
