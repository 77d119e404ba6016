import { z } from '@hono/zod-openapi';
import type { Right } from '../../platform/rights.ts';
import { authorize, body, describeRoutes, json, newRoutes, type SliceRoutes } from '../../platform/web.ts';
import { IMPORT_FIELDS } from './known-exports.ts';
import type { SignalFiles } from './signal-files.ts';
import { NewSignalBody } from '../signal-bodies.ts';

const route = describeRoutes('Signals');

const Mapping = z.partialRecord(z.enum(IMPORT_FIELDS), z.string());
const FileLine = z.object({ file: z.string().optional().describe('Of several files'), line: z.int() });
const Notes = z.array(FileLine.extend({ reason: z.string() }));

/** POST signals/read-file. */
export const SignalFile = z.object({
  name: z
    .string()
    .max(400)
    .describe('CSV, TSV, XLSX, JSON, JSON Lines, EML, mbox, a Slack export or a ZIP of one; the content says which'),
  base64: z.base64().describe('The bytes of the file'),
  encoding: z
    .string()
    .max(40)
    .optional()
    .describe('The encoding of a text file, if it is read wrong: utf-8, windows-1252, shift_jis and so on'),
  mapping: Mapping.optional().describe('The column of a field, if its name does not show it'),
});

export const ReadSignals = z.object({
  columns: z.array(z.string()),
  format: z.string(),
  encoding: z.string().nullable().describe('Null for a workbook, mails and archives'),
  encoding_guessed: z.boolean().describe('Nothing in the file says its encoding: name it if the text is wrong'),
  known: z.string().nullable().describe('The tool whose export it is, when its columns show it'),
  dates: z
    .object({ order: z.string(), is_guess: z.boolean().describe('Nothing in the column proves the order') })
    .nullable()
    .describe('How the dates are read'),
  rating_of: z.int().nullable().describe('What ratings are out of: 5, 10 or 100'),
  mapping: Mapping,
  signals: z.array(NewSignalBody).describe('In the form that POST signals accepts'),
  lines: z.array(FileLine).describe('The line of each signal'),
  skipped: Notes.describe('Lines that are left out'),
  notes: Notes.describe('Lines that are saved in part'),
});

const readRoute = route('post', '/signals/read-file', 'Preview of a file of signals; nothing is imported', {
  body: body(SignalFile),
  answers: { 200: json(ReadSignals, 'The signals, to send in batches') },
});

const WRITE: Right = { scope: 'decisions:write', role: 'member' };

/** Reads files for the page that imports signals, by the same rules as `svc signal import`. */
export function signalFileRoutes(files: Pick<SignalFiles, 'read'>): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(readRoute, async (c) => {
    authorize(c, WRITE);
    const { name, base64, mapping = {}, encoding } = c.req.valid('json');
    const task = { name, bytes: Buffer.from(base64, 'base64'), encoding, mapping };
    return c.json(await files.read(task, c.req.raw.signal), 200);
  });
  return { routes, app: '/' };
}
