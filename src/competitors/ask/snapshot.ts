import { minuteOf } from '../../kernel/time.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { selectCapture } from '../store/store-changes.ts';
import { type CompetitorCall, type CallResult, pagesOf } from './competitor-call.ts';

/** Returns the text of a page as it was last read, one row a block. @throws ServiceError `bad_argument`, `unknown_id`. */
export async function showSnapshot(call: CompetitorCall, offset: number): Promise<CallResult> {
  const { competitors, context, args } = call;
  const pages = await pagesOf(call);
  const [page] = pages;
  if (page === undefined || pages.length > 1) {
    throw new ServiceError('bad_argument', `snapshot shows one page, and this call matches ${pages.length}.`, {
      fix: `competitor-tool snapshot url="${pages[0]?.url ?? '<one of competitor-tool list>'}"`,
    });
  }
  const capture =
    page.captureId === null ? undefined : await selectCapture(competitors.db, context.caller, page.captureId);
  if (capture === undefined) {
    return { rows: [], total: 0, notes: [`the page was not read yet: competitor-tool check url="${page.url}"`] };
  }
  const { title, text, httpStatus, fetchedAt, seenAt, hash } = capture;
  const words = args.query?.toLowerCase().split(/\s+/) ?? [];
  const lines = text.split('\n').filter((line) => words.every((word) => line.toLowerCase().includes(word)));
  return {
    rows: lines.slice(offset, offset + args.limit).map((line, at) => ({
      group: page.url,
      id: `${offset + at + 1}`,
      line: ` ${offset + at + 1} ${line}`,
      json: { line: offset + at + 1, text: line },
    })),
    total: lines.length,
    coverage: `"${title}", read ${minuteOf(fetchedAt)}, seen so until ${minuteOf(seenAt)}, HTTP ${httpStatus}`,
    notes: [],
    extra: {
      url: page.url,
      title,
      text: lines.slice(offset, offset + args.limit).join('\n'),
      fetched_at: fetchedAt.toISOString(),
      seen_at: seenAt.toISOString(),
      http_status: httpStatus,
      hash,
    },
  };
}
