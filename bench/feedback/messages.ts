import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { readTable } from '../../src/platform/csv.ts';
import { messages } from './corpus.ts';

/** A message with its class, and where it comes from. */
export interface Labelled {
  text: string;
  label: string;
  source: string;
}

const INTENTS: Record<string, string> = {
  'problem discovery': 'bug',
  'feature request': 'request',
  'information seeking': 'question',
};

/** Reviews by what they are: bug, request, question, other. */
export function readIntents(mirror: string): Labelled[] {
  return readTable(readPublicFile(mirror, messages, messages.intents).toString('utf8'))
    .slice(1)
    .map(([, text = '', intent = '']) => ({ text, label: INTENTS[intent] ?? 'other', source: 'reviews' }))
    .filter(({ text }) => text !== '');
}

/** A public repository at a commit. */
export interface PublicRepository {
  repository: string;
  commit: string;
}

/** A file of a repository in a folder of bare mirrors, `<owner>+<name>/repo` each. */
export function readPublicFile(mirror: string, { repository, commit }: PublicRepository, path: string): Buffer {
  const folder = join(mirror, repository.replace('/', '+'), 'repo');
  return execFileSync('git', ['--git-dir', folder, 'show', `${commit}:${path}`], { maxBuffer: 1e8 });
}
