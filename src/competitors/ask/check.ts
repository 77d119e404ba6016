import { minuteOf } from '../../kernel/time.ts';
import { counted } from '../../kernel/counted.ts';
import { requireScope } from '../../platform/rights.ts';
import { checkPages, type CheckResult } from '../watch/check.ts';
import { type CompetitorCall, type CallResult, pagesOf } from './competitor-call.ts';

/** Sites wait for each other's turns: more would not be done in the time of a call. */
const MOST_PAGES = 10;
/** Time limit of a call; pages that are not checked by then wait for the next call, so that an answer comes in time. */
const LIMIT_MS = 40_000;

/** Fetches pages now, those first that were not checked for longest. @throws ServiceError `scope_denied`, `unknown_id`. */
export async function checkNow(call: CompetitorCall): Promise<CallResult> {
  const { competitors, context } = call;
  requireScope(context.caller, 'scrape');
  const pages = await pagesOf(call);
  const longest = pages.toSorted((a, b) => (a.checkedAt?.getTime() ?? 0) - (b.checkedAt?.getTime() ?? 0));
  const batch = longest.slice(0, MOST_PAGES);
  const late = AbortSignal.timeout(LIMIT_MS);
  let done = 0;
  const results = await checkPages(competitors, context.caller, batch, {
    signal: AbortSignal.any([context.signal, late]),
    checked: ({ page, status }) => context.progress((done += 1), batch.length, `${status} ${page.url}`),
  });
  context.signal.throwIfAborted();
  const missed = batch.length - results.length;
  return {
    rows: results.map(checkRow),
    total: results.length,
    counts: Object.fromEntries(
      [...Map.groupBy(results, ({ status }) => status)].map(([status, all]) => [status, all.length]),
    ),
    notes: [
      ...(missed > 0
        ? [`${counted(missed, 'page was', 'pages were')} not reached in time: call again for the rest`]
        : []),
      ...(pages.length > batch.length
        ? [
            `${pages.length - batch.length} more pages: at most ${MOST_PAGES} are checked in a call; the others come next`,
          ]
        : []),
      ...(pages.length === 0 ? ['no page is watched: svc competitor add <domain>'] : []),
    ],
  };
}

function checkRow({ page, status, detail, nextAllowedAt, changeId }: CheckResult) {
  const change = changeId === undefined ? '' : ` · chg:${changeId}`;
  const why = detail === '' ? '' : ` · ${detail}`;
  return {
    group: page.competitor,
    id: page.url,
    line: ` ${status} ${page.url}${why}${change} · next allowed ${minuteOf(nextAllowedAt)}`,
    json: {
      url: page.url,
      status,
      competitor: page.competitor,
      ...(detail !== '' && { detail }),
      ...(changeId !== undefined && { change: `chg:${changeId}` }),
      next_allowed_at: nextAllowedAt.toISOString(),
    },
  };
}
