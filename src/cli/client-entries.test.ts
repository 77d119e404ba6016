import { expect, test } from 'vitest';
import { clientEntries } from './client-entries.ts';

test('no entry puts the key into a file of the project', () => {
  const entries = clientEntries('http://127.0.0.1:4000', 'svc_live_secret');

  const ofProject = entries.filter(({ file }) => file !== '' && !file.startsWith('~/'));
  expect(ofProject.map(({ client }) => client)).toEqual(['VS Code']);
  for (const { text } of ofProject) {
    expect(text).not.toContain('svc_live_');
    expect(JSON.parse(text)).toMatchObject({ inputs: [{ id: 'svc-api-key', password: true }] });
  }
});
