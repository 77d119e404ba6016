import { type Client, CLIENTS, type ClientEntry, KEY_PLACEHOLDER } from '../../src/cli/client-entries.ts';
import { page } from './markdown.ts';

const BASE_URL = 'http://127.0.0.1:4000';

/** A page for each client, by its path. */
export function clientPages(): [path: string, text: string][] {
  return CLIENTS.map((client) => [`docs/clients/${fileName(client)}`, clientPage(client)]);
}

function fileName({ name }: Client): string {
  return `${name.toLowerCase().replaceAll(' ', '-')}.md`;
}

function clientPage({ name, entry, check, documentation }: Client): string {
  const own = entry({ baseUrl: BASE_URL, key: KEY_PLACEHOLDER });
  const shared = entry({ baseUrl: BASE_URL, key: undefined });
  const parts = own.text === shared.text ? [entryText(own)] : ['## With your key', entryText(own)];
  if (own.text !== shared.text)
    parts.push('## Without the key', 'It holds no secret, so a project can commit it.', entryText(shared));
  if (shared.link !== undefined)
    parts.push(
      '## Link',
      `This address adds the entry without the key; the page Connect has it as a button:`,
      block(shared.link),
    );
  return page(
    name,
    `Replace the address by that of your service. \`svc key create --name "${name}"\` makes a key and shows it once. The page Connect of the web application has both filled in.`,
    ...parts,
    '## Check',
    `${check} When it does not: [Connect](../guides/connect.md#when-it-does-not-work). The format is that of [${name}](${documentation}).`,
  );
}

function entryText({ place, text }: ClientEntry): string {
  return `${place}:\n\n${block(text)}`;
}

function block(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}
