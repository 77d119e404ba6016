/** Configuration entry of the service for a client. `file` is where the entry goes, '' for a command. */
interface ClientEntry {
  client: string;
  file: string;
  text: string;
}

/**
 * Entries for the clients that people use, ready to paste. Those with the key go where only this person's files lie; in a
 * file of the project, which is committed, VS Code asks for it.
 */
export function clientEntries(baseUrl: string, key: string): ClientEntry[] {
  const url = `${baseUrl}/v1/mcp/sse`;
  const headers = { Authorization: `Bearer ${key}` };
  return [
    {
      client: 'Claude Code',
      file: '',
      text: `claude mcp add --transport sse svc ${url} --header "Authorization: Bearer ${key}"`,
    },
    { client: 'Cursor', file: '~/.cursor/mcp.json', text: JSON.stringify({ mcpServers: { svc: { url, headers } } }) },
    {
      client: 'VS Code',
      file: '.vscode/mcp.json',
      text: JSON.stringify({
        inputs: [{ type: 'promptString', id: 'svc-api-key', description: 'API key of svc', password: true }],
        servers: { svc: { type: 'sse', url, headers: { Authorization: 'Bearer ${input:svc-api-key}' } } },
      }),
    },
    {
      client: 'Windsurf',
      file: '~/.codeium/windsurf/mcp_config.json',
      text: JSON.stringify({ mcpServers: { svc: { serverUrl: url, headers } } }),
    },
  ];
}
