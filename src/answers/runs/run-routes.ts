import { z } from '@hono/zod-openapi';
import { Time } from '../../platform/body-fields.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { READ, type Right } from '../../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, ProductQuery, type SliceRoutes } from '../../platform/web.ts';
import type { Runs, RunTrace } from './runs.ts';
import type { ListedRun } from './store-run-list.ts';
import { bodyOfRow } from '../../platform/row-body.ts';

/** Whoever may begin a run with a call may end one, also that of somebody else. */
const CANCEL: Right = { scope: 'read', role: 'member' };
const STATES = ['running', 'done', 'failed', 'cancelled'] as const;
/** Of what was asked, in a list. */
const TITLE_CHARACTERS = 300;

export const RunBody = z.object({
  id: z.string().describe('Handle: run:<id>'),
  kind: z.string().describe('deep_research or bug-analysis'),
  title: z.string().describe('The question or report, of a traceback its last line, cut to 300 characters'),
  state: z.enum(STATES),
  stage: z.string().describe('What is being done; empty before the first step'),
  pct: z.int().describe('0 to 100'),
  started_at: Time,
  ended_at: Time.nullable(),
  by: z.string().describe('Name of the person or key that started it'),
  error: z.object({ code: z.string(), message: z.string(), fix: z.string() }).nullable(),
});

export const RunList = z.object({ runs: z.array(RunBody), next: z.string().nullable() });

export const RunDetail = RunBody.extend({
  input: z.record(z.string(), z.unknown()).describe('Its arguments'),
  steps: z
    .array(
      z.object({
        name: z.string(),
        ended_at: Time.nullable().describe('Null: not done'),
        calls: z.array(z.string()).describe('Operations that it called'),
      }),
    )
    .describe('In the order of the workflow'),
});

const Id = z.object({ id: z.string().max(100) });

const route = describeRoutes('Runs');

const listRoute = route('get', '/runs', 'Runs of workflows, newest first', {
  query: ProductQuery.extend({
    kind: z.string().max(40).optional(),
    state: z.enum(STATES).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().optional().describe('`next` of the page before'),
  }),
  answers: { 200: json(RunList, 'Those of the last 30 days') },
});
const detailRoute = route('get', '/runs/{id}', 'One run with its steps', {
  params: Id,
  query: ProductQuery,
  answers: { 200: json(RunDetail, 'The run; its workflow gives the answer for run_id') },
});
const cancelRoute = route('post', '/runs/{id}/cancel', 'End a run that has not ended', {
  params: Id,
  query: ProductQuery,
  answers: { 200: json(RunDetail, 'The run as it is then') },
});

/** Dependencies of the routes of runs. */
interface RunRoutesParts {
  runs: Runs;
  /** Names of who called, by the `keyId` of their calls. */
  nameCallers: (accountId: string, keyIds: readonly string[]) => Promise<(keyId: string) => string>;
}

/** Runs of workflows, for people: what was asked, how far it is, and who asked. */
export function runRoutes({ runs, nameCallers }: RunRoutesParts): SliceRoutes {
  const routes = newRoutes();
  const detailOf = async (tenant: { accountId: string; productId: string }, id: string) => {
    const trace = await runs.trace(tenant, id);
    const nameOf = await nameCallers(tenant.accountId, [trace.keyId]);
    return { ...runBody(trace, nameOf), input: trace.input, steps: stepsOf(trace) };
  };
  routes.openapi(listRoute, async (c) => {
    const tenant = authorize(c, READ);
    const { kind, state, limit, cursor: before } = c.req.valid('query');
    if (before !== undefined && !isUuid(before)) {
      throw new ServiceError('bad_argument', 'cursor is not a value that this service issued.', {
        fix: 'Begin with the first page.',
      });
    }
    const rows = await runs.list(tenant, { kind, state, before, limit: limit + 1 });
    const page = rows.slice(0, limit);
    const nameOf = await nameCallers(
      tenant.accountId,
      page.map(({ keyId }) => keyId),
    );
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null;
    return c.json({ runs: page.map((run) => runBody(run, nameOf)), next }, 200);
  });
  routes.openapi(detailRoute, async (c) => c.json(await detailOf(authorize(c, READ), c.req.valid('param').id), 200));
  routes.openapi(cancelRoute, async (c) => {
    const tenant = authorize(c, CANCEL);
    const { id } = await runs.trace(tenant, c.req.valid('param').id);
    await runs.cancel(tenant, id);
    return c.json(await detailOf(tenant, id), 200);
  });
  return { routes, v1: '/', app: '/' };
}

function runBody(run: ListedRun, nameOf: (keyId: string) => string): z.output<typeof RunBody> {
  const request = run.input['question'] ?? run.input['report'];
  return bodyOfRow(RunBody, run, {
    id: `run:${run.id}`,
    title: typeof request === 'string' ? titleOf(request) : '',
    by: nameOf(run.keyId),
  });
}

/** Returns the finished steps in the order in which they ended, then those that would be next. */
function stepsOf({ planned, steps, state }: RunTrace): z.output<typeof RunDetail>['steps'] {
  const done = steps.map(({ name, endedAt, calls }) => ({ name, ended_at: endedAt.toISOString(), calls }));
  if (state === 'done') return done;
  const names = new Set(steps.map(({ name }) => name));
  const open = planned.filter((name) => !names.has(name));
  return [...done, ...open.map((name) => ({ name, ended_at: null, calls: [] }))];
}

/** A traceback of Python says what happened in its last line. */
function titleOf(request: string): string {
  const text = request.trim();
  const summary = text.startsWith('Traceback (most recent call last):') ? (text.split('\n').at(-1) ?? text) : text;
  return summary.trim().slice(0, TITLE_CHARACTERS);
}
