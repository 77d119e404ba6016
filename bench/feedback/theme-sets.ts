import { createHash } from 'node:crypto';
import { readTable } from '../../src/platform/csv.ts';
import { type PublicRepository, readPublicFile } from './messages.ts';

/** Messages by what they are about, of three businesses. They are development cases of the graders of themes, too. */
export const themeSets = {
  /** What customers ask a bank; of its 77 subjects every second one, by name. */
  banking: {
    repository: 'PolyAI-LDN/task-specific-datasets',
    commit: '57ec275d8078af65b7731c2a98be812d844a6d6b',
    file: 'banking_data/train.csv',
  },
  /** What customers tell an insurer. */
  insurance: {
    repository: 'amazon-science/dstc11-track2-intent-induction',
    commit: '969b95a0d7365fbc6cd0e05989f1be6b44e6680c',
    file: 'dstc11/development/test-utterances.jsonl',
  },
  /** Issues of a library by its areas. */
  corefx: {
    repository: 'dotnet/machinelearning-samples',
    commit: '427ccb68ab1da8f0600bf7653b5158ec1f04c3cb',
    file: 'samples/CLI/MulticlassClassification_CLI/corefx-issues-train.tsv',
  },
} as const;

export type ThemeSet = keyof typeof themeSets;

/** A message and what it is about, in words. */
export interface ThemedMessage {
  text: string;
  theme: string;
}

/** Fewer messages are no theme; of more, so many are taken. */
const LEAST_MESSAGES = 10;
const MOST_MESSAGES = 15;
/** Of an issue. */
const MOST_CHARACTERS = 1_000;

const READERS: Record<ThemeSet, (text: string) => ThemedMessage[]> = {
  banking: (text) => {
    const rows = readTable(text).slice(1);
    const names = [...new Set(rows.map(([, theme = '']) => theme))].toSorted();
    return rows.flatMap(([message = '', theme = '']) =>
      names.indexOf(theme) % 2 === 1 ? [{ text: message, theme: theme.replaceAll('_', ' ') }] : [],
    );
  },
  insurance: (text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { utterance: string; intent: string })
      .map(({ utterance, intent }) => ({ text: utterance, theme: inWords(intent) })),
  corefx: (text) =>
    text
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split('\t'))
      .flatMap(([, area = '', title = '', body]) =>
        body === undefined
          ? []
          : [{ text: `${title}\n\n${body}`.slice(0, MOST_CHARACTERS), theme: area.replace(/^area-(?:System\.)?/, '') }],
      ),
};

/** The messages of a set: of each theme the same few whenever they are read. */
export function readThemeSet(mirror: string, set: ThemeSet): ThemedMessage[] {
  const at: PublicRepository & { file: string } = themeSets[set];
  const all = READERS[set](readPublicFile(mirror, at, at.file).toString('utf8'));
  const themes = [...Map.groupBy(all, ({ theme }) => theme).values()];
  return themes
    .filter(({ length }) => length >= LEAST_MESSAGES)
    .flatMap((own) => own.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)).slice(0, MOST_MESSAGES));
}

function hashOf({ text }: ThemedMessage): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `ReportBillingIssue` → report billing issue. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
