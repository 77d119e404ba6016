import type { Context, MiddlewareHandler } from 'hono';
import { UPLOAD_PATH } from '../documents/routes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { findUnstorableText } from '../kernel/storable-text.ts';
import type { WebEnv } from '../platform/web.ts';
import { SCIP_PATH } from '../repositories/scip-routes.ts';

const FIX = 'Remove U+0000 and lone surrogates (halves of characters); text cannot contain them.';

/** Routes that check each row by itself: a row with bad text is reported, and the others are saved. */
const BATCH_PATH = /\/signals$/;

/** Escapes by which a JSON text can hold what no text may: the bytes are searched for them, and little is parsed for it. */
const ESCAPES = [String.raw`\u0000`, String.raw`\ud`, String.raw`\uD`];

const decoder = new TextDecoder();

/** @throws ServiceError `bad_argument` for U+0000 in the path or the query. Halves of characters cannot be there. */
export function addressTextGuard(): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (c.req.url.includes('%00')) throw refusedText('The address');
    return next();
  };
}

/**
 * Refuses what neither a database nor a file can hold as text, before any route sees it. Bytes of uploads are not checked.
 *
 * @throws ServiceError `bad_argument` for U+0000 and halves of characters anywhere in a JSON body, its keys included.
 */
export function bodyTextGuard(): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    if (!hasBody(c) || isUpload(c.req.path, c.req.header('content-type'))) return next();
    // As bytes, which routes can still read in any form; a signature is over exactly these.
    const bytes = Buffer.from(await c.req.arrayBuffer());
    // Hono would make a response of them and read that, which costs more than a call.
    Object.assign(c.req.bodyCache, { text: Promise.resolve(decoder.decode(bytes)) });
    if (!ESCAPES.some((escape) => bytes.includes(escape))) return next();
    const at = findUnstorableText(parseJson(bytes.toString('utf8')));
    if (at?.startsWith('signals[') === true && BATCH_PATH.test(c.req.path)) return next();
    if (at !== undefined) throw refusedText(at === '' ? 'The body' : `The body, at ${at},`);
    return next();
  };
}

/** Looks at the headers where there are any: the adapter makes a stream of a body that is asked for itself. */
function hasBody({ req, env }: Context<WebEnv>): boolean {
  const headers = env?.incoming?.headers;
  if (headers === undefined) return req.raw.body !== null;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload(path: string, type = ''): boolean {
  return (UPLOAD_PATH.test(path) || SCIP_PATH.test(path)) && !/json/i.test(type);
}

function refusedText(what: string): ServiceError {
  return new ServiceError('bad_argument', `${what} contains U+0000 or a lone surrogate.`, { fix: FIX });
}
