import { z } from '@hono/zod-openapi';
import { READ } from '../../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes } from '../../platform/web.ts';
import { type EncodedParts, encodingProgress } from './vectors.ts';

export const Progress = z.object({
  model: z.string().nullable().describe('The encoder; null where texts are compared by their words alone'),
  pending: z
    .int()
    .describe(
      'Texts that are found by their words alone until their vectors are there; themes are grouped by them some seconds after it is 0',
    ),
  total: z.int().describe('Sections of documents and plans, signals, decisions and competitor changes'),
});

const progressRoute = describeRoutes('Search')('get', '/vectors', 'How many texts can be found by meaning yet', {
  answers: { 200: json(Progress, 'Counted now') },
});

/** Routes for the progress of encoding a product's texts. */
export function vectorRoutes(parts: EncodedParts): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(progressRoute, async (c) => {
    const { pending, total } = (await encodingProgress(parts, authorize(c, READ))) ?? { pending: 0, total: 0 };
    return c.json({ model: parts.encoder?.name ?? null, pending, total }, 200);
  });
  return { routes, v1: '/', app: '/' };
}
