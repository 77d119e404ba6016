import { sha256 } from '../kernel/ids.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Tenant } from '../kernel/tenant.ts';
import type { IndexedRepository } from '../indexes/indexes.ts';
import { chooseRepositories, localiseReport, readReport } from '../localise/localise.ts';
import type { Signals } from './context.ts';
import { languagesOf } from '../text/function-words.ts';
import {
  gradeCandidates,
  gradeWritten,
  isAboutCode,
  LEAST_TEXTS,
  type LinkCandidate,
  MOST_LINKS,
  surestLinks,
} from './links/grade-links.ts';
import {
  type LinkText,
  type LinkRow,
  replaceLinks,
  selectLinkedOf,
  selectLinks,
  selectLinkTexts,
  updateLinkedOf,
} from './links/store-links.ts';
import { subjectsOf, type SubjectTerm } from './links/theme-subject.ts';

/** Texts by which a theme is linked. */
const MOST_TEXTS = 12;
/** Parts of plans, decisions and changes each that are compared with a subject. */
const MOST_HITS = 12;
/** Changes with the form of what links are computed from and how: then all are computed again. */
const LINKING = 2;
const KIND_OF = { plans: 'plan', decisions: 'decision', competitors: 'change' } as const;

/**
 * Links the themes of a product to the functions, plans, decisions and changes of competitors that their texts are about. Links
 * to code are computed anew for themes with other texts, and after an index run of a repository that has their words: some 50 ms of a
 * reader thread each and repository. What people stated stays.
 *
 * @throws the signal's reason when it stops.
 */
export async function linkThemes(signals: Signals, tenant: Tenant, signal: AbortSignal): Promise<void> {
  const { db, now } = signals;
  const texts = Map.groupBy(await selectLinkTexts(db, tenant, MOST_TEXTS), ({ themeId }) => themeId);
  const themes = new Map([...texts].filter(([, own]) => own.length >= LEAST_TEXTS));
  const subjects = subjectsOf(withLanguages(themes));
  const written = await linkWritten(signals, tenant, subjects);
  const kinds = Object.values(KIND_OF);
  await replaceLinks(db, tenant, { themes: [...texts.keys()], kinds, links: written, now: now() });
  await linkToCode(signals, { tenant, signal }, { texts, subjects });
}

/** Links themes to code: where so few lead there that the messages are about something else, none. */
async function linkToCode(
  signals: Signals,
  context: { tenant: Tenant; signal: AbortSignal },
  { texts, subjects }: { texts: ReadonlyMap<string, LinkText[]>; subjects: ReadonlyMap<string, SubjectTerm[]> },
): Promise<void> {
  const { db, now } = signals;
  const { tenant, signal } = context;
  const repositories = await signals.indexed(tenant);
  const linkedOf = await selectLinkedOf(db, tenant);
  const before = new Set((await selectLinks(db, tenant)).filter(isComputedCode).map(({ themeId }) => themeId));
  const chosen = await chooseRepositories(signals.indexes, { caller: tenant, signal }, { subjects, repositories });
  const links = new Map<string, LinkRow[]>();
  const prints = new Map<string, string>();
  for (const [theme, own] of texts) {
    signal.throwIfAborted();
    const searched = chosen.get(theme) ?? [];
    const print = fingerprintOf(own, searched);
    if (linkedOf.get(theme) === print) continue;
    prints.set(theme, print);
    const subject = subjects.get(theme) ?? [];
    links.set(theme, await linkCode(signals, context, { theme, texts: own, subject, repositories: searched }));
  }
  const linked = [...texts.keys()].filter((theme) => links.get(theme)?.length ?? before.has(theme));
  const isCodeLinked = isAboutCode({ linked: linked.length, themes: subjects.size });
  // What was not stored is computed again the next time.
  for (const theme of isCodeLinked ? [] : linked) prints.set(theme, '');
  const themes = isCodeLinked ? [...links.keys()] : [...texts.keys()];
  const stored = isCodeLinked ? [...links.values()].flat() : [];
  await replaceLinks(db, tenant, { themes, kinds: ['code'], links: stored, now: now() });
  await updateLinkedOf(db, tenant, prints);
}

function isComputedCode({ kind, origin }: Pick<LinkRow, 'kind' | 'origin'>): boolean {
  return kind === 'code' && origin === 'computed';
}

function withLanguages(
  themes: ReadonlyMap<string, readonly LinkText[]>,
): Map<string, { text: string; language: string }[]> {
  const all = [...themes.values()].flat();
  const languages = languagesOf(
    all.map(({ text }) => text),
    all.map(({ language }) => language),
  );
  const languageOf = new Map(all.map(({ id }, at) => [id, languages[at] ?? 'en']));
  return new Map(
    Array.from(themes, ([theme, own]) => [
      theme,
      own.map(({ id, text }) => ({ text, language: languageOf.get(id) ?? 'en' })),
    ]),
  );
}

function fingerprintOf(texts: readonly LinkText[], repositories: readonly IndexedRepository[]): string {
  const shards = repositories.flatMap(({ id, shard, history, provenance }) => [
    id,
    provenance.repo,
    shard.hash,
    history?.hash ?? '',
  ]);
  const parts = [LINKING, ...shards, ...texts.map(({ id }) => id)];
  return sha256(parts.join(' '));
}

interface ThemeTexts {
  theme: string;
  texts: readonly LinkText[];
  subject: readonly SubjectTerm[];
  repositories: readonly IndexedRepository[];
}

/** The functions of these repositories that a theme is about. A repository that cannot be read now gives none. */
async function linkCode(
  { indexes }: Pick<Signals, 'indexes'>,
  { tenant, signal }: { tenant: Tenant; signal: AbortSignal },
  { theme, texts, subject, repositories }: ThemeTexts,
): Promise<LinkRow[]> {
  if (subject.length === 0) return [];
  const report = readReport(texts.map(({ text }) => text).join('\n'));
  const terms = subject.map(({ term, weight }) => [term, weight] as const);
  const graded: LinkCandidate[] = [];
  for (const repository of repositories) {
    const request = { report, repository, limit: MOST_LINKS, subject: terms };
    const localised = await localiseReport(indexes, { caller: tenant, signal }, request).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined;
      throw error;
    });
    const ranked = (localised?.functions ?? []).map(({ file, symbol, subject: own }) => ({
      repositoryId: repository.id,
      repository: repository.provenance.repo,
      path: file.path,
      symbol,
      share: own?.share ?? 0,
      fileScore: file.score,
      words: own?.terms ?? [],
    }));
    graded.push(...gradeCandidates(ranked));
  }
  const wordOf = new Map(subject.map(({ term, word }) => [term, word]));
  return surestLinks(graded).map(({ repositoryId, repository, path, symbol, share, words }) => ({
    themeId: theme,
    kind: 'code',
    target: `sym:${symbol}@${path}`,
    repositoryId,
    repository,
    title: symbol,
    origin: 'computed',
    score: share,
    words: [...new Set(words.map((term) => wordOf.get(term) ?? term))],
  }));
}

/** Plans, decisions and changes that have the words of a theme's subject in their titles: a search for each theme. */
async function linkWritten(
  { knowledge }: Pick<Signals, 'knowledge'>,
  tenant: Tenant,
  subjects: ReadonlyMap<string, readonly SubjectTerm[]>,
): Promise<LinkRow[]> {
  const corpora = ['plans', 'decisions', 'competitors'] as const;
  const links: LinkRow[] = [];
  for (const [theme, subject] of subjects) {
    const query = subject.map(({ word }) => word).join(' ');
    const { hits, coverage } = await knowledge.rank(tenant, { query, corpora, limit: MOST_HITS, perCorpus: true });
    if (corpora.every((corpus) => coverage[corpus].entries === 0)) return [];
    for (const corpus of corpora) {
      const ofCorpus = hits.filter((hit) => hit.corpus === corpus);
      links.push(
        ...gradeWritten(ofCorpus, subject).map((link) => ({ ...link, themeId: theme, kind: KIND_OF[corpus] })),
      );
    }
  }
  return links;
}
