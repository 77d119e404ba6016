import { minuteOf } from '../../kernel/time.ts';
import { counted } from '../../kernel/counted.ts';
import type { PageRow } from '../store/store.ts';
import { listCompetitors } from '../watch/watch-list.ts';
import { type CompetitorCall, type CallResult, pagesOf } from './competitor-call.ts';

/** Every watched page with what its last check said. */
export async function listPages(call: CompetitorCall, offset: number): Promise<CallResult> {
  const { competitors, context, args } = call;
  const pages = await pagesOf(call);
  const all = await listCompetitors(competitors, context.caller);
  const bare =
    args.url === undefined && args.competitor === undefined
      ? all.filter((competitor) => competitor.pages.length === 0)
      : [];
  const rows = pages.slice(offset, offset + args.limit).map((page) => ({
    group: page.competitor,
    id: page.url,
    line: ` ${page.url} · ${page.kind} · ${scheduleOf(page)} · ${describeStatus(page)}`,
    json: {
      competitor: page.competitor,
      url: page.url,
      kind: page.kind,
      schedule: scheduleOf(page),
      last_checked: page.checkedAt?.toISOString() ?? null,
      status: page.status,
      ...(page.detail !== '' && { detail: page.detail }),
      failures: page.failures,
      last_changed: page.changedAt?.toISOString() ?? null,
      next_check: page.dueAt.toISOString(),
      ...(page.movedTo !== null && { moved_to: page.movedTo }),
    },
  }));
  return {
    rows,
    total: pages.length,
    coverage: `${counted(all.length, 'competitor')}, ${counted(pages.length, 'page')}`,
    notes: [
      ...bare.map(({ name }) => `${name} has no watched page: svc competitor add ${name} --page <url>`),
      ...(all.length === 0 ? ['no competitor is watched yet: svc competitor add <domain>'] : []),
    ],
  };
}

/** `every 24 h` */
function scheduleOf({ everyMinutes }: PageRow): string {
  if (everyMinutes === 0) return 'at every run';
  return everyMinutes % 60 === 0 ? `every ${everyMinutes / 60} h` : `every ${everyMinutes} min`;
}

function describeStatus({ status, detail, checkedAt, failures }: PageRow): string {
  const when = checkedAt === null ? 'not checked yet' : `checked ${minuteOf(checkedAt)}`;
  const often = failures > 1 ? ` (${failures} checks in a row)` : '';
  return [`${status}${often}`, when, detail].filter((word) => word !== '').join(' · ');
}
