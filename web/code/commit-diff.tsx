import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { COMMIT_OUTPUTS } from '../../src/commits/outputs/outputs.ts';
import { PathLink } from '../components/entity-link.tsx';
import { ChoiceGroup } from '../components/field.tsx';
import { LoadMore, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { type ToolAnswer, toolPages } from '../queries.ts';
import { useSession } from '../session.tsx';
import { type DiffLook, DiffView } from './diff-view.tsx';

const PAGE = 100;
const STATES: Record<string, string> = { A: 'added', D: 'deleted', M: 'changed', R: 'renamed', T: 'type changed' };
const LOOKS = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Side by side' },
] as const satisfies { value: DiffLook; label: string }[];

type PatchPage = ToolAnswer<(typeof COMMIT_OUTPUTS)['show']>;
/** Of a file; the row of the message has no path. */
type PatchRow = Extract<PatchPage['rows'][number], { path: string }>;

/** A commit, and the parent against which it is compared. */
interface Compared {
  repo: string;
  sha: string;
  parent: string | undefined;
  total: number;
  added: number;
  deleted: number;
}

function patchQuery(product: string, { repo, sha }: Pick<Compared, 'repo' | 'sha'>) {
  const given = { action: 'show', query: sha, repo, detail: 'body', limit: PAGE };
  return toolPages<PatchPage>('history', { product, name: 'commit-tool' }, given, { staleTime: Infinity });
}

/** The files of a commit with what changed in them. */
export function CommitDiff({ commit }: { commit: Compared }) {
  const { product } = useSession();
  const query = useInfiniteQuery(patchQuery(product.id, commit));
  const [look, setLook] = useState<DiffLook>('unified');
  const { total, added, deleted } = commit;
  if (total === 0) return null;
  const files = filesOf(query.data?.pages ?? []);
  return (
    <Section
      title="Files"
      lead={`${formatCount(total, 'file')}, ${formatCount(added, 'line')} added, ${formatNumber(deleted)} deleted.`}
      actions={<ChoiceGroup legend="Show changes" quiet name="look" value={look} choices={LOOKS} onChoose={setLook} />}
    >
      <QueryState query={query} what="the changes" rows={5} />
      {query.data?.pages[0]?.notes?.map((note) => (
        <p key={note} className="mb-2 text-sm text-quiet">
          {note}
        </p>
      ))}
      <ul aria-label="Changed files" className="flex flex-col gap-4">
        {files.map((file) => (
          <FileDiff key={file.path} file={file} commit={commit} look={look} />
        ))}
      </ul>
      <LoadMore query={query} label="Show more changes" />
    </Section>
  );
}

/** The files of all pages; one that a page cuts off goes on in the next. */
function filesOf(pages: readonly PatchPage[]): PatchRow[] {
  const files = new Map<string, PatchRow>();
  for (const row of pages.flatMap((page) => page.rows)) {
    if (!('path' in row)) continue;
    const previous = files.get(row.path);
    const patch = [previous?.patch, row.patch].filter((text) => text !== undefined && text !== '').join('\n');
    files.set(row.path, { ...row, patch });
  }
  return [...files.values()];
}

function FileDiff({ file, commit, look }: { file: PatchRow; commit: Compared; look: DiffLook }) {
  const { path, old_path: oldPath, status, added, deleted, left_out: omission, patch } = file;
  const at = status === 'D' ? commit.parent : commit.sha;
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-panel">
      <h3 className="flex flex-wrap items-baseline gap-x-4 border-b border-line px-3 py-1.5 text-sm">
        <span className="min-w-0 grow font-mono font-medium [overflow-wrap:anywhere]">
          {oldPath !== undefined && `${oldPath} → `}
          <PathLink repo={commit.repo} commit={at} path={path} />
        </span>
        <span className="font-normal text-quiet tabular-nums">
          {STATES[status] ?? status}
          {added !== undefined && (
            <>
              {' · '}
              <span className="text-good">+{formatNumber(added)}</span>{' '}
              <span className="text-bad">−{formatNumber(deleted ?? 0)}</span>
            </>
          )}
        </span>
      </h3>
      {omission !== undefined && <p className="px-3 py-2 text-sm text-quiet">Left out: {omission}.</p>}
      {patch !== '' && <DiffView path={path} patch={patch} look={look} />}
    </li>
  );
}
