import { expect, test } from 'vitest';
import { clientEntries, CLIENTS, compactText, otherEntries } from './client-entries.ts';

const BASE = 'https://svc.example.org';
const KEY = 'svc_live_secret';
const withKey = new Map(clientEntries(BASE, KEY).map((entry) => [entry.client, entry]));
const toCommit = new Map(clientEntries(BASE).map((entry) => [entry.client, entry]));
const SSE = `${BASE}/v1/mcp/sse`;
const STREAMABLE = `${BASE}/v1/mcp`;
const AUTHORIZATION = { Authorization: `Bearer ${KEY}` };

function configOf(entries: ReadonlyMap<string, { text: string }>, client: string): unknown {
  return JSON.parse(entries.get(client)?.text ?? '');
}

test('each client has its name once, and a page that says where its format is described', () => {
  expect([...withKey.keys()]).toEqual(CLIENTS.map(({ name }) => name));
  expect([...toCommit.keys()]).toEqual([...withKey.keys()]);
  expect(CLIENTS.filter(({ check, documentation }) => check === '' || !documentation.startsWith('https://'))).toEqual(
    [],
  );
});

test('no entry puts the key into a file of the project', () => {
  const ofProject = [...withKey.values()].filter(({ place }) => /^\.\w/.test(place));

  expect(ofProject.map(({ client }) => client)).toEqual(['VS Code']);
  for (const { text, link = '' } of [...toCommit.values(), ...ofProject, ...otherEntries(BASE)])
    expect(`${text}${decodeURIComponent(link)}`).not.toContain('svc_live_');
});

test('entries with the key have the format that each client documents', () => {
  expect(compactText(withKey.get('Claude Code')?.text ?? '')).toBe(
    `claude mcp add --transport sse svc ${SSE} --header "Authorization: Bearer ${KEY}"`,
  );
  expect(configOf(withKey, 'Cursor')).toEqual({ mcpServers: { svc: { url: SSE, headers: AUTHORIZATION } } });
  expect(configOf(withKey, 'Windsurf')).toEqual({ mcpServers: { svc: { serverUrl: SSE, headers: AUTHORIZATION } } });
  expect(configOf(withKey, 'Zed')).toEqual({ context_servers: { svc: { url: STREAMABLE, headers: AUTHORIZATION } } });
  expect(configOf(withKey, 'Gemini CLI')).toEqual({
    mcpServers: { svc: { httpUrl: STREAMABLE, headers: AUTHORIZATION } },
  });
  expect(withKey.get('Codex CLI')?.text).toBe(
    `[mcp_servers.svc]\nurl = "${STREAMABLE}"\nhttp_headers = { Authorization = "Bearer ${KEY}" }`,
  );
  for (const client of ['Claude Desktop', 'JetBrains'])
    expect(configOf(withKey, client)).toEqual({
      mcpServers: {
        svc: {
          command: 'npx',
          args: ['-y', 'mcp-remote', SSE, '--header', 'Authorization:${AUTH_HEADER}'],
          env: { AUTH_HEADER: `Bearer ${KEY}` },
        },
      },
    });
});

test('entries without a key ask for it, read it from the environment, or start the bridge', () => {
  expect(configOf(toCommit, 'Claude Code')).toEqual({
    mcpServers: { svc: { type: 'sse', url: SSE, headers: { Authorization: 'Bearer ${SVC_API_KEY}' } } },
  });
  expect(configOf(toCommit, 'VS Code')).toEqual({
    inputs: [{ type: 'promptString', id: 'svc-api-key', description: 'API key of svc', password: true }],
    servers: { svc: { type: 'sse', url: SSE, headers: { Authorization: 'Bearer ${input:svc-api-key}' } } },
  });
  expect(toCommit.get('Codex CLI')?.text).toContain('bearer_token_env_var = "SVC_API_KEY"');
  expect(toCommit.get('Cursor')?.text).toContain('${env:SVC_API_KEY}');
  expect(toCommit.get('Gemini CLI')?.text).toContain('Bearer $SVC_API_KEY');
  for (const client of ['Claude Desktop', 'JetBrains'])
    expect(configOf(toCommit, client)).toEqual({ mcpServers: { svc: { command: 'svc', args: ['mcp'] } } });
  expect(configOf(toCommit, 'n8n')).toMatchObject({
    nodes: [
      { parameters: { endpointUrl: STREAMABLE, serverTransport: 'httpStreamable', authentication: 'bearerAuth' } },
    ],
  });
});

test('links that install hold the same entry', () => {
  const cursor = new URL(withKey.get('Cursor')?.link ?? '');
  const code = withKey.get('VS Code')?.link ?? '';

  expect(JSON.parse(atob(cursor.searchParams.get('config') ?? ''))).toEqual({ url: SSE, headers: AUTHORIZATION });
  expect(cursor.searchParams.get('name')).toBe('svc');
  expect(JSON.parse(decodeURIComponent(code.replace('vscode:mcp/install?', '')))).toEqual({
    name: 'svc',
    inputs: [expect.objectContaining({ id: 'svc-api-key', password: true })],
    type: 'sse',
    url: SSE,
    headers: { Authorization: 'Bearer ${input:svc-api-key}' },
  });
});

test('a service over plain http is allowed to the bridge of npm', () => {
  const [, desktop] = clientEntries('http://127.0.0.1:4000', KEY);

  expect(desktop?.text).toContain('--allow-http');
});
