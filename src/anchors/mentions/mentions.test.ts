import { expect, test } from 'vitest';
import { mentionOf, collectCandidates, writtenAs } from './mentions.ts';
import { mentionsOfText } from '../../plans/text/plan-text.ts';

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src/a.ts:10', 'src/a.ts:10'],
  ['src/a.ts:10-20', 'src/a.ts:10-20'],
  ['src/a.ts#L10-L20', 'src/a.ts:10-20'],
  ['src/routes/[id]/$slug.tsx', 'src/routes/[id]/$slug.tsx'],
  ['package.json', 'package.json'],
  ['Dockerfile', 'Dockerfile'],
  ['sendMail()', 'sendMail'],
  ['Mailer.send', 'Mailer/send'],
  ['Mailer#send', 'Mailer/send'],
  ['Mailer.#send', 'Mailer/#send'],
  ['this.#send()', '#send'],
  ['#send', '#send'],
  ['Mailer.on-error', 'Mailer/on-error'],
  ['by-name.on-error', undefined],
  ['Weights.Less', 'Weights/Less'],
  ['ctx.JSON', 'ctx/JSON'],
  ['README.MD', 'README.MD'],
  ['app.css', 'app.css'],
  ['mail::Mailer::send', 'mail/Mailer/send'],
  ['sym:Mailer/send@src/mail.ts', 'Mailer/send@src/mail.ts'],
  ['conf/app.abcdefghijkl', 'conf/app.abcdefghijkl'],
  ['conf/app.abcdefghijklm', 'conf/app/abcdefghijklm'],
  ['a.b.c.d.e.F', 'a/b/c/d/e/F'],
  ['a.b.c.d.e.f.G', undefined],
  [`send(${'x'.repeat(294)})`, 'send'],
  [`send(${'x'.repeat(295)})`, undefined],
  ['npm run build', undefined],
  ['a < b', undefined],
  ['', undefined],
])('%j in back-quotes means %s', (written, meant) => {
  const mention = mentionOf(written);

  expect(mention && writtenAs(mention)).toBe(meant);
});

test('code is named in back-quotes, links and paths of running text, never in fenced examples or addresses', () => {
  const text = [
    'Change `sendMail` and [the client](../src/mail/client.ts#L3), then src/jobs/retry.ts; see e.g. node.js',
    'and conf/app.abcdefghijkl, not conf/app.abcdefghijklm,',
    'and https://example.com/a/b.html or [there](https://example.com/src/c.ts).',
    '',
    '```ts',
    'import { x } from "src/example.ts";',
    '```',
  ].join('\n');

  expect(mentionsOfText(text).map(writtenAs)).toEqual([
    'sendMail',
    'src/mail/client.ts:3',
    'src/jobs/retry.ts',
    'conf/app.abcdefghijkl',
  ]);
});

test('a path beside a symbol says where the symbol is; one that also stands alone is meant itself', () => {
  const { candidates, placing } = collectCandidates(
    mentionsOfText(
      '- Adapt `sendMail` in `src/mail.ts`.\n- Adapt `retry` in `src/jobs.ts`.\n- Rework `src/jobs.ts`.\n',
    ),
  );

  expect(candidates.map(({ written, near }) => [written, near])).toEqual([
    ['sendMail', ['src/mail.ts']],
    ['src/mail.ts', ['src/mail.ts']],
    ['retry', ['src/jobs.ts']],
    ['src/jobs.ts', ['src/jobs.ts', 'src/jobs.ts']],
  ]);
  expect([...placing]).toEqual([['src/mail.ts', ['sendMail']]]);
});
