import type { Context, MiddlewareHandler } from 'hono';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { WebEnv } from '../platform/web.ts';

const PAGE = 'index.html';

/** Kinds of files that a build makes. What has another ending is not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** Names of files and folders as builds choose them; none begins with a dot, so no path leaves the folder. */
const FILE_PATH = /^(?:\/[\w-][\w.-]*)+$/;

/** Paths of programs. They never get the page: a client that gets HTML where it expects JSON cannot say what is wrong. */
const PROGRAM_PATH = /^\/(?:v1|app|\.well-known|register|healthz|readyz|metrics)(?:\/|$)/;

/** Addresses of pages that end with the path of a file in a repository. */
const SOURCE_PATH = /^\/[rs]\//;

/** Scripts and styles of our own files only; text never becomes script, whatever finds its way into a page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const NOT_BUILT = `The web application is not built yet.

Build it once with "npm run build", or start the service with "npm start", which does. MCP and REST work without it:
the MCP endpoint is /v1/mcp/sse, the REST routes are listed in /v1/openapi.json.
`;

/** A file as it is sent. */
interface StaticFile {
  body: Uint8Array<ArrayBuffer>;
  type: string;
  encoding: string | undefined;
}

/**
 * The built web application: its files, and its page for every other path that a person can open. Reads the folder at
 * each request, so that a new build is served without a restart; answers 503 with what to do while there is none.
 */
export function webApplication({ folder, isSecure }: { folder: string; isSecure: boolean }): MiddlewareHandler<WebEnv> {
  return async (c, next) => {
    const { path, method } = c.req;
    if ((method !== 'GET' && method !== 'HEAD') || PROGRAM_PATH.test(path)) return next();
    const takesBrotli = /\bbr\b/.test(c.req.header('accept-encoding') ?? '');
    const named = FILE_PATH.test(path) ? await readStatic(folder, path, takesBrotli) : undefined;
    if (named !== undefined && path !== `/${PAGE}`) return sendFile(c, named, isHashed(path) ? FOREVER : REVALIDATE);
    // A path that looks like a file and is none stays a 404: an old page requests scripts that a new build removed.
    if ((extname(path) !== '' && !SOURCE_PATH.test(path)) || !takesPage(c)) return next();
    const page = await readStatic(folder, `/${PAGE}`, takesBrotli);
    protectPage(c, isSecure);
    return page === undefined ? c.text(NOT_BUILT, 503) : sendFile(c, page, REVALIDATE);
  };
}

/**
 * True if the client takes a page: a program that requests JSON or a stream at a wrong path gets an error that nothing is
 * there.
 */
function takesPage(c: Context<WebEnv>): boolean {
  return /text\/html|\*\/\*/.test(c.req.header('accept') ?? '*/*');
}

const FOREVER = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';

/** The build puts a hash of the content into the names of these. */
function isHashed(path: string): boolean {
  return path.startsWith('/assets/');
}

async function readStatic(folder: string, path: string, takesBrotli: boolean): Promise<StaticFile | undefined> {
  const type = TYPES[extname(path)];
  if (type === undefined) return undefined;
  const brotli = takesBrotli ? await readFile(join(folder, `${path}.br`)).catch(() => undefined) : undefined;
  if (brotli !== undefined) return { body: brotli, type, encoding: 'br' };
  const body = await readFile(join(folder, path)).catch(() => undefined);
  return body === undefined ? undefined : { body, type, encoding: undefined };
}

function sendFile(c: Context<WebEnv>, { body, type, encoding }: StaticFile, caching: string): Response {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  c.header('Cache-Control', caching);
  c.header('Vary', 'Accept-Encoding');
  c.header('ETag', tag);
  if (c.req.header('if-none-match') === tag) return c.body(null, 304);
  c.header('Content-Type', type);
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  if (encoding !== undefined) c.header('Content-Encoding', encoding);
  return c.body(body);
}

function protectPage(c: Context<WebEnv>, isSecure: boolean): void {
  c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Referrer-Policy', 'no-referrer');
  c.header('X-Frame-Options', 'DENY');
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  if (isSecure) c.header('Strict-Transport-Security', 'max-age=31536000');
}
