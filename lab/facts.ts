import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { Extractors, NotExtracted } from '../src/languages/extract/extract.ts';
import { encodeFacts } from '../src/languages/facts/facts-codec.ts';
import type { FileFacts } from '../src/languages/facts/facts.ts';
import { LARGEST_FILE_BYTES, languageOfPath } from '../src/languages/languages.ts';
import { openObjects } from '../src/platform/git/git-objects.ts';
import type { FactsReading } from './facts-child.ts';
import { readByName, readByOffset } from './facts-reading.ts';
import { median } from './measure.ts';
import type { Row } from './report.ts';
import type { Source } from './source.ts';

/** Processes of each way, which take turns. */
const ROUNDS = 9;
const PASSES = 50;
const WAYS = ['names', 'offsets'] as const;

/**
 * Measures reading facts by the names of their columns beside the same walk over the plain arrays. Each round is a process of
 * its own, because an index run reads most rows once or twice, before anything is compiled.
 */
export async function benchFacts(source: Source): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-facts-'));
  try {
    const facts = await extractAll(source);
    const sums = [readByName, readByOffset].map((read) => facts.reduce((sum, file) => (sum + read(file)) | 0, 0));
    if (sums[0] !== sums[1]) throw new Error(`the two ways read different numbers: ${sums.join(' and ')}`);
    const file = join(folder, 'facts');
    writeFileSync(file, serialize(facts.map(encodeFacts)));
    const readings = { names: [] as FactsReading[], offsets: [] as FactsReading[] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const method of round % 2 === 0 ? WAYS : WAYS.toReversed()) readings[method].push(readOnce(method, file));
    return readingRows(readings, facts);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The facts of all files of the commit that an index would have. */
async function extractAll({ gitDir, commit }: Source): Promise<FileFacts[]> {
  await using objects = await openObjects(gitDir);
  const { files } = await objects.listTree(commit);
  const extractors = new Extractors();
  const facts: FileFacts[] = [];
  for (const { path, blob, sizeBytes } of files) {
    const { parser } = languageOfPath(path);
    if (parser === undefined || sizeBytes <= 0 || sizeBytes > LARGEST_FILE_BYTES) continue;
    for await (const { bytes } of objects.readBlobs([blob])) {
      if (bytes === undefined) continue;
      try {
        facts.push(await extractors.extract(parser, new TextDecoder().decode(bytes)));
      } catch (error) {
        if (!(error instanceof NotExtracted)) throw error;
      }
    }
  }
  return facts;
}

function readOnce(method: (typeof WAYS)[number], file: string): FactsReading {
  const child = join(import.meta.dirname, 'facts-child.ts');
  const output = execFileSync(process.execPath, [child, method, file, String(PASSES)], { encoding: 'utf8' });
  return JSON.parse(output) as FactsReading;
}

const row = (name: string, value: number, unit: string, note = ''): Row => ({
  topic: 'facts',
  name,
  value,
  unit,
  note,
});

function readingRows(readings: Record<(typeof WAYS)[number], FactsReading[]>, facts: readonly FileFacts[]): Row[] {
  const rows = [
    row('files', facts.length, ''),
    row(
      'definitions',
      facts.reduce((sum, { definitions }) => sum + definitions.count, 0),
      '',
    ),
    row(
      'references',
      facts.reduce((sum, { references }) => sum + references.count, 0),
      '',
    ),
  ];
  for (const [name, ms] of [
    ['first pass', ({ firstMs }: FactsReading) => firstMs],
    [`${PASSES} passes`, ({ allMs }: FactsReading) => allMs],
  ] as const) {
    const [named, plain] = WAYS.map((method) => median(readings[method].map(ms))) as [number, number];
    rows.push(row(`${name} by names of columns`, named, 'ms', 'processor time, median'));
    rows.push(row(`${name} by offsets`, plain, 'ms'));
    rows.push({ ...row(`${name}, names / offsets`, named / plain, 'x'), goal: '<= 1' });
  }
  return rows;
}
