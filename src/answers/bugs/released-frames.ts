import { CODE_QUERIES } from '../../code/code.ts';
import { type FileFacts, HISTORY_QUERIES } from '../../commits/commits.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { Frame, Report } from '../../localise/localise.ts';

/** `1.4`, `v2.0.1`, `3.0.0-rc.1` */
const VERSION =
  /(?<![\w.])v?(?<version>\d+\.\d+(?:\.\d+)?(?:[-.]?(?:alpha|beta|rc|pre|dev|a|b)[.-]?\d*)?)(?![\w.]*\w)/g;
const MOST_VERSIONS = 20;
/** Frames whose lines are looked up. */
const MOST_FRAMES = 10;

interface FrameParts {
  indexes: Pick<Indexes, 'readers' | 'rebuild'>;
  facts: Pick<FileFacts, 'currentLines'>;
}

/**
 * The frames of a report about a released version, with the lines that their code has now. Where the report names a version
 * that is a tag of the repository, git tells how lines have moved since; all other frames stay as they are.
 */
export async function moveFrames(
  { indexes, facts }: FrameParts,
  context: Pick<CallContext, 'caller' | 'signal'>,
  { report, repository }: { report: Report; repository: IndexedRepository },
): Promise<Frame[]> {
  const versions = versionsIn(report.text, repository.provenance.repo);
  if (repository.history === undefined || versions.length === 0 || report.frames.length === 0) return report.frames;
  const sources = new IndexSources(indexes, HISTORY_QUERIES, { ...context, repositories: [repository] });
  const [tag] = await sources.ask(repository, ['tagsOfVersions', { versions }]);
  if (tag === undefined) return report.frames;
  const frames = report.frames.slice(0, MOST_FRAMES);
  const resolved = await sources.with(CODE_QUERIES).ask(repository, ['resolveFrames', { frames }]);
  const moved = await Promise.all(
    frames.map(async (frame, at) => {
      const { path, line } = resolved[at] ?? {};
      if (path === undefined || line === undefined) return frame;
      const request = { ...context, repo: repository.provenance.repo, path };
      const [current] = await facts.currentLines({ ...request, from: tag.sha, lines: [line] });
      return current === undefined ? frame : { ...frame, path, line: current };
    }),
  );
  return [...moved, ...report.frames.slice(MOST_FRAMES)];
}

/** Versions in a text, those first that are on a line with the name of the repository. */
export function versionsIn(text: string, repo: string): string[] {
  const name = (repo.split('/').at(-1) ?? '').toLowerCase();
  const mentions = text.split('\n').flatMap((line) => {
    const isNamed = line.toLowerCase().includes(name);
    return Array.from(line.matchAll(VERSION), ({ groups }) => ({ version: groups?.['version'] ?? '', isNamed }));
  });
  const ordered = mentions.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
  return [...new Set(ordered.map(({ version }) => version))].slice(0, MOST_VERSIONS);
}
