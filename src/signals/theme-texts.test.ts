import { expect, test } from 'vitest';
import { childProcesses } from '../testing/processes.ts';
import { batchesOf, ThemeTexts } from './theme-texts.ts';

const WORDS = 'export login invoice page slow crash search filter upload button report email mobile token'.split(' ');

/** Texts that are alike without being the same. */
function texts(count: number): { id: string; text: string }[] {
  return Array.from({ length: count }, (_, at) => {
    const words = Array.from(
      { length: 30 },
      (...[, place]) =>
        `${WORDS[(at * 7 + place * place) % WORDS.length]}${String.fromCharCode(97 + ((at * place) % 26))}`,
    );
    return { id: `s${at}`, text: words.join(' ') };
  });
}

test('texts are compared beside the process that answers questions', async () => {
  const given = texts(1_000);
  const ids = given.map(({ id }) => id);

  await using themes = new ThemeTexts({ signal: new AbortController().signal, watch: undefined });
  await themes.add(given);
  const originals = await themes.fold(ids);
  const { groups } = await themes.group({ ids, repeated: new Set(), fixed: [] });
  const labels = await themes.label([new Map([['all', ids]])]);
  const own = labels.get('all') ?? '';
  const others = await themes.label([new Map([['all', ids]])], { taken: [own.toLowerCase()] });

  const levels = [new Map([['all', ids]]), new Map([['part', ids]])];
  const parts = await themes.label(levels);

  expect(groups.flatMap(({ members }) => members).length).toBeGreaterThan(500);
  expect(labels.size).toBe(1);
  // A theme that is noticed later is not called as one that is there.
  expect(others.get('all')).not.toBe(own);
  expect([...parts.values()]).toEqual([own, own]);
  expect(originals.size).toBeLessThan(1_000);
  expect(childProcesses('theme-process')).toHaveLength(1);
});

test('gathering ends when it is cancelled', async () => {
  const stop = new AbortController();
  await using themes = new ThemeTexts({ signal: stop.signal, watch: undefined });
  await themes.add(texts(100));
  stop.abort(new Error('stopped'));

  await expect(themes.fold(['s0'])).rejects.toThrow('stopped');
});

test('texts are sent in pieces, all of them and in order', () => {
  const long = 'x'.repeat(200_000);
  const given = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, text: long }));

  expect([...batchesOf(given)].map((batch) => batch.map(({ id }) => id).join(''))).toEqual(['abc', 'de']);
  expect([...batchesOf([])]).toEqual([]);
});

test('the service hears of a process that groups texts and ends', async () => {
  const reports: string[] = [];
  const watch = { ended: (_: unknown, { reason }: { reason: string }) => reports.push(reason), ready: () => undefined };
  await using themes = new ThemeTexts({ signal: new AbortController().signal, watch });
  await themes.add(texts(3));
  for (const { pid } of childProcesses('theme-process')) process.kill(pid, 'SIGTERM');

  await expect(themes.fold(['s0'])).rejects.toThrow('ended');
  expect(reports).toEqual(['crashed']);
});
