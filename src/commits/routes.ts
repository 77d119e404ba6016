import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ServiceError } from '../kernel/errors.ts';
import { isNotModified, tagOf, unchanged } from '../platform/conditional.ts';
import { READ, requireRight } from '../platform/rights.ts';
import { describeRoutes, newRoutes, type SliceRoutes, type WebEnv } from '../platform/web.ts';
import { ownershipJson, rationaleJson } from './files/artifact-json.ts';
import type { FileFacts } from './files/file-facts.ts';

const route = describeRoutes('Artifacts');

const FileQuery = z.object({
  path: z.string().min(1).max(4_096).describe('From the root of the repository'),
  repo: z.string().max(200).optional().describe('Id or name; default: the only repository of the product'),
});

const LinesQuery = FileQuery.extend({
  lines: z.string().optional().describe('`12` or `12-40`; by default every part of the file'),
});

const artifact = {
  200: {
    description: 'The answer that docs/history.md describes; supports `ETag` and `If-None-Match`',
    content: { 'application/json': { schema: z.record(z.string(), z.unknown()) } },
  },
  ...unchanged,
};

const ownershipRoute = route(
  'get',
  '/artifacts/ownership',
  'Who owns a file: lines, recent commits, reviewers, CODEOWNERS, bus factor',
  { query: FileQuery, answers: artifact },
);

const rationaleRoute = route(
  'get',
  '/artifacts/rationale',
  'Why the lines of a file are as they are: commits, issues, comments',
  { query: LinesQuery, answers: artifact },
);

/** `artifacts/ownership` and `artifacts/rationale`, for the command-line tool, other programs and pages. */
export function fileFactRoutes(facts: FileFacts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(ownershipRoute, async (c) => {
    return respondTagged(c, ownershipJson(await facts.ownership({ ...readerOf(c), ...c.req.valid('query') })));
  });
  routes.openapi(rationaleRoute, async (c) => {
    const { lines, ...file } = c.req.valid('query');
    const request = { ...readerOf(c), ...file, lines: linesOf(lines) };
    return respondTagged(c, rationaleJson(await facts.rationale(request)));
  });
  return { routes, v1: '/', app: '/' };
}

function readerOf(c: Context<WebEnv>) {
  requireRight(c.var.requester, READ);
  return { caller: c.var.requester, signal: c.req.raw.signal };
}

/** Answers with an entity tag, or that nothing changed. */
function respondTagged(c: Context<WebEnv>, document: Record<string, unknown>) {
  if (isNotModified(c, tagOf(JSON.stringify(document)))) return c.body(null, 304);
  return c.json(document, 200);
}

/** @throws ServiceError `bad_argument` for what is no line or range of lines. */
function linesOf(text: string | undefined): { start: number; end: number } | undefined {
  if (text === undefined) return undefined;
  const [, first, last] = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(text.trim()) ?? [];
  const start = Number(first ?? 0);
  const end = Number(last ?? first ?? 0);
  if (start >= 1 && end >= start) return { start, end };
  throw new ServiceError('bad_argument', `"${text.slice(0, 40)}" is not a line or a range of lines.`, {
    fix: 'Use lines=12 or lines=12-40.',
  });
}
