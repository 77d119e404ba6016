import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceAt } from '../source.ts';
import { indexOf, type OurIndex } from './our-index.ts';

const USAGE = `node lab/oracles/overloads.ts <folder of bare repositories, as owner+name/repo>

Counts how many uses of overloads lead to the right one, of those in overload-cases.json: uses of C# and Kotlin drawn at
random and read by hand, each as path, line, column and the path and line of the overload that is meant.`;

interface Cases {
  repository: string;
  commit: string;
  cases: [path: string, line: number, column: number, target: string, targetLine: number][];
}

const [mirrors] = process.argv.slice(2);
if (mirrors === undefined) {
  console.log(USAGE);
  process.exitCode = 1;
} else await main(mirrors);

async function main(folder: string): Promise<void> {
  const text = readFileSync(join(import.meta.dirname, 'overload-cases.json'), 'utf8');
  for (const cases of JSON.parse(text) as Cases[]) {
    const source = sourceAt(join(folder, cases.repository.replace('/', '+'), 'repo'));
    if (source.commit !== cases.commit) console.log(`${cases.repository} is at another commit: ${source.commit}`);
    const work = mkdtempSync(join(tmpdir(), 'svc-overloads-'));
    try {
      console.log(`${cases.repository}: ${count(cases, await indexOf(source, work, false))}`);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

function count({ cases }: Cases, { symbols, uses }: OurIndex): string {
  const byLocation = Map.groupBy(uses, ({ path, line, column }) => `${path}:${line}:${column}`);
  const counts = { right: 0, amongOthers: 0, wrong: 0, none: 0 };
  for (const [path, line, column, target, targetLine] of cases) {
    // Making an instance is a use of the class too.
    const meant = (byLocation.get(`${path}:${line}:${column}`) ?? []).filter(
      ({ symbol }) => symbols[symbol]?.kind === 'method' || symbols[symbol]?.kind === 'function',
    );
    const isRight = meant.some(({ symbol }) => symbols[symbol]?.path === target && symbols[symbol].line === targetLine);
    if (isRight) counts[meant.length === 1 ? 'right' : 'amongOthers'] += 1;
    else counts[meant.length === 0 ? 'none' : 'wrong'] += 1;
  }
  return `right ${counts.right}, right and others ${counts.amongOthers}, wrong ${counts.wrong}, none ${counts.none} of ${cases.length}`;
}
