import { expect, test } from 'vitest';
import type { SuspectFile } from '../../code/code.ts';
import { evidenceOf } from './evidence.ts';

test('a file defines what is called like the last part of a name, and not all that the name says', () => {
  const file: SuspectFile = {
    path: 'src/mail.ts',
    likelihood: 0.5,
    parts: { defines: 1 },
    symbols: [],
    names: ['Mailer.send', 'settings.retry', 'send'],
    frames: [],
    literals: [],
  };
  const said = evidenceOf(file, { files: [], commits: [] });

  expect(said.map(({ says }) => says)).toContain('it defines send, retry, which the report names');
});
