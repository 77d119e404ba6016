import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { parseQuestion } from '../question/question.ts';
import { askStructure } from './ask-structure.ts';

const MAIL = { path: 'src/mail.ts', start: 1, end: 1, kind: 'file', body: 'send();' };
const IMPORT = { from: 'src/a.ts', to: 'src/mail.ts', relation: 'imports', hop: 1, grade: 'exact' };

/** What is said of a structure that has one import of `src/mail.ts`, and documents of some sections. */
async function ask(question: string, ...sections: string[]) {
  const { tools } = scriptedTools((name, { action, query }) => {
    if (name === 'search-tool') return sections.map((text) => ({ corpus: 'documents', id: text, score: 1 }));
    if (name === 'document-search-tool') return [{ text: query }];
    if (action === 'dependencies') return [IMPORT];
    return action === 'definition' ? [MAIL] : [];
  });
  return askStructure(tools, parseQuestion(question), 'standard');
}

test('where nothing is called as the question says, that is told of three names, with the least confidence', async () => {
  const found = await ask('Are there import cycles in src/bank, src/post, src/shop or src/tax?');

  expect(found?.lead).toMatch(/^No folder, package or file is called “src\/bank”, “src\/post”, “src\/shop” and 1 more/);
  expect(found?.confidence).toBe(0.3);
});

test('a document gives a reason with more than half of the words, of which an answer is a little surer', async () => {
  const found = await ask(
    'Why is the ledger split from billing modules?',
    'Billing split the ledger.',
    'Billing ledger.',
  );
  const sentences = found?.composed.paragraphs.flatMap((paragraph) => paragraph.sentences) ?? [];

  expect(sentences.map(({ text }) => text)).toEqual([expect.stringContaining('Billing split the ledger.')]);
  expect(found?.confidence).toBe(0.4);
});

test('what depends on a file is followed over two steps by the call that comes next', async () => {
  const found = await ask('What depends on `src/mail.ts`?');

  expect(found?.composed.next).toEqual(['code-tool dependencies query="src/mail.ts" depth=2']);
});
