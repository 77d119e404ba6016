import { expect, test } from 'vitest';
import { clientEntries } from '../../src/cli/client-entries.ts';
import { entriesWithKey, entriesWithoutKey } from './client-entries.ts';

const BASE = 'https://svc.example.com';

/** As a shell or a parser reads it: line breaks and indentation aside. */
const plain = (text: string): string => text.replaceAll(/\s*\\\n\s*/g, ' ').replaceAll(/\n\s*|(?<=:) /g, '');

test('the application and the command line tell clients the same', () => {
  const shown = new Map(entriesWithKey(BASE, 'the-key').map(({ client, text }) => [client, plain(text)]));

  for (const { client, text } of clientEntries(BASE, 'the-key'))
    expect([client, shown.get(client)]).toEqual([client, plain(text)]);
});

test('entries to commit hold no key and have the same clients', () => {
  const committed = entriesWithoutKey(BASE);

  expect(committed.map(({ client }) => client)).toEqual(entriesWithKey(BASE, 'the-key').map(({ client }) => client));
  expect(committed.filter(({ text }) => text.includes('svc_live_'))).toEqual([]);
  for (const { text } of committed) expect(text).toMatch(/SVC_API_KEY|svc-api-key/);
});
