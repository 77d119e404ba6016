import { setTimeout } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { median } from './measure.ts';
import type { Row } from './report.ts';
import type { Serving } from './serving.ts';

const TOPIC = 'web';
const SIGNALS = 10_000;
const BATCH = 2_000;
const WORDS = ['export', 'login', 'invoice', 'dashboard', 'report', 'sync', 'search', 'import', 'billing'];
const SAYS = [
  'is slow with many rows',
  'fails with an error',
  'should remember the last choice',
  'confuses new people',
];
const SOURCES = ['support', 'survey', 'reviews', 'sales', 'forum', 'interviews'];
const WHEEL_TURNS = 150;
const NAVIGATIONS = 300;
/** Code and caches that come with the first visits are not what grows. */
const WARM_UP = 30;
/** Threads that read signals and themes have ended, as far as a list shows it. */
const SETTLE_MS = 5_000;

/** Runs in the page; text, because the types of these files know no page. Resolves with ms until the list has other rows. */
const filterBy = (source: string): string => `new Promise((resolve) => {
  const main = document.querySelector('main');
  const select = [...main.querySelectorAll('select')].find(({ options }) =>
    [...options].some(({ value }) => value === '${source}'));
  // The filters show what was chosen before the list does.
  const firstRow = () => main.querySelector('li[data-index]')?.textContent;
  const before = firstRow();
  const begun = performance.now();
  new MutationObserver((_, observer) => {
    if (firstRow() === undefined || firstRow() === before) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - begun));
  }).observe(main, { subtree: true, childList: true, characterData: true });
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(select, '${source}');
  select.dispatchEvent(new Event('change', { bubbles: true }));
})`;

const WATCH_FRAMES = `(() => {
  window.frames_ = { longest: 0, tasks: 0, on: true };
  let last = performance.now();
  const frame = (now) => {
    window.frames_.longest = Math.max(window.frames_.longest, now - last);
    last = now;
    if (window.frames_.on) requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  new PerformanceObserver((list) => { window.frames_.tasks += list.getEntries().length; }).observe({ type: 'longtask' });
})()`;

/** Lists of 10,000 signals, and what 300 pages leave in memory. */
export async function benchLists(context: BrowserContext, service: Serving): Promise<Row[]> {
  await addSignals(service);
  await setTimeout(SETTLE_MS);
  const page = await context.newPage();
  const debug = await context.newCDPSession(page);
  await page.goto(`${service.url}/signals`);
  await page.locator('main li[data-index]').first().waitFor();
  // The sources are asked for beside the rows.
  await page.locator(`main option[value=${SOURCES[0]}]`).waitFor({ state: 'attached' });
  const filters = await filterTimes(debug);
  const frames = await scrollFrames(page, debug);
  const { before, after } = await heapOverPages(page, debug);
  await page.close();
  const most = Math.max(...filters).toFixed(0);
  return [
    {
      topic: TOPIC,
      name: `filter of ${SIGNALS.toLocaleString('en')} signals until the list shows it`,
      value: median(filters),
      unit: 'ms',
      goal: '<= 100',
      note: `slowest of ${filters.length}: ${most}`,
    },
    {
      topic: TOPIC,
      name: 'longest frame while they scroll',
      value: frames.longest,
      unit: 'ms',
      note: `${frames.tasks} tasks over 50 ms, ${frames.rows} rows in the document`,
    },
    { topic: TOPIC, name: `heap after ${WARM_UP} pages`, value: before / 1e6, unit: 'MB' },
    { topic: TOPIC, name: `heap after ${NAVIGATIONS} more`, value: after / 1e6, unit: 'MB', goal: 'the same' },
  ];
}

async function addSignals(service: Serving): Promise<void> {
  for (let from = 0; from < SIGNALS; from += BATCH) {
    const signals = Array.from({ length: BATCH }, (_, at) => {
      const number = from + at;
      const text = `The ${WORDS[number % WORDS.length]} ${SAYS[number % SAYS.length]}, says ticket ${number}.`;
      const date = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
      const source = SOURCES[number % SOURCES.length];
      return {
        text,
        source,
        external_id: `t${number}`,
        customer: `Company ${number % 400}`,
        value: number % 400,
        date,
      };
    });
    await service.owner('POST', '/v1/signals', { signals });
  }
}

/** Each source once, so that none is answered from what the page keeps. */
async function filterTimes(debug: CDPSession): Promise<number[]> {
  const times: number[] = [];
  for (const source of SOURCES) times.push(await evaluate<number>(debug, filterBy(source)));
  return times;
}

async function scrollFrames(page: Page, debug: CDPSession): Promise<{ longest: number; tasks: number; rows: number }> {
  await page.goto(page.url().replace(/\?.*/, ''));
  await page.locator('main li[data-index]').first().waitFor();
  await evaluate(debug, WATCH_FRAMES);
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < WHEEL_TURNS; turn++) await page.mouse.wheel(0, 600);
  return evaluate(
    debug,
    `(window.frames_.on = false, { ...window.frames_, rows: document.querySelectorAll('main li[data-index]').length })`,
  );
}

async function heapOverPages(page: Page, debug: CDPSession): Promise<{ before: number; after: number }> {
  const names = ['Overview', 'Plans', 'Decisions', 'Signals', 'Themes', 'Customers', 'Documents', 'Runs', 'Search'];
  const walk = async (count: number): Promise<number> => {
    for (let at = 0; at < count; at++) {
      const name = names[at % names.length] ?? '';
      await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    }
    await debug.send('HeapProfiler.collectGarbage');
    const { usedSize } = await debug.send('Runtime.getHeapUsage');
    return usedSize;
  };
  const before = await walk(WARM_UP);
  return { before, after: await walk(NAVIGATIONS) };
}

/** Through the debugger, because the page's own policy may forbid to run it. */
async function evaluate<Value>(debug: CDPSession, expression: string): Promise<Value> {
  const answer = await debug.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (answer.exceptionDetails !== undefined)
    throw new Error(`The page cannot be read: ${answer.exceptionDetails.text}`);
  return answer.result.value as Value;
}
