import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Measures the share of expected results among the first answers of `search-tool`, over the sample product: start the service
 * in this checkout with an empty data folder, then `node lab/search/index.ts <url> <API key>`.
 */

interface Case {
  query: string;
  /** `corpus:part of the title, handle, place or text`. */
  expected: string[];
}

interface Hit {
  corpus: string;
  id: string;
  title: string;
  where: string;
}

const [url = '', key = ''] = process.argv.slice(2);
const cases = JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')) as Case[];
const ranks: number[][] = [];
const missed: string[] = [];
for (const { query, expected } of cases) {
  const hits = await search(query);
  const targets = expected.map((target) => ({ target, at: hits.findIndex((hit) => isTarget(hit, target)) }));
  ranks.push(targets.map(({ at }) => (at === -1 ? Number.POSITIVE_INFINITY : at + 1)));
  missed.push(...targets.filter(({ at }) => at === -1).map(({ target }) => `${query} -> ${target}`));
}
const all = ranks.flat();
const share = (most: number): string => ((100 * all.filter((rank) => rank <= most).length) / all.length).toFixed(1);
const firsts = ranks.map((each) => 1 / Math.min(...each));
const reciprocal = firsts.reduce((sum, rank) => sum + rank, 0) / firsts.length;
process.stdout.write(
  `${cases.length} questions, ${all.length} things to find: ${share(5)} % in the first 5, ${share(10)} % in the first 10, ` +
    `mean reciprocal rank ${reciprocal.toFixed(3)}\n${missed.map((line) => `missed: ${line}\n`).join('')}`,
);

async function search(query: string): Promise<Hit[]> {
  const response = await fetch(`${url}/v1/tools/search-tool`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ query, limit: 10, max_tokens: 20_000 }),
  });
  if (!response.ok) throw new Error(`The service answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { rows: Hit[] }).rows;
}

function isTarget({ corpus, id, title, where }: Hit, target: string): boolean {
  const colon = target.indexOf(':');
  const text = target.slice(colon + 1).toLowerCase();
  return corpus === target.slice(0, colon) && `${title} ${id} ${where}`.toLowerCase().includes(text);
}
