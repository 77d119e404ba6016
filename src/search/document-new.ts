import { bodyOfRow } from '../platform/row-body.ts';
import { SubjectRow } from './document-output.ts';
import { counted } from '../kernel/counted.ts';
import type { Row } from '../kernel/answer.ts';
import { decodeCursor, encodeCursor } from '../kernel/page.ts';
import { DAY_MS, dayOf } from '../kernel/time.ts';
import { findNewSubjects, type NewSubject } from '../signals/emergence/emergence.ts';
import type { DocumentCall, DocumentFindings } from './document-call.ts';
import { periodOf } from './document-selection.ts';

const RECENT_DAYS = 14;
const QUOTE_CHARACTERS = 240;

/** `new`: subjects that appeared in the last fourteen days, or since `since`, against all that came before. */
export async function newAnswer({ parts, context, args }: DocumentCall): Promise<DocumentFindings> {
  const period = periodOf(args, context.now());
  const until = period.until ?? context.now();
  const since = period.since ?? new Date(until.getTime() - RECENT_DAYS * DAY_MS);
  const newSubjects = await findNewSubjects(parts.signals, context.caller, { since, until, signal: context.signal });
  const { subjects, recent, before, pending } = newSubjects;
  const day = dayOf(since);
  const bound = { arguments: ['new', day, dayOf(until)], generation: `${recent} ${before}` };
  const offset = decodeCursor(bound, args.cursor);
  return {
    total: subjects.length,
    coverage: `${counted(recent, 'signal')} since ${day}, compared with ${before.toLocaleString('en')} before`,
    rows: subjects.slice(offset, offset + args.limit).map(subjectRow),
    detail: 'body',
    notes: [...pendingVectors(pending, recent), ...(subjects.length === 0 ? [nothingNew(newSubjects, day)] : [])],
    next: (shown) => (offset + shown < subjects.length ? encodeCursor(bound, offset + shown) : undefined),
    extra: { period: { since: since.toISOString(), until: until.toISOString() }, recent, before },
  };
}

function pendingVectors(pending: number, recent: number): string[] {
  return pending === 0
    ? []
    : [`vectors pending for ${pending} of ${counted(recent, 'signal')}: compared by words alone`];
}

function nothingNew({ recent, before }: { recent: number; before: number }, day: string): string {
  if (recent === 0) return `no signal has a date since ${day}`;
  if (before === 0) return `no signal has a date before ${day}: there is nothing to compare with`;
  return 'no subject of the period is more frequent than chance allows';
}

function subjectRow(row: NewSubject): Row {
  const { subject, since, signals, customers, before, quote, theme } = row;
  const day = dayOf(since);
  const counts = `${counted(signals, 'signal')}, ${counted(customers, 'customer')}`;
  const text = quote.text.replaceAll(/\s+/g, ' ').slice(0, QUOTE_CHARACTERS);
  return {
    group: '',
    id: subject,
    line: `${subject} · since ${day} · ${counts} · ${before} before${theme === undefined ? '' : ` · theme ${theme}`}`,
    body: `${quote.id} ${text}`,
    json: bodyOfRow(SubjectRow, row, { quote: text, quote_id: quote.id }),
  };
}
