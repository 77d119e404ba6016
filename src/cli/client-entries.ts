/** How a client is told of the service. `file` is where the entry goes, '' for a command. */
interface ClientEntry {
  client: string;
  file: string;
  text: string;
}

/** Entries for the clients that people use, ready to paste. They hold the key: they do not belong into a commit. */
export function clientEntries(baseUrl: string, key: string): ClientEntry[] {
  const url = `${baseUrl}/v1/mcp/sse`;
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      client: 'Claude Code',
      file: '',
      text: `claude mcp add --transport sse svc ${url} --header "Authorization: Bearer ${key}"`,
    },
    { client: 'Cursor', file: '.cursor/mcp.json', text: JSON.stringify({ mcpServers: { svc: { url, headers } } }) },
    {
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { svc: { type: 'sse', url, headers } } }),
    },
    {
      client: 'Windsurf',
      file: '~/.codeium/windsurf/mcp_config.json',
      text: JSON.stringify({ mcpServers: { svc: { serverUrl: url, headers } } }),
    },
  ];
}
