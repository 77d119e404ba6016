import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import readXlsxFile from 'read-excel-file/node';
import { readTable } from '../../src/platform/csv.ts';
import { messages } from './corpus.ts';

/** A message with its class, and where it comes from. */
export interface Labelled {
  text: string;
  label: string;
  source: string;
}

const TONES = new Set(['positive', 'neutral', 'negative']);
const INTENTS: Record<string, string> = {
  'problem discovery': 'bug',
  'feature request': 'request',
  'information seeking': 'question',
};

/** Messages by tone, of all sources in `corpus.ts`. */
export async function readTones(mirror: string): Promise<Labelled[]> {
  const { airlines, tweets, german, reviews } = messages;
  const flown = readTable(show(mirror, airlines, airlines.file)).map((row) => toLabelled(row[3], row[1], 'airlines'));
  const english = tweets.files.flatMap((file) =>
    readTable(show(mirror, tweets, file)).map((row) => toLabelled(row[0], row[1], 'tweets')),
  );
  const germans = german.files.flatMap(({ path, label, text }) =>
    show(mirror, german, path)
      .split('\n')
      .map((line) => line.split('\t'))
      .map((row) => toLabelled(row[text], row[label], 'german')),
  );
  const [sheet] = await readXlsxFile(readPublicFile(mirror, reviews, reviews.stars));
  const [head = [], ...rows] = sheet?.data ?? [];
  const at = (name: string): number => head.indexOf(name);
  const starred = rows.map((row) => {
    const text = [row[at('title')], row[at('review')]].filter((part) => typeof part === 'string').join('\n\n');
    const stars = Number(row[at('rating')]);
    return toLabelled(text, stars > 3 ? 'positive' : stars < 3 ? 'negative' : 'neutral', 'reviews');
  });
  return [...flown, ...english, ...germans, ...starred].filter(({ text, label }) => text !== '' && TONES.has(label));
}

/** Reviews by what they are: bug, request, question, other. */
export function readIntents(mirror: string): Labelled[] {
  const { reviews } = messages;
  return readTable(show(mirror, reviews, reviews.intents))
    .slice(1)
    .map(([, text = '', intent = '']) => ({ text, label: INTENTS[intent] ?? 'other', source: 'reviews' }))
    .filter(({ text }) => text !== '');
}

function toLabelled(text: unknown, label: unknown, source: string): Labelled {
  return { text: typeof text === 'string' ? text : '', label: typeof label === 'string' ? label : '', source };
}

/** A public repository at a commit. */
export interface PublicRepository {
  repository: string;
  commit: string;
}

function show(mirror: string, at: PublicRepository, path: string): string {
  return readPublicFile(mirror, at, path).toString('utf8');
}

/** A file of a repository in a folder of bare mirrors, `<owner>+<name>/repo` each. */
export function readPublicFile(mirror: string, { repository, commit }: PublicRepository, path: string): Buffer {
  const folder = join(mirror, repository.replace('/', '+'), 'repo');
  return execFileSync('git', ['--git-dir', folder, 'show', `${commit}:${path}`], { maxBuffer: 1e8 });
}
