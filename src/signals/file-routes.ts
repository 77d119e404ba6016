import { createRoute, z } from '@hono/zod-openapi';
import type { Right } from '../platform/rights.ts';
import { authorize, body, failures, json, newRoutes, type SliceRoutes } from '../platform/web.ts';
import { importRecords, SIGNAL_FIELDS } from './import-file.ts';
import { readRecords } from './records.ts';
import { NewSignalBody } from './signal-bodies.ts';

const Mapping = z.partialRecord(z.enum(SIGNAL_FIELDS as [keyof z.input<typeof NewSignalBody>]), z.string());

/** POST signals/read-file. */
export const SignalFile = z.object({
  name: z.string().max(400).describe('The extension gives the format: .csv, .json, .jsonl'),
  text: z.string(),
  mapping: Mapping.optional().describe('Which column holds a field, where the names do not show it'),
});

export const ReadSignals = z.object({
  columns: z.array(z.string()),
  mapping: Mapping,
  signals: z.array(NewSignalBody).describe('In the form that POST signals accepts'),
  skipped: z.array(z.object({ line: z.int(), reason: z.string() })).describe('Lines that were left out'),
});

/** Lines that are looked at for the names of columns. */
const COLUMN_LINES = 100;

const readRoute = createRoute({
  method: 'post',
  path: '/signals/read-file',
  tags: ['Signals'],
  summary: 'Preview of a file of signals; nothing is imported',
  request: { body: body(SignalFile) },
  responses: { 200: json(ReadSignals, 'The signals, to send in batches'), ...failures },
});

const WRITE: Right = { scope: 'decisions:write', role: 'member' };

/** Reads files for the page that imports signals, by the same rules as `svc signal import`. */
export function signalFileRoutes(): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(readRoute, (c) => {
    authorize(c, WRITE);
    const { name, text, mapping } = c.req.valid('json');
    const records = readRecords(name, text);
    const read = importRecords(records, mapping ?? {});
    const named = [...records.slice(0, COLUMN_LINES).flatMap(Object.keys), ...Object.values(read.mapping)];
    return c.json({ ...read, columns: [...new Set(named)] }, 200);
  });
  return { routes, app: '/' };
}
