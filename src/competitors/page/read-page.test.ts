import { expect, test } from 'vitest';
import { pageKind } from './page-kind.ts';
import { blocksOfText, isLike, type PageText, textOfBlocks } from './page-text.ts';
import { readPage } from './read-page.ts';

function read(html: string, selection: { include?: string[]; remove?: string[]; ignore?: string[] } = {}): PageText {
  return readPage(html, { include: [], remove: [], ignore: [], ...selection });
}
const texts = (html: string, selection = {}): string[] => read(html, selection).blocks.map(({ text }) => text);

const PROSE = '<p>A paragraph with quite a few words that make up the content of this page.</p>'.repeat(3);

test('tables, lists, code and headings become blocks; text that nobody sees does not', () => {
  const html = `<main><h2>Plans <i>2027</i></h2><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Team</td><td><p>$20</p></td></tr></table>
    <ul><li>One<ul><li>Two</li></ul></li></ul><pre>a\nb</pre><p>\u201cQuoted\u201d so\u00ADft&nbsp;text</p><script>x()</script><style>y</style><p hidden>secret</p></main>`;

  expect(read(html).blocks.map(({ text, level }) => [text, level])).toEqual([
    ['Plans 2027', 2],
    ['Plan | Price', 0],
    ['Team | $20', 0],
    ['One', 0],
    ['Two', 0],
    ['a', 0],
    ['b', 0],
    ['"Quoted" soft text', 0],
  ]);
});

test.each([
  ['navigation and footer', `<nav><a href="/a">Docs</a></nav>${PROSE}<footer>© Acme</footer>`],
  ['dialogs', `<div role="dialog"><p>We use cookies</p></div>${PROSE}`],
  ['named by its author', `<div class="site-footer"><ul><li><a href="/x">Imprint</a></li></ul></div>${PROSE}`],
  ['links beside the content', `<div><a href="/a">Home</a> <a href="/b">About</a></div><div>${PROSE}</div>`],
  ['a small form', `${PROSE}<form><label>Get news <input></label><button>Subscribe</button></form>`],
  [
    'related pages',
    `${PROSE}<section class="related"><h3>Related posts</h3><ul><li><a href="/p">How we write</a></li></ul></section>`,
  ],
])('left out: %s', (_what, html) => {
  expect(texts(html)).toEqual(
    Array.from({ length: 3 }, () => 'A paragraph with quite a few words that make up the content of this page.'),
  );
});

test('a form of plans and an aside in the content stay', () => {
  const contents = texts(
    `<main>${PROSE}<form><table><tr><td>Team</td><td>$20</td></tr></table></form><aside><p>Prices without tax.</p></aside></main>`,
  );

  expect(contents).toEqual(expect.arrayContaining(['Team | $20', 'Prices without tax.']));
});

test('selectors and patterns choose; a selector that is none is refused', () => {
  const html = `<main><h1>Plans</h1><div class="a"><p>Team $20</p><p>Today: 5 °C</p></div><div class="b">Weather</div></main>`;

  expect(texts(html, { include: ['.a'], ignore: ['today:*°C'] })).toEqual(['Team $20']);
  expect(texts(html, { remove: ['.a', 'h1'] })).toEqual(['Weather']);
  expect(() => texts(html, { include: ['['] })).toThrow('"[" is not a CSS selector.');
  expect([isLike('Seen 12 times', 'seen*times'), isLike('Seen often', 'seen*times')]).toEqual([true, false]);
});

test('a page without text and with scripts is an empty shell; a page nested too deep is refused', () => {
  expect(read('<body><div id="root"></div><script src="a.js"></script></body>').isEmptyShell).toBe(true);
  expect(read('<main><h1>Short</h1></main>').isEmptyShell).toBe(false);
  expect(read('<main><p>$4 a month</p></main><script src="a.js"></script>').isEmptyShell).toBe(false);
  expect(() => read('<div>'.repeat(60_000))).toThrow('nested deeper than 400 levels');
});

test.each([
  ['https://a.example/', 'positioning'],
  ['https://a.example/en-gb/', 'positioning'],
  ['https://a.example/docs/pricing', 'pricing'],
  ['https://a.example/release-notes.html', 'changelog'],
  ['https://a.example/about/policies/terms', 'legal'],
  ['https://a.example/company/careers', 'jobs'],
  ['https://a.example/docs/install', 'docs'],
  ['https://a.example/integrations', 'feature'],
  ['https://a.example/x1', 'other'],
])('kind of %s: %s', (url, kind) => {
  expect(pageKind(url)).toBe(kind);
});

test('blocks are kept as text and read from it again', () => {
  const blocks = [
    { text: 'Plans', level: 1, place: '' },
    { text: '#1 in its class', level: 0, place: '' },
    { text: 'Team | $20', level: 0, place: '' },
  ];

  expect(textOfBlocks(blocks)).toBe('# Plans\n#1 in its class\nTeam | $20');
  expect(blocksOfText(textOfBlocks(blocks))).toEqual(blocks);
  expect(blocksOfText('')).toEqual([]);
});

test('where the address says nothing, the title does', () => {
  expect(pageKind('https://a.example/x1', ['Pricing | Acme'])).toBe('pricing');
});
