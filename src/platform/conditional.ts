import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { WebEnv } from './web.ts';

/** The entity tag of a content: the same bytes have the same tag on every replica. */
export function tagOf(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Sets the headers of a conditional answer and returns true if the client already has the content of `etag`. */
export function isNotModified(c: Context<WebEnv>, etag: string): boolean {
  c.header('ETag', etag);
  c.header('Cache-Control', 'private, no-cache');
  const etags = (c.req.header('If-None-Match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return etags.includes(etag) || etags.includes('*');
}

/** The answer to a client that has the content, for the description of a route. */
export const unchanged = { 304: { description: 'Unchanged since the `ETag` in `If-None-Match`' } } as const;
