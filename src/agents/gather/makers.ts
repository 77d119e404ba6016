import { z } from 'zod';
import type { CommitRow } from './around.ts';
import type { Tools } from './tools.ts';

const Commit = z.looseObject({
  repo: z.string().optional(),
  sha: z.string(),
  id: z.string(),
  date: z.string(),
  author: z.string(),
  type: z.string().default(''),
  subject: z.string(),
});
const Groups = z.object({
  groups: z.array(z.object({ name: z.string(), commits: z.number() })).default([]),
  notes: z.array(z.string()).default([]),
});

/** Who made how many commits to a path. */
export interface Makers {
  repo: string;
  /** Who made most first; no programs. */
  authors: readonly { name: string; commits: number }[];
  total: number;
  /** The span that was looked at, in the words of the tool. */
  period: string;
  /** The newest commit, and the newest of who made most. */
  shown: readonly CommitRow[];
}

/** A person who writes the name in several ways, with accents and without, is one. */
function ofPeople(groups: readonly { name: string; commits: number }[]): { name: string; commits: number }[] {
  const people = new Map<string, { name: string; commits: number }>();
  for (const { name, commits } of groups) {
    const key = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
    const known = people.get(key);
    people.set(key, { name: known?.name ?? name, commits: commits + (known?.commits ?? 0) });
  }
  return Array.from(people.values()).toSorted((a, b) => b.commits - a.commits);
}

const BOT = /\[bot\]$|\bbot$|-ci$|^github actions$/i;

/** Who made the commits to a path of the last twelve months, or since a date; undefined when there are none. Three calls. */
export async function readMakers(tools: Tools, path: string, since?: string): Promise<Makers | undefined> {
  const span = since === undefined ? {} : { since };
  const grouped = await tools.ask(
    'commit-tool',
    { action: 'classify', group_by: 'author', path, limit: 1, ...span },
    Commit,
  );
  if (grouped === undefined) return undefined;
  const { groups, notes } = Groups.parse(grouped);
  const authors = ofPeople(groups.filter(({ name }) => !BOT.test(name)));
  const [first] = authors;
  if (first === undefined) return undefined;
  const newest = await tools.ask('commit-tool', { action: 'search', path, limit: 1, ...span }, Commit);
  const own = await tools.ask('commit-tool', { action: 'search', path, author: first.name, limit: 1, ...span }, Commit);
  const shown = [...(own?.rows ?? []), ...(newest?.rows ?? [])];
  return {
    repo: tools.repoOf(grouped, {}),
    authors,
    total: grouped.total - groups.filter(({ name }) => BOT.test(name)).reduce((sum, { commits }) => sum + commits, 0),
    period: notes.find((note) => note.startsWith('period: '))?.slice('period: '.length) ?? '',
    shown: shown.filter(({ sha }, at) => shown.findIndex((one) => one.sha === sha) === at),
  };
}
