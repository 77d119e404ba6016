import { z } from '@hono/zod-openapi';
import { ServiceError } from '../kernel/errors.ts';
import type { actorOf, Right } from '../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes } from '../platform/web.ts';

const route = describeRoutes('Repositories');

/** The largest index that is taken. */
export const MOST_SCIP_BYTES = 64 * 1024 * 1024;

/** The one path that takes bodies as large as this. */
export const SCIP_PATH = /^\/v1\/repositories\/[^/]+\/scip$/;

const Receipt = z.object({
  repository: z.string(),
  commit: z.string().describe('The commit that the index was compared with'),
  tool: z.string().describe('The indexer that made it'),
  documents: z.int(),
  occurrences: z.int(),
  applies: z.boolean().describe('True when it is being applied now; otherwise it waits until its commit is indexed'),
});

/** An index as it comes in, and from whom. */
export interface ScipUploadRequest {
  tenant: { accountId: string; productId: string };
  actor: ReturnType<typeof actorOf>;
  repository: string;
  content: Uint8Array;
  commit?: string | undefined;
  root?: string | undefined;
}

const uploadRoute = route('post', '/repositories/{id}/scip', 'Upload a SCIP index of a commit (owner only)', {
  params: z.object({ id: z.string().describe('Id or name') }),
  query: z.object({
    commit: z.string().min(1).max(200).optional().describe('Commit, tag or branch; default: the indexed commit'),
    root: z.string().max(1_000).optional().describe('Folder of the repository that the paths in the index start from'),
  }),
  body: {
    required: true,
    content: { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } },
  },
  answers: { 200: json(Receipt, 'Stored') },
});

const OWNER: Right = { scope: 'owner', role: 'owner' };

/** `POST /v1/repositories/{id}/scip`: the body is the index as the indexer wrote it. */
export function scipRoutes(upload: (request: ScipUploadRequest) => Promise<z.input<typeof Receipt>>): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(uploadRoute, async (c) => {
    const { actor, ...tenant } = authorize(c, OWNER);
    const content = new Uint8Array(await c.req.arrayBuffer());
    if (content.length === 0) {
      throw new ServiceError('bad_argument', 'The body is empty.', { fix: 'Send the SCIP index as the body.' });
    }
    const { commit, root } = c.req.valid('query');
    const request = { tenant, actor, content, commit, root };
    return c.json(await upload({ ...request, repository: c.req.valid('param').id }), 200);
  });
  return { routes, v1: '/' };
}
