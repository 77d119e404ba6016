import type { MiddlewareHandler } from 'hono';
import { UPLOAD_PATH } from '../documents/routes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { WebEnv } from '../platform/web.ts';
import { SCIP_PATH } from '../repositories/scip-routes.ts';

const FIX = 'Remove U+0000 and lone surrogates (halves of characters); text cannot contain them.';

/** In JSON what no text may hold can only be written as an escape; bytes are looked for, and little is parsed for it. */
const ESCAPES = [String.raw`\u0000`, String.raw`\ud`, String.raw`\uD`];

/** @throws ServiceError `bad_argument` for U+0000 in the path or the query. Halves of characters cannot be there. */
export function addressTextGuard(): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (c.req.url.includes('%00')) throw refusedText('The address');
    return next();
  };
}

/**
 * Refuses what neither a database nor a file can hold as text, before any route sees it. Bytes of uploads are left alone.
 *
 * @throws ServiceError `bad_argument` for U+0000 and halves of characters anywhere in a JSON body, its keys included.
 */
export function bodyTextGuard(): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (c.req.raw.body === null || isUpload(c.req.path, c.req.header('content-type'))) return next();
    // As bytes, which routes can still read in any form; a signature is over exactly these.
    const bytes = Buffer.from(await c.req.arrayBuffer());
    if (ESCAPES.some((escape) => bytes.includes(escape)) && !isText(parseJson(bytes.toString('utf8'))))
      throw refusedText('The body');
    return next();
  };
}

function isUpload(path: string, type = ''): boolean {
  return (UPLOAD_PATH.test(path) || SCIP_PATH.test(path)) && !/json/i.test(type);
}

/** Whether all strings in it can be kept. Without recursion, because a body may be nested a million deep. */
function isText(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === 'string' && (part.includes('\0') || !part.isWellFormed())) return false;
    if (Array.isArray(part)) for (const item of part as unknown[]) open.push(item);
    else if (typeof part === 'object' && part !== null)
      for (const [key, item] of Object.entries(part)) open.push(key, item);
  }
  return true;
}

function refusedText(what: string): ServiceError {
  return new ServiceError('bad_argument', `${what} contains U+0000 or a lone surrogate.`, { fix: FIX });
}
