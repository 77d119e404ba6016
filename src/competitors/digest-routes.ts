import { z } from '@hono/zod-openapi';
import { READ, type Right } from '../platform/rights.ts';
import { authorize, body, describeRoutes, json, type Routes } from '../platform/web.ts';
import { DigestBody, digestBody, NewDigestBody } from './competitor-bodies.ts';
import { findDigest, removeDigest, setDigest } from './digest.ts';
import { sendTestDigest } from './send-digest.ts';
import type { Competitors } from './watch/context.ts';

const route = describeRoutes('Competitors');
const PATH = '/competitor-digest';
/** It sends what the product knows to another place: no API key decides where. */
const MANAGE: Right = { scope: 'owner', role: 'admin' };

const descriptions = {
  find: route('get', PATH, 'Where the digest of changes goes, and whether it arrived', {
    answers: { 200: json(DigestBody, 'The digest') },
  }),
  set: route('put', PATH, 'Send a digest of changes to an address, signed as Standard Webhooks describes it', {
    body: body(NewDigestBody),
    answers: {
      200: json(
        DigestBody.extend({ secret: z.string().nullable().describe('Of a new digest, this once; else null') }),
        'The digest',
      ),
    },
  }),
  remove: route('delete', PATH, 'Send no more digests', {}),
  test: route('post', '/competitor-digest-tests', 'Send the digest now, marked as a test', {
    answers: { 200: json(z.object({ changes: z.int().describe('How many it has in total') }), 'It arrived') },
  }),
};

/** The digest of changes of a product. */
export function addDigestRoutes(routes: Routes, competitors: Competitors): void {
  const known = descriptions;
  routes.openapi(known.find, async (c) => c.json(digestBody(await findDigest(competitors, authorize(c, READ))), 200));
  routes.openapi(known.set, async (c) => {
    const request = authorize(c, MANAGE);
    const { url, every, min_severity: leastSeverity } = c.req.valid('json');
    const { digest, secret } = await setDigest(competitors, request, { url, every, leastSeverity });
    return c.json({ ...digestBody(digest), secret }, 200);
  });
  routes.openapi(known.remove, async (c) => {
    await removeDigest(competitors, authorize(c, MANAGE));
    return c.body(null, 204);
  });
  routes.openapi(known.test, async (c) => {
    const digest = await findDigest(competitors, authorize(c, MANAGE));
    return c.json({ changes: await sendTestDigest(competitors, digest) }, 200);
  });
}
