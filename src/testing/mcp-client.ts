import {
  Client as ModernClient,
  SSEClientTransport as ModernSse,
  StreamableHTTPClientTransport as ModernStreamable,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { pino } from 'pino';
import { toolServer, toolTable } from '../mcp/server.ts';
import type { AnyOperation, Caller } from '../platform/operation/operation.ts';
import { HANG_LIMIT_MS } from './limits.ts';

/** Methods that every official client has, in one shape for all versions. */
export interface TestClient {
  listTools(): Promise<{ tools: { name: string; inputSchema: unknown }[] }>;
  callTool(call: ToolCall, options?: CallOptions): Promise<ToolAnswer>;
  close(): Promise<void>;
}

interface ToolCall {
  name: string;
  arguments?: Record<string, unknown>;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
}

interface ToolAnswer {
  isError?: boolean;
  content: { type: string; text?: string }[];
  structuredContent?: Record<string, unknown>;
}

type ClientKind = (typeof CLIENT_KINDS)[number];

/** The official clients: SDK version, transport and path, and the revision where there is a choice. */
export const CLIENT_KINDS = [
  'v1 sse',
  'v2 sse',
  'v1 http /v1/mcp/sse',
  'v1 http /v1/mcp',
  'v2 http /v1/mcp/sse',
  'v2 http /v1/mcp',
  'v2 2026-07-28 /v1/mcp/sse',
  'v2 2026-07-28 /v1/mcp',
] as const;

/** Calls are not given up: what a busy machine takes long for is no failure. */
const PATIENT = { timeout: HANG_LIMIT_MS };

/** Connects an official client with a static Bearer header, as people configure theirs. */
export async function connectClient(kind: ClientKind, url: string, key: string): Promise<TestClient> {
  const [version, transport, path = '/v1/mcp/sse'] = kind.split(' ');
  const address = new URL(path, url);
  const options = { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
  const info = { name: 'journey', version: '1.0.0' };
  if (version === 'v1') {
    const client = new Client(info);
    const link =
      transport === 'sse'
        ? new SSEClientTransport(address, options)
        : new StreamableHTTPClientTransport(address, options);
    await client.connect(link, PATIENT);
    return adaptClient(client);
  }
  const client = new ModernClient(
    info,
    transport === '2026-07-28' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  );
  const link = transport === 'sse' ? new ModernSse(address, options) : new ModernStreamable(address, options);
  await client.connect(link, PATIENT);
  return adaptClient(client);
}

/** Connects an official client over any transport, for example a program that is its server. */
export async function connectOver(link: Transport): Promise<TestClient> {
  const client = new Client({ name: 'journey', version: '1.0.0' });
  await client.connect(link, PATIENT);
  return adaptClient(client);
}

/** Connects an official client to a server of one operation in the same process. */
export async function connectInMemory(operation: AnyOperation, caller: Caller, now: () => Date): Promise<TestClient> {
  const [link, serverLink] = InMemoryTransport.createLinkedPair();
  const serving = { operations: [operation], version: '0.0.0', log: pino({ level: 'silent' }), now };
  await toolServer(toolTable(serving), { caller }).connect(serverLink);
  return connectOver(link);
}

/** Both SDK versions answer the same, but with types of their own, and take the options at different positions. */
function adaptClient(client: Client | ModernClient): TestClient {
  return {
    listTools: () => client.listTools(undefined, PATIENT),
    callTool: async (call, more = {}) => {
      const options = { ...PATIENT, ...more };
      const answer =
        client instanceof Client
          ? await client.callTool(call, undefined, options)
          : await client.callTool(call, options);
      return answer as unknown as ToolAnswer;
    },
    close: () => client.close(),
  };
}

/** The text block of an answer. */
export function textOf(answer: ToolAnswer): string {
  return answer.content[0]?.text ?? '';
}
