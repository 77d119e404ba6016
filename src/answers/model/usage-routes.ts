import { z } from 'zod';
import type { Right } from '../../platform/rights.ts';
import { authorize, describeRoutes, json, newRoutes, type SliceRoutes } from '../../platform/web.ts';
import type { ModelUsage } from './model-usage.ts';

const SEE_COST: Right = { scope: 'owner', role: 'admin' };
const MOST_DAYS = 90;

const route = describeRoutes('Agents');

const ModelDayBody = z.object({
  key_id: z.string().describe('The key that asked, or the person, in the web application'),
  day: z.string().describe('A date, UTC'),
  model: z.string(),
  answers: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  cost: z.number().describe('In the currency of SVC_LLM_PRICE; 0 without a price'),
});

const ModelUsageDays = z.object({ days: z.array(ModelDayBody) });
export type ModelUsageBody = z.output<typeof ModelUsageDays>;

const usageRoute = route('get', '/model-usage', 'What answers of the language model took, by key and day', {
  query: z.object({ days: z.coerce.number().int().min(1).max(MOST_DAYS).default(30).describe('With today') }),
  answers: {
    200: json(ModelUsageDays, 'The newest first; days without answers are left out'),
  },
});

/** Admins and owners see what the model costs. */
export function modelUsageRoutes(usage: ModelUsage): SliceRoutes {
  const routes = newRoutes();
  routes.openapi(usageRoute, async (c) => {
    const who = authorize(c, SEE_COST);
    const days = await usage.list(who, c.req.valid('query').days);
    return c.json(
      {
        days: days.map(({ keyId, inputTokens, outputTokens, ...rest }) => ({
          key_id: keyId,
          input_tokens: inputTokens,
          output_tokens: outputTokens,
          ...rest,
        })),
      },
      200,
    );
  });
  return { routes, v1: '/', app: '/' };
}
