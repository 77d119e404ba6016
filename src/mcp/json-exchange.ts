import {
  type AuthInfo,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { awaitLater } from '../kernel/await-later.ts';

/**
 * The request in a message of a revision of 2025 that one JSON document can answer: it asks for no progress, which would need a
 * stream, and introduces nobody. Undefined for any other, which the SDK answers.
 */
export async function plainRequestIn(request: Request, body: unknown): Promise<JSONRPCRequest | undefined> {
  if (!isJSONRPCRequest(body) || body.method === 'initialize') return undefined;
  const revision = request.headers.get('mcp-protocol-version');
  if (revision !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(revision)) return undefined;
  const meta = body.params?.['_meta'];
  // What names the revision of 2026 stands there; without it a request is one of 2025.
  if (meta === undefined) return body;
  if (meta.progressToken !== undefined) return undefined;
  return (await isLegacyRequest(request, body)) ? body : undefined;
}

/**
 * Lets a server that is made for it answer one request; undefined when the client left before. It holds nothing, so one that has
 * answered is not closed: that makes an error with its stack for a caller that there is not.
 */
export async function answerPlainly(
  server: Server,
  message: JSONRPCRequest,
  { request, authInfo }: { request: Request; authInfo: AuthInfo },
): Promise<JSONRPCMessage | undefined> {
  const { promise, resolve } = Promise.withResolvers<JSONRPCMessage | undefined>();
  const answered = awaitLater(promise);
  const transport: Transport = {
    start: async () => {},
    // Notifications have nowhere to go.
    send: async (sent) => {
      if (!('method' in sent)) resolve(sent);
    },
    close: async () => {
      resolve(undefined);
      transport.onclose?.();
    },
  };
  await server.connect(transport);
  const leave = (): void => void server.close().catch(() => undefined);
  request.signal.addEventListener('abort', leave, { once: true });
  if (request.signal.aborted) leave();
  try {
    transport.onmessage?.(message, { authInfo, request });
    return await answered;
  } finally {
    request.signal.removeEventListener('abort', leave);
  }
}
