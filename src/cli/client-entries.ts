/**
 * How each client is told of the service: the terminal prints these entries, the page Connect shows them, and
 * `scripts/reference.ts` makes a page of docs/clients/ of each. It runs in the browser too, so it imports nothing.
 */

/** What a person copies into a client. */
export interface ClientEntry {
  client: string;
  /** Where the text goes. */
  place: string;
  text: string;
  /** An address that opens the client and adds the entry. */
  link?: string;
}

/** A client that people know, with what its page says. */
export interface Client {
  name: string;
  /** The entry with the key, or without a key one that asks for it, reads it from the environment or needs none. */
  entry: (address: ServiceAddress) => ClientEntry;
  /** How to see that it works. */
  check: string;
  /** Where its maker describes the format. */
  documentation: string;
}

interface ServiceAddress {
  baseUrl: string;
  key: string | undefined;
}

/** Stands for a key that is not known here. */
export const KEY_PLACEHOLDER = 'svc_live_<YOUR_KEY>';
const VARIABLE = 'SVC_API_KEY';
const FROM_VARIABLE = `with ${VARIABLE} in the environment`;
/** The bridge that passes messages with the key of `svc login`, for clients that start programs. */
const BRIDGE = { command: 'svc', args: ['mcp'] };

export const CLIENTS: readonly Client[] = [
  {
    name: 'Claude Code',
    entry: ({ baseUrl, key }) => {
      const server = { type: 'sse', url: sseOf(baseUrl), headers: bearer(key ?? `\${${VARIABLE}}`) };
      if (key === undefined)
        return { ...file('Claude Code', '.mcp.json', { mcpServers: { svc: server } }, FROM_VARIABLE) };
      const text = `claude mcp add --transport sse svc ${server.url} \\\n  --header "Authorization: Bearer ${key}"`;
      return { client: 'Claude Code', place: 'Run in your project', text };
    },
    check: '`claude mcp list` shows `svc` as connected; `/mcp` lists its tools.',
    documentation: 'https://code.claude.com/docs/en/mcp',
  },
  {
    name: 'Claude Desktop',
    entry: (address) =>
      bridged('Claude Desktop', 'claude_desktop_config.json (Settings, Developer, Edit Config)', address),
    check: 'Restart it; the tools of `svc` stand in the menu of connectors of a chat.',
    documentation: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  },
  {
    name: 'Cursor',
    entry: ({ baseUrl, key }) => {
      const server = { url: sseOf(baseUrl), headers: bearer(key ?? `\${env:${VARIABLE}}`) };
      const link = `cursor://anysphere.cursor-deeplink/mcp/install?name=svc&config=${encodeURIComponent(btoa(JSON.stringify(server)))}`;
      const config = { mcpServers: { svc: server } };
      if (key === undefined) return { ...file('Cursor', '.cursor/mcp.json', config, FROM_VARIABLE), link };
      return { ...file('Cursor', '~/.cursor/mcp.json', config), link };
    },
    check: 'Settings, MCP shows `svc` with a green dot and its tools.',
    documentation: 'https://cursor.com/docs/context/mcp',
  },
  {
    name: 'VS Code',
    entry: ({ baseUrl }) => {
      const inputs = [{ type: 'promptString', id: 'svc-api-key', description: 'API key of svc', password: true }];
      const server = { type: 'sse', url: sseOf(baseUrl), headers: bearer('${input:svc-api-key}') };
      const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'svc', inputs, ...server }))}`;
      const config = { inputs, servers: { svc: server } };
      return { ...file('VS Code', '.vscode/mcp.json', config, 'it asks for the key once'), link };
    },
    check: '"MCP: List Servers" in the palette shows `svc` as running; agent mode lists its tools.',
    documentation: 'https://code.visualstudio.com/docs/copilot/chat/mcp-servers',
  },
  {
    name: 'Windsurf',
    entry: ({ baseUrl, key }) => {
      const server = { serverUrl: sseOf(baseUrl), headers: bearer(key ?? `\${env:${VARIABLE}}`) };
      const note = key === undefined ? FROM_VARIABLE : undefined;
      return file('Windsurf', '~/.codeium/windsurf/mcp_config.json', { mcpServers: { svc: server } }, note);
    },
    check: 'The MCP panel of Cascade shows `svc` and its tools after a refresh.',
    documentation: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  },
  {
    name: 'Zed',
    entry: ({ baseUrl, key }) => {
      if (key === undefined) return file('Zed', '.zed/settings.json', { context_servers: { svc: BRIDGE } }, BRIDGED);
      const server = { url: streamableOf(baseUrl), headers: bearer(key) };
      return file('Zed', '~/.config/zed/settings.json', { context_servers: { svc: server } });
    },
    check: 'Settings, AI, MCP Servers shows `svc` with a green dot.',
    documentation: 'https://zed.dev/docs/ai/mcp',
  },
  {
    name: 'JetBrains',
    entry: (address) =>
      bridged('JetBrains', 'Settings, Tools, AI Assistant, Model Context Protocol, Add, As JSON', address),
    check: 'The status beside `svc` on that page is connected; `/` in the chat offers its tools.',
    documentation: 'https://www.jetbrains.com/help/ai-assistant/mcp.html',
  },
  {
    name: 'Codex CLI',
    entry: ({ baseUrl, key }) => {
      const secret =
        key === undefined
          ? `bearer_token_env_var = "${VARIABLE}"`
          : `http_headers = { Authorization = "Bearer ${key}" }`;
      const text = `[mcp_servers.svc]\nurl = "${streamableOf(baseUrl)}"\n${secret}`;
      const place = key === undefined ? `.codex/config.toml, ${FROM_VARIABLE}` : '~/.codex/config.toml';
      return { client: 'Codex CLI', place, text };
    },
    check: '`codex mcp list` shows `svc`; `/mcp` in a session lists its tools.',
    documentation: 'https://developers.openai.com/codex/mcp',
  },
  {
    name: 'Gemini CLI',
    entry: ({ baseUrl, key }) => {
      const server = { httpUrl: streamableOf(baseUrl), headers: bearer(key ?? `$${VARIABLE}`) };
      const config = { mcpServers: { svc: server } };
      if (key === undefined) return file('Gemini CLI', '.gemini/settings.json', config, FROM_VARIABLE);
      return file('Gemini CLI', '~/.gemini/settings.json', config);
    },
    check: '`gemini mcp list` shows `svc` as connected; `/mcp` lists its tools.',
    documentation: 'https://geminicli.com/docs/tools/mcp-server',
  },
  {
    name: 'n8n',
    entry: ({ baseUrl }) => {
      const parameters = {
        endpointUrl: streamableOf(baseUrl),
        serverTransport: 'httpStreamable',
        authentication: 'bearerAuth',
      };
      const type = '@n8n/n8n-nodes-langchain.mcpClientTool';
      const node = { name: 'svc', type, typeVersion: 1.1, position: [0, 0], parameters };
      const note = 'then choose a Bearer Auth credential that holds the key';
      return file(
        'n8n',
        'Paste into the canvas and connect it to an AI Agent',
        { nodes: [node], connections: {} },
        note,
      );
    },
    check: 'The node lists the tools under "Tools to Include: Selected".',
    documentation: 'https://docs.n8n.io/integrations/builtin/cluster-nodes/sub-nodes/n8n-nodes-langchain.toolmcp/',
  },
];

const BRIDGED = 'with the key of `svc login`, or none on the machine of the service';

/** Entries to copy, with the key or, without one, in a form that may be committed. */
export function clientEntries(baseUrl: string, key?: string): ClientEntry[] {
  return CLIENTS.map(({ entry }) => entry({ baseUrl, key }));
}

/** Entries for any other client, and for a look at the connection. */
export function otherEntries(baseUrl: string, key?: string): ClientEntry[] {
  const server = { type: 'sse', url: sseOf(baseUrl), headers: bearer(key ?? `\${${VARIABLE}}`) };
  const text = pretty({ mcpServers: { svc: server } });
  const place = `Any MCP client; over Streamable HTTP the address is ${streamableOf(baseUrl)}`;
  const sent = key ?? `$${VARIABLE}`;
  // The stream stays open: `-N` shows its first event, the endpoint, at once.
  const stream = `curl -N ${server.url} \\\n  -H "Authorization: Bearer ${sent}"`;
  const list = `curl ${baseUrl}/v1/repositories \\\n  -H "X-API-Key: ${sent}"`;
  return [
    { client: 'Other', place: key === undefined ? `Any MCP client, ${FROM_VARIABLE}` : place, text },
    { client: 'curl', place: 'Check the connection', text: `${stream}\n\n${list}` },
  ];
}

/** For clients that only start programs: a program of npm with the key, or `svc` itself without one. */
function bridged(client: string, place: string, { baseUrl, key }: ServiceAddress): ClientEntry {
  if (key === undefined) return file(client, place, { mcpServers: { svc: BRIDGE } }, BRIDGED);
  // Its maker passes the header by a variable: on Windows these clients split arguments at blanks.
  const args = ['-y', 'mcp-remote', sseOf(baseUrl), '--header', 'Authorization:${AUTH_HEADER}'];
  const overHttp = baseUrl.startsWith('http:') ? ['--allow-http'] : [];
  const server = { command: 'npx', args: [...args, ...overHttp], env: { AUTH_HEADER: `Bearer ${key}` } };
  return file(client, place, { mcpServers: { svc: server } });
}

function file(client: string, path: string, config: object, note?: string): ClientEntry {
  return { client, place: note === undefined ? path : `${path}; ${note}`, text: pretty(config) };
}

function sseOf(baseUrl: string): string {
  return `${baseUrl}/v1/mcp/sse`;
}

function streamableOf(baseUrl: string): string {
  return `${baseUrl}/v1/mcp`;
}

function bearer(key: string): { Authorization: string } {
  return { Authorization: `Bearer ${key}` };
}

function pretty(value: object): string {
  return JSON.stringify(value, undefined, 2);
}

/** The entry in as few lines as it may have, for a terminal. */
export function compactText(text: string): string {
  if (text.startsWith('{')) return JSON.stringify(JSON.parse(text));
  return text.replaceAll(/\s*\\\n\s*/g, ' ').replaceAll('\n', '\n  ');
}
