import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, type Routes } from '../platform/web.ts';
import { DigestBody, digestBody, NewDigestBody } from './competitor-bodies.ts';
import { findDigest, removeDigest, setDigest } from './digest.ts';
import { sendTestDigest } from './send-digest.ts';
import { DIGEST_CHANNELS, selectDigests } from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';

const route = describeRoutes('Competitors');
const PATH = '/competitor-digests';
/** It sends what the product knows to another place: no API key decides where. */
const MANAGE: Right = { scope: 'owner', role: 'admin' };
const Channel = z.object({ channel: z.enum(DIGEST_CHANNELS) });

const descriptions = {
  list: route('get', PATH, 'Where digests of changes go, and whether they arrived', {
    answers: {
      200: json(
        z.object({
          digests: z.array(DigestBody),
          email: z.boolean().describe('Whether this service can send e-mail'),
        }),
        'At most one per channel',
      ),
    },
  }),
  set: route(
    'put',
    `${PATH}/{channel}`,
    'Send a digest of changes to a webhook, signed as Standard Webhooks describes it, or by e-mail',
    {
      params: Channel,
      body: body(NewDigestBody),
      answers: {
        200: json(
          DigestBody.extend({ secret: z.string().nullable().describe('Of a new webhook, this once; else null') }),
          'The digest',
        ),
      },
    },
  ),
  remove: route('delete', `${PATH}/{channel}`, 'Send no more digests', { params: Channel }),
  test: route('post', `${PATH}/{channel}/tests`, 'Send the digest now, marked as a test', {
    params: Channel,
    answers: {
      200: json(
        z.object({
          changes: z.int().describe('How many it has in total'),
          fault: z.string().describe("Who did not get it; '' when all did"),
        }),
        'It arrived',
      ),
    },
  }),
};

/** Digests of the changes of a product. */
export function addDigestRoutes(routes: Routes, competitors: Competitors): void {
  routes.openapi(descriptions.list, async (c) => {
    const digests = await selectDigests(competitors.db, authorize(c, READ));
    return c.json({ digests: digests.map(digestBody), email: competitors.mailer !== undefined }, 200);
  });
  routes.openapi(descriptions.set, async (c) => {
    const request = authorize(c, MANAGE);
    const { channel } = c.req.valid('param');
    const { to: destinations, every, min_severity: leastSeverity } = c.req.valid('json');
    const settings = { channel, destinations, every, leastSeverity };
    const { digest, secret } = await setDigest(competitors, request, settings);
    return c.json({ ...digestBody(digest), secret }, 200);
  });
  routes.openapi(descriptions.remove, async (c) => {
    await removeDigest(competitors, authorize(c, MANAGE), c.req.valid('param').channel);
    return c.body(null, 204);
  });
  routes.openapi(descriptions.test, async (c) => {
    const digest = await findDigest(competitors, authorize(c, MANAGE), c.req.valid('param').channel);
    const { total, fault } = await sendTestDigest(competitors, digest);
    return c.json({ changes: total, fault }, 200);
  });
}
