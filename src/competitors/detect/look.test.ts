import { expect, test } from 'vitest';
import { readPage } from '../page/read-page.ts';
import { blocksOfText, type PageText } from '../page/page-text.ts';
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

  expect((await look(state, STORY.replace('$20', '$25'))).fetches).toBe(3);
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

/** Looks at pages of these lines, of which each fetch shows the same. */
async function lookAtLines(
  state: PageState | undefined,
  lines: readonly string[],
  more: Partial<PageText> & { url?: string } = {},
): Promise<{ look: Look; fetches: number }> {
  const { url = 'https://acme.example/page', ...page } = more;
  let fetches = 0;
  const shown = { title: '', blocks: blocksOfText(lines.join('\n')), isEmptyShell: false, isFeed: false, ...page };
  const result = await lookAt({ url, state, fetch: () => ((fetches += 1), Promise.resolve(shown)) });
  if (result === undefined) throw new Error('The look failed.');
  return { look: result, fetches };
}

/** So many words, each with this beginning. */
const words = (count: number, begin: string): string => Array.from({ length: count }, (_, at) => begin + at).join(' ');

/** Looks at a page of a hundred words that keeps so many of them and has ten more. */
async function lookAtRest(retained: number, before?: PageState): Promise<Look> {
  const { state } = before === undefined ? (await lookAtLines(undefined, [words(100, 'w')])).look : { state: before };
  return (await lookAtLines(state, [words(retained, 'w')])).look;
}

test('a page that keeps less than a quarter of its words is doubted, and believed when it stays', async () => {
  const doubted = await lookAtRest(24);

  expect(doubted).toMatchObject({ isReplaced: true, state: { isDoubted: true } });
  expect(await lookAtRest(24, doubted.state)).toMatchObject({ change: {}, state: { isDoubted: false } });
  expect(await lookAtRest(25)).toMatchObject({ change: {}, state: { isDoubted: false } });
  // It came back, so the next time it is doubted again.
  const back = await lookAtRest(100, doubted.state);
  expect(back.change).toBeUndefined();
  expect(await lookAtRest(24, back.state)).toMatchObject({ isReplaced: true });
});

test('a page that stays with a tenth of its words is a high change that says so, one with a word more is none', async () => {
  const subjects = async (retained: number): Promise<(string | undefined)[]> => {
    const { change } = await lookAtRest(retained, (await lookAtRest(retained)).state);
    return [change?.severity, ...(change?.statements ?? []).map(({ kind }) => kind)];
  };

  expect((await subjects(10)).slice(0, 2)).toEqual(['high', 'page']);
  expect(await subjects(11)).not.toContain('page');
  const { change } = await lookAtRest(10, (await lookAtRest(10)).state);
  expect(change?.statements[0]?.text).toBe('The page shows only 10 of 100 words: "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9"');
  const signs = await lookAtLines((await lookAtLines(undefined, ['***'])).look.state, ['+++']);
  expect(signs.look.change?.statements.map(({ kind }) => kind)).not.toContain('page');
});

test('a feed is fetched once, its old entries may go, and five hundred that were seen are remembered', async () => {
  const entries = Array.from({ length: 500 }, (_, at) => `entry ${'x'.repeat(at + 1)}`);
  const first = await lookAtLines(undefined, entries, { isFeed: true });
  const fewer = await lookAtLines(first.look.state, entries.slice(0, 3), { isFeed: true });
  const news = await lookAtLines(fewer.look.state, ['news', ...entries.slice(0, 3)], { isFeed: true });

  expect([first.fetches, fewer.fetches]).toEqual([1, 1]);
  expect(fewer.look.change).toBeUndefined();
  expect(news.look.change).toMatchObject({ kind: 'changelog', added: ['news'], removed: [] });
  expect(news.look.state.blocks.map(({ text }) => text)).toEqual(['news', ...entries.slice(0, 499)]);
});

test('a page whose address says nothing has the kind of its title, else of its first heading', async () => {
  const kindOf = async (lines: string[], title = ''): Promise<string | undefined> => {
    const { state } = (await lookAtLines(undefined, [...lines, words(9, 'old')], { title })).look;
    return (await lookAtLines(state, [...lines, words(9, 'new'), ...lines], { title })).look.change?.kind;
  };

  expect(await kindOf(['We have jobs', '# Pricing', '# Careers'])).toBe('pricing');
  expect(await kindOf(['We have jobs', '# Acme', '# Careers'])).toBe('other');
  expect(await kindOf(['# Acme', words(9, 'same')], 'Careers')).toBe('jobs');
});
