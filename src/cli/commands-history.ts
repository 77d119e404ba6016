import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import type { Client } from './client.ts';
import type { ArtifactCommandTools } from './commands-artifacts.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import type * as Offline from './offline.ts';

/** Fields that the commands read of `GET /v1/artifacts/ownership`. */
interface OwnershipJson {
  path: string;
  repo: string;
  commit: string;
  bus_factor: number;
  owners: { author: string; lines_pct: number; commits_decayed_pct: number; commits: number; last: string | null }[];
  reviewers: { reviewer: string; reviews: number }[];
  likely_next: { author: string }[];
  codeowners: { file: string; line: number; owners: string[]; agrees: boolean | null } | null;
  notes: string[];
}

/** Fields that the commands read of `GET /v1/artifacts/rationale`. */
interface RationaleJson {
  path: string;
  repo: string;
  commit: string;
  ranges: {
    start: number;
    end: number;
    symbol?: string;
    reasons: { kind: string; id: string; text: string; confidence: number; date: string | null }[];
  }[];
  notes: string[];
}

/** A person, and of how many files of a difference this is the main author. */
interface Reviewer {
  name: string;
  files: number;
}

/** `a..b`, and `..` for what is not committed. */
const DIFFERENCE = /\.\.(?!\/)/;
/** Owners that are shown to people; all are in the JSON form. */
const MOST_OWNERS = 4;
/** Reasons of one range that are shown to people; all are in the JSON form. */
const MOST_SHOWN = 5;

/** `svc ownership <file>` and `svc rationale <file>`. */
export function addHistoryCommands<Flags>(program: Command, tools: ArtifactCommandTools<Flags>): void {
  const { common, context, repositoryHere, show } = tools;
  const { cwd } = context;
  // Where no service answers, the result of the last sync may do.
  const withClient = async (
    flags: Flags,
    act: (client: Client) => Promise<void>,
    offline: (answers: typeof Offline, reason: ServiceError) => { document: object; prose: () => string },
  ): Promise<void> => {
    try {
      await tools.withClient(flags, {}, act);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') throw error;
      const { document, prose } = offline(await import('./offline.ts'), error);
      show(flags, document, prose);
    }
  };
  common(program.command('ownership'))
    .argument(
      '<file>',
      'a file in a checkout, a path from the root of an indexed repository, or a diff a..b (.. = uncommitted)',
    )
    .description(
      'Who owns a file or the files of a diff: share of lines, last change, reviewers, CODEOWNERS, bus factor',
    )
    .option('--repo <name>', 'name or id; default: the one of the checkout, or the only one')
    .action((file: string, flags: Flags & { repo?: string }) =>
      withClient(
        flags,
        async (client) => {
          if (DIFFERENCE.test(file) && !existsSync(resolve(cwd, file))) {
            const repo = await repositoryHere(client, { folder: cwd, repo: flags.repo, isNeeded: true });
            const reviewers = await reviewersOf(client, file, repo);
            show(flags, { range: file, reviewers }, () => reviewersText(file, reviewers));
            return;
          }
          const query = new URLSearchParams(await resolveFile(client, file, { cwd, repo: flags.repo, repositoryHere }));
          const ownership = await client.send<OwnershipJson>('GET', `/v1/artifacts/ownership?${query.toString()}`);
          show(flags, ownership, () => ownershipText(ownership));
        },
        ({ offlineOwnership }, reason) => offlineOwnership(cwd, file, reason),
      ),
    );
  common(program.command('rationale'))
    .argument('<file>', 'as for ownership; file:12 or file:12-40 finds all commits that ever changed these lines')
    .description('Why the lines of a file are as they are: decisions, commits, issues, comments')
    .option('--repo <name>', 'name or id; default: the one of the checkout, or the only one')
    .action((location: string, flags: Flags & { repo?: string }) => {
      const [, file = location, lines] = /^(.+):(\d+(?:-\d+)?)$/.exec(location) ?? [];
      return withClient(
        flags,
        async (client) => {
          const query = new URLSearchParams(await resolveFile(client, file, { cwd, repo: flags.repo, repositoryHere }));
          if (lines !== undefined) query.set('lines', lines);
          const rationale = await client.send<RationaleJson>('GET', `/v1/artifacts/rationale?${query.toString()}`);
          show(flags, rationale, () => rationaleText(rationale));
        },
        ({ offlineRationale }, reason) => offlineRationale(cwd, file, reason),
      );
    });
}

/** The main authors of the files of a difference. */
async function reviewersOf(client: Client, query: string, repo: string | undefined): Promise<Reviewer[]> {
  const call = { action: 'impact', query, limit: 1, ...(repo !== undefined && { repo }) };
  const { reviewers = [] } = await client.send<{ reviewers?: Reviewer[] }>('POST', '/v1/tools/code-tool', call);
  return reviewers;
}

/** The path from the root of its repository, and the repository where it can be known from here. */
async function resolveFile(
  client: Client,
  file: string,
  {
    cwd,
    repo,
    repositoryHere,
  }: Pick<PlanCommandTools<unknown>, 'cwd' | 'repositoryHere'> & { repo: string | undefined },
): Promise<{ path: string; repo?: string }> {
  const fullPath = resolve(cwd, file);
  const isHere = existsSync(fullPath);
  if (isHere && !statSync(fullPath).isFile())
    throw new ServiceError('bad_argument', `${file} is not a file.`, { fix: 'Name one file.' });
  const folder = isHere ? dirname(fullPath) : cwd;
  const name = await repositoryHere(client, { folder, repo, isNeeded: isHere });
  const path = await (await import('./find-repo.ts')).pathFromRoot(cwd, file);
  return { path, ...(name !== undefined && { repo: name }) };
}

function ownershipText(ownership: OwnershipJson): string {
  const { owners, reviewers, codeowners, likely_next: likely } = ownership;
  const agreement =
    codeowners?.agrees === undefined || codeowners.agrees === null
      ? ''
      : codeowners.agrees
        ? ', which agrees'
        : ', which does not agree';
  const named = owners
    .slice(0, MOST_OWNERS)
    .map(({ author, lines_pct: share, last }) => `${author} ${share}%${last === null ? '' : ` (${last})`}`);
  const more = owners.length > named.length ? `, ${owners.length - named.length} more with --json` : '';
  return [
    `${ownership.path} in ${ownership.repo}@${ownership.commit.slice(0, 7)}, bus factor ${ownership.bus_factor}`,
    ...(named.length === 0
      ? []
      : [`owners, with their share of the lines and last change: ${named.join(', ')}${more}`]),
    ...(reviewers.length === 0
      ? []
      : [`reviewed by ${reviewers.map((reviewer) => `${reviewer.reviewer} (${reviewer.reviews})`).join(', ')}`]),
    ...(codeowners === null
      ? []
      : [`${codeowners.file}:${codeowners.line} says ${codeowners.owners.join(' ') || 'nobody'}${agreement}`]),
    ...(likely.length === 0 ? [] : [`likely to change it next: ${likely.map(({ author }) => author).join(', ')}`]),
    ...ownership.notes,
  ]
    .map(visible)
    .join('\n');
}

function reviewersText(range: string, reviewers: readonly Reviewer[]): string {
  if (reviewers.length === 0) return visible(`${range}: nobody is known as the main author of its files`);
  const named = reviewers.map(({ name, files }) => `${name} (${files})`).join(', ');
  return visible(`${range}: main authors of its files, with how many each: ${named}`);
}

function rationaleText(rationale: RationaleJson): string {
  const parts = rationale.ranges.flatMap(({ start, end, symbol, reasons }) => {
    const head = visible(`${rationale.path}:${start}-${end}${symbol === undefined ? '' : ` ${symbol}`}`);
    const shown = reasons.slice(0, MOST_SHOWN).map(({ kind, id, text, confidence, date }) => {
      const indentedText = text
        .split(/\s*\n\s*/)
        .map(visible)
        .join('\n      ');
      return `  ${date ?? 'undated'} ${kind} ${id} (${confidence.toFixed(1)}) ${indentedText}`;
    });
    const more = reasons.length - shown.length;
    return [
      head,
      ...(shown.length === 0 ? ['  no reason found'] : shown),
      ...(more > 0 ? [`  ${more} more with --json`] : []),
    ];
  });
  const head = visible(`${rationale.path} in ${rationale.repo}@${rationale.commit.slice(0, 7)}`);
  return [head, ...parts, ...rationale.notes.map(visible)].join('\n');
}
