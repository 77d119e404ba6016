import { expect, test } from 'vitest';
import { passagesOf, type Section } from './passages.ts';
import { quotePassage } from './quoted.ts';
import type { Wish } from './wish.ts';

const MAILS: Wish = {
  about: 'How are night mails sent?',
  own: new Map([
    ['night', 3],
    ['mail', 1],
  ]),
  beside: new Map(),
  literals: [],
};

/** How the best passage of a text is told in so many characters. */
function tell(text: string, most: number, more: Partial<Section> = {}): string | undefined {
  const [best] = passagesOf({ heading: '', title: '', path: '', isOld: false, text, ...more }, MAILS);
  return best && quotePassage(best, MAILS, most).shown;
}

const LEAD = 'Night mails are sent so:';
const LIST = ['- by the desk', '- by night, alone', '- by hand'].join('\n');
const REST = 'The desk is closed then. It opens at nine.';

test('a quote begins with the blocks that belong to what answers, and goes on with what stands behind them where that is short', () => {
  const text = [REST, `${LEAD}\n\n${LIST}`, 'Nobody reads them.'].join('\n\n');
  const list = `${LEAD} by the desk · by night, alone · by hand`;

  expect(tell(text, 400)).toBe(`${list} Nobody reads them.`);
  expect(tell(text, 90)).toBe(`${list} Nobody reads them.`);
  expect(tell(text, 70)).toBe(list);
});

test('of a list that is too long the items with words of the question are told, and how many more there are', () => {
  const long = ['- by the desk, which is open all day', '- by night, alone', '- by hand, at nine, with a pen'].join(
    '\n',
  );

  expect(tell(`${LEAD}\n\n${long}`, 60)).toBe(`${LEAD} by night, alone · … 2 more`);
});

test('a row of a table is told with the head of it, cell by cell', () => {
  const rows = ['| mail | sent |', '|---|---|', '| by day, in the shop, at the desk | no |', '| night mail | yes |'];

  expect(tell(rows.join('\n'), 40)).toBe('mail, sent · night mail, yes · … 1 more');
});

test('what is said of a term is told under it, with its notes, and short code with its lead', () => {
  const text = ['``night_mail``', '  Whether it is sent.', '', '  *Default*: yes', '', 'desk', '  Who sends.'].join(
    '\n',
  );
  const [best] = passagesOf({ heading: 'Settings', title: '', path: '', isOld: false, text }, MAILS);

  expect(best?.section.heading).toBe('Settings › night_mail');
  expect(tell(text, 400)).toBe('Whether it is sent. *Default*: yes');
  expect(tell('Night mails are sent by this line::\n\n    send(mail)', 400)).toBe(
    'Night mails are sent by this line:: `send(mail)`',
  );
  expect(tell('Night mails are sent by this line:\n\n    send(`night ${mail}`)', 400)).toBe(
    'Night mails are sent by this line: ``send(`night ${mail}`)``',
  );
});

test('a lead is not told without what it leads to', () => {
  const code = `    ${'send(mail) '.repeat(20)}`;

  expect(tell(`Night mails are sent late. They are sent by this:\n\n${code}`, 400)).toBe('Night mails are sent late.');
});

test('a change is told alone, with what is said of it below', () => {
  const changes = ['- add pens', '- send night mails', '  - not at nine', '- drop ink'].join('\n');

  expect(tell(changes, 400, { isOld: true })).toBe('send night mails · not at nine');
});

test('all that is told stands in the text of its source', () => {
  const text = `${LEAD}\n\n${LIST}\n\nNobody reads them.`;
  const [best] = passagesOf({ heading: '', title: '', path: '', isOld: false, text }, MAILS);

  for (const most of [30, 60, 90, 400]) expect(text).toContain(best && quotePassage(best, MAILS, most).text);
});

test('an item that only names those in it is none, and code in an item is told when it is short', () => {
  const changes = ['- New things', '  * send night mails', '  * add pens'].join('\n');

  expect(tell(changes, 400, { isOld: true })).toBe('send night mails');
  expect(tell('1. Send night mails\n   ```\n   send(mail)\n   ```\n2. Wait', 400)).toBe(
    'Send night mails send(mail) · Wait',
  );
  expect(tell(`1. Send night mails\n   \`\`\`\n   ${'send(mail) '.repeat(20)}\n   \`\`\`\n2. Wait`, 400)).toBe(
    'Send night mails · Wait',
  );
});

test('of a list behind what is told its first items are, when a hundred and sixty characters are left', () => {
  const list = ['- by the desk, which is open', '- by hand', `- ${'by a very long way '.repeat(12)}`].join('\n');
  const text = `Night mails are sent late.\n\n${list}`;

  expect(tell(text, 26 + 159)).toBe('Night mails are sent late.');
  expect(tell(text, 26 + 161)).toBe('Night mails are sent late. by the desk, which is open · by hand · … 1 more');
});
