import { z } from '@hono/zod-openapi';
import type { Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, type Routes } from '../platform/web.ts';
import { changeSignals, removeSignals, restoreSignals } from './change-signals.ts';
import { ChangedBody, INTENTS } from './signal-bodies.ts';
import type { Signals } from './signals.ts';
import { PLACED_BY } from './store.ts';

const route = describeRoutes('Signals');
/** Signals of one request. */
const MOST = 1_000;

const change = z.object({
  id: z.string(),
  theme: z.uuid().nullable().optional().describe('Null: none'),
  label: z.string().trim().min(1).max(120).optional().describe('Instead of theme: its name; made if there is none'),
  placed_by: z.enum(PLACED_BY).optional().describe('Default: person, for good'),
  intent: z.enum(INTENTS).optional(),
  intent_by: z.enum(['words', 'person']).optional().describe('Default: person, for good'),
});

const descriptions = {
  change: route('patch', '/signals', 'Change the theme or intent of up to 1,000 signals, all of them or none', {
    body: body(z.object({ changes: z.array(change).min(1).max(MOST) })),
    answers: {
      200: json(z.object({ before: z.array(ChangedBody) }), 'How they were: sent as `changes`, it undoes them'),
    },
  }),
  remove: route('post', '/signal-deletions', 'Delete up to 1,000 signals', {
    body: body(z.object({ ids: z.array(z.string()).min(1).max(MOST) })),
    answers: {
      200: json(
        z.object({
          deletion: z
            .string()
            .nullable()
            .describe('By which it can be undone for an hour; null when nothing was there'),
          deleted: z.int(),
        }),
        'What was deleted',
      ),
    },
  }),
  restore: route('delete', '/signal-deletions/{id}', 'Undo a deletion of signals', {
    params: z.object({ id: z.string() }),
    answers: { 200: json(z.object({ restored: z.int() }), 'How many there are again') },
  }),
};

/** No key takes away what customers said, or decides about their themes. */
export const MANAGE: Right = { scope: 'owner', role: 'member' };

/** Changes of many signals at once, each of which can be undone. */
export function addChangeRoutes(routes: Routes, signals: Signals): void {
  routes.openapi(descriptions.change, async (c) => {
    const request = authorize(c, MANAGE);
    return c.json({ before: await changeSignals(signals, request, c.req.valid('json').changes) }, 200);
  });
  routes.openapi(descriptions.remove, async (c) => {
    const { deletion, deleted } = await removeSignals(signals, authorize(c, MANAGE), c.req.valid('json').ids);
    return c.json({ deletion: deletion ?? null, deleted }, 200);
  });
  routes.openapi(descriptions.restore, async (c) => {
    return c.json({ restored: await restoreSignals(signals, authorize(c, MANAGE), c.req.valid('param').id) }, 200);
  });
}
