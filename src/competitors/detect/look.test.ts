import { expect, test } from 'vitest';
import { readPage } from '../page/read-page.ts';
import type { PageText } from '../page/page-text.ts';
import { lookAt, type Look, type PageState } from './look.ts';

const NOTHING = { include: [], remove: [], ignore: [] };
const STORY = '<h1>Acme</h1><p>Plans for teams of every size.</p><h2>Team</h2><p>Costs $20 a month.</p>';

/** Looks at pages that come one after the other, the last of them again and again. */
async function look(
  state: PageState | undefined,
  ...pages: (string | undefined)[]
): Promise<{ look: Look; fetches: number }> {
  let fetches = 0;
  const result = await lookAt({
    url: 'https://acme.example/pricing',
    state,
    fetch: async (): Promise<PageText | undefined> => {
      const html = pages[Math.min(fetches, pages.length - 1)];
      fetches += 1;
      return html === undefined ? undefined : readPage(html, NOTHING);
    },
  });
  if (result === undefined) throw new Error('The look failed.');
  return { look: result, fetches };
}

/** The page with a counter and a quote. */
function noisy(count: number, quote: string): string {
  return `${STORY}<blockquote>${quote}</blockquote><p>${count} people look at this</p>`;
}

async function firstState(...pages: string[]): Promise<PageState> {
  return (await look(undefined, ...pages)).look.state;
}

test('a page that says the same is fetched once, whatever its markup and the order of its parts', async () => {
  const state = await firstState(STORY);
  const other = `<div class="x"><h2>Team</h2><div><p>Costs\u00a0$20 a month.</p></div></div><section><h1>Acme</h1>Plans for <b>teams</b> of every size.</section>`;

  const { look: result, fetches } = await look(state, other);

  expect([result.change, fetches]).toEqual([undefined, 1]);
});

test('what differs between fetches of the first look never counts, with other numbers either', async () => {
  const state = await firstState(noisy(3, 'Great!'), noisy(9, 'Fine.'), noisy(5, 'Super.'), noisy(5, 'Nice.'));

  expect((await look(state, noisy(77, 'Never seen before.'))).look.change).toBeUndefined();
});

test('a page has the kind of its address, and one that stays with a tenth of its words is stated as such', async () => {
  const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
  const state = await firstState(`${STORY}<p>${words}</p>`);
  const priced = await look(state, `${STORY.replace('$20', '$25')}<p>${words}</p>`);
  const doubted = await look(state, '<p>Back soon, we promise.</p>');

  const collapsed = await look(doubted.look.state, '<p>Back soon, we promise.</p>');

  expect([priced.look.change?.kind, doubted.look.isReplaced]).toEqual(['pricing', true]);
  expect(collapsed.look.change?.statements[0]?.text).toMatch(/^The page shows only 4 of \d\d words: "Back soon/);
});

test('a variant that only the second fetch unmasks is no change, and is known from then on', async () => {
  const state = await firstState(`${STORY}<p>Try it free</p>`);
  const [a, b] = [`${STORY}<p>Start now</p>`, `${STORY}<p>Try it free</p>`];

  const first = await look(state, a, b, a);
  expect([first.look.change, first.fetches]).toEqual([undefined, 2]);
  expect((await look(first.look.state, a)).fetches).toBe(1);
});

test('a heading over nothing but noise comes and goes without a word', async () => {
  const customers = (names: string): string => `${STORY}<h2>Trusted by</h2><ul>${names}</ul>`;
  const state = await firstState(customers('<li>One</li>'), customers('<li>Two</li>'), customers('<li>Six</li>'));

  expect((await look(state, STORY)).look.change).toBeUndefined();
  // One over what stays is told.
  const renamed = STORY.replace('<h2>Team', '<h2>Crew');
  expect((await look(state, renamed)).look.change).toMatchObject({ added: ['Crew'], removed: ['Team'] });
});

test('a change is told with its texts; what moved is not among them', async () => {
  const state = await firstState(`${STORY}<p>Old words here.</p>`);

  const { look: result } = await look(state, `<p>New words now.</p>${STORY}`);

  expect(result.change).toMatchObject({ added: ['New words now.'], removed: ['Old words here.'] });
  expect((await look(result.state, `<p>New words now.</p>${STORY}`)).look.change).toBeUndefined();
});

test('a failed fetch in the middle ends the look without a result', async () => {
  const state = await firstState(STORY);

  await expect(look(state, `${STORY}<p>More</p>`, undefined)).rejects.toThrow('The look failed.');
});
