import { z } from 'zod';
import type { PlaceReader } from '../ledger/verify.ts';
import type { Tools } from './tools.ts';

const Lines = z.looseObject({ body: z.string().default('') });
const Commit = z.looseObject({ subject: z.string(), body: z.string().default('') });
const Subject = z.looseObject({ id: z.string(), subject: z.string() });
const Change = z.looseObject({ id: z.string(), summary: z.string().catch('') });
const Section = z.looseObject({ text: z.string().default(''), section: z.string().default('') });

/** The last line that is asked for when a whole file is meant: `code-tool` refuses to read more at once. */
const LAST_LINE = 2_000;

/** Reads the places of sources through the same tools as everybody. */
export function placeReader(tools: Tools): PlaceReader {
  const lines: PlaceReader['lines'] = async (repo, path, { start, end }) => {
    const query = `${path}:${start}-${end}`;
    const found = await tools.ask('code-tool', { action: 'definition', query, ...repoArgument(repo) }, Lines);
    return found?.rows[0]?.body;
  };
  return {
    lines,
    file: (repo, path) => lines(repo, path, { start: 1, end: LAST_LINE }),
    commit: async ({ repo, id, date, text }) => {
      if (await hasSubject(tools, { repo, id, date, subject: text })) return text;
      const query = id.replace(/^c:/, '');
      const found = await tools.ask('commit-tool', { action: 'show', query, ...repoArgument(repo) }, Commit);
      const [row] = found?.rows ?? [];
      return row === undefined ? undefined : `${row.subject}\n${row.body}`;
    },
    text: async ({ id, kind, section }) => {
      if (kind === 'competitor') return changeText(tools, id);
      const from = section === undefined || section === '' ? {} : { section };
      const found = await tools.ask('document-search-tool', { action: 'get', query: id, ...from }, Section);
      return found?.rows.map(({ text }) => text).join('\n');
    },
  };
}

async function changeText(tools: Tools, id: string): Promise<string | undefined> {
  const args = { action: 'changes', min_severity: 'low', since: '10y', limit: 50 };
  const found = await tools.ask('competitor-tool', args, Change);
  return found?.rows.find((row) => row.id === id)?.summary;
}

function repoArgument(repo: string): { repo?: string } {
  return repo === '' ? {} : { repo };
}

/** Commits with the words of a subject among which one is looked for. */
const MOST_OF_A_SUBJECT = 10;
const ALWAYS = '1970-01-01';
const DAY_LENGTH = ALWAYS.length;

/** Whether a commit has a subject, found by its words on its day: to show a commit costs hundreds of times as much, for its changes. */
async function hasSubject(
  tools: Tools,
  { repo, id, date = '', subject }: { repo: string; id: string; date?: string | undefined; subject: string },
): Promise<boolean> {
  const day = date.slice(0, DAY_LENGTH);
  const period = day === '' ? { since: ALWAYS } : { since: day, until: day };
  const args = { action: 'search', query: subject, ...period, limit: MOST_OF_A_SUBJECT, ...repoArgument(repo) };
  const found = await tools.ask('commit-tool', args, Subject);
  return found?.rows.some((row) => row.id === id && row.subject === subject) ?? false;
}
