/** How a client is told of the service. */
export interface ClientEntry {
  client: string;
  /** Where the text goes. */
  place: string;
  text: string;
}

/** Stands in place of a key that is not known here. */
export const KEY_PLACEHOLDER = 'svc_live_<YOUR_KEY>';
const VARIABLE = 'SVC_API_KEY';

/** Entries that hold the key, for files of one person; in the file of a project VS Code asks for it. */
export function entriesWithKey(baseUrl: string, key: string): ClientEntry[] {
  const url = `${baseUrl}/v1/mcp/sse`;
  const headers = bearer(key);
  return [
    {
      client: 'Claude Code',
      place: 'Run in your project',
      text: `claude mcp add --transport sse svc ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    { client: 'Cursor', place: '~/.cursor/mcp.json', text: json({ mcpServers: { svc: { url, headers } } }) },
    vsCode(url),
    {
      client: 'Windsurf',
      place: '~/.codeium/windsurf/mcp_config.json',
      text: json({ mcpServers: { svc: { serverUrl: url, headers } } }),
    },
    {
      client: 'Other',
      place: `Any MCP client; over Streamable HTTP the address is ${baseUrl}/v1/mcp`,
      text: json({ mcpServers: { svc: { type: 'sse', url, headers } } }),
    },
    { client: 'curl', place: 'Check the connection', text: commands(baseUrl, key) },
  ];
}

/** Entries that read the key from the environment or ask for it: these may be committed. */
export function entriesWithoutKey(baseUrl: string): ClientEntry[] {
  const url = `${baseUrl}/v1/mcp/sse`;
  const plain = { type: 'sse', url, headers: bearer(`\${${VARIABLE}}`) };
  return [
    {
      client: 'Claude Code',
      place: `.mcp.json, with ${VARIABLE} in the environment`,
      text: json({ mcpServers: { svc: plain } }),
    },
    {
      client: 'Cursor',
      place: `.cursor/mcp.json, with ${VARIABLE} in the environment`,
      text: json({ mcpServers: { svc: { url, headers: bearer(`\${env:${VARIABLE}}`) } } }),
    },
    vsCode(url),
    {
      client: 'Windsurf',
      place: `~/.codeium/windsurf/mcp_config.json, with ${VARIABLE} in the environment`,
      text: json({ mcpServers: { svc: { serverUrl: url, headers: bearer(`\${env:${VARIABLE}}`) } } }),
    },
    { client: 'Other', place: `With ${VARIABLE} in the environment`, text: json({ mcpServers: { svc: plain } }) },
    { client: 'curl', place: `With ${VARIABLE} in the environment`, text: commands(baseUrl, `$${VARIABLE}`) },
  ];
}

/** Committed with a project, so it never holds the key. */
function vsCode(url: string): ClientEntry {
  const input = { type: 'promptString', id: 'svc-api-key', description: 'API key of svc', password: true };
  const server = { type: 'sse', url, headers: bearer('${input:svc-api-key}') };
  return {
    client: 'VS Code',
    place: '.vscode/mcp.json; it asks for the key once',
    text: json({ inputs: [input], servers: { svc: server } }),
  };
}

function bearer(key: string): { Authorization: string } {
  return { Authorization: `Bearer ${key}` };
}

/** The stream stays open: `-N` shows its first event, the endpoint, at once. */
function commands(baseUrl: string, key: string): string {
  return `curl -N ${baseUrl}/v1/mcp/sse \\\n  -H "Authorization: Bearer ${key}"\n\ncurl ${baseUrl}/v1/repositories \\\n  -H "X-API-Key: ${key}"`;
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2);
}
