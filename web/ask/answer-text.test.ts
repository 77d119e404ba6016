import { expect, test } from 'vitest';
import { readAnswer } from './answer-text.ts';

test('an answer is paragraphs and lists of text, code and numbers of sources', () => {
  expect(readAnswer('`send` sends mail [1][2].\n\nAlso:\n- `list[3]` here\n- <b>there</b>')).toEqual([
    {
      as: 'paragraph',
      stretches: [
        { as: 'code', text: 'send' },
        { as: 'text', text: ' sends mail ' },
        { as: 'source', number: 1 },
        { as: 'source', number: 2 },
        { as: 'text', text: '.' },
      ],
    },
    { as: 'paragraph', stretches: [{ as: 'text', text: 'Also:' }] },
    {
      as: 'list',
      items: [
        [
          { as: 'code', text: 'list[3]' },
          { as: 'text', text: ' here' },
        ],
        [{ as: 'text', text: '<b>there</b>' }],
      ],
    },
  ]);
});
