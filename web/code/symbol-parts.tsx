import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { UsageRow } from '../../src/code/outputs/outputs.ts';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Badge, OneLine } from '../components/inline.tsx';
import { Panel, Section } from '../components/page.tsx';
import { LoadFailure, SkeletonRows } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { VirtualList } from '../components/virtual-list.tsx';
import { formatCount, formatTotal } from '../format.ts';
import { readHandle } from './handles.ts';
import { SidePart } from './side-part.tsx';
import {
  dependenciesQuery,
  implementationsQuery,
  rationaleQuery,
  type RationaleScope,
  type Reason,
  type SymbolReference,
  usagesQuery,
} from './symbol-queries.ts';

/** Every use, under its file, with its line. */
export function Usages({ reference, name }: { reference: SymbolReference; name: string }) {
  const query = useInfiniteQuery(usagesQuery(reference));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const files = useMemo(() => filesOf(rows), [rows]);
  const show = useCallback(
    (file: FileUses) => <UsesInFile file={file} reference={reference} name={name} />,
    [reference, name],
  );
  const [first] = query.data?.pages ?? [];
  if (query.isError) return <LoadFailure what="its uses" problem={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Section
      title="Used by"
      lead={first === undefined ? undefined : formatTotal({ ...first, shown: rows.length }, 'use')}
    >
      {first === undefined && <SkeletonRows label="Loading uses" rows={4} />}
      {first?.notes?.map((note) => (
        <p key={note} className="mb-2 text-sm text-quiet">
          {note}
        </p>
      ))}
      {files.length > 0 && (
        <VirtualList
          label="Files that use it"
          rows={files}
          keyOf={({ path }) => path}
          estimatePx={estimatePx}
          gapPx={12}
          query={query}
        >
          {show}
        </VirtualList>
      )}
    </Section>
  );
}

function UsesInFile({
  file: { path, uses },
  reference,
  name,
}: {
  file: FileUses;
  reference: SymbolReference;
  name: string;
}) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-panel">
      <h3 className="flex items-center justify-between gap-3 border-b border-line px-3 py-1 text-sm font-medium">
        <PathLink repo={reference.repo} commit={reference.ref} path={path} />
        <span className="font-normal text-quiet tabular-nums">{uses.length}</span>
      </h3>
      <ul className="divide-y divide-line/60">
        {uses.map((use) => (
          <Usage key={`${use.line}:${use.column}`} use={use} reference={reference} name={name} />
        ))}
      </ul>
    </div>
  );
}

function Usage({ use, reference, name }: { use: UsageRow; reference: SymbolReference; name: string }) {
  const { path, line, text, enclosing, grade, family } = use;
  const [before, after] = splitAt(text, name);
  return (
    <li>
      <PathLink
        repo={reference.repo}
        commit={reference.ref}
        path={path}
        lines={{ from: line, to: line }}
        className="flex gap-3 px-3 py-1 hover:bg-hover"
      >
        <span className="w-10 shrink-0 text-right font-mono text-xs leading-5 text-quiet tabular-nums">
          <span className="sr-only">Line </span>
          {line}
        </span>
        <code className="min-w-0 flex-1 font-mono text-[12.5px] leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
          {before}
          {after !== undefined && <mark className="rounded-sm bg-warn-soft px-px text-warn">{name}</mark>}
          {after}
        </code>
        <span className="flex shrink-0 items-center gap-2 text-xs text-quiet max-sm:hidden">
          {enclosing !== '' && `in ${enclosing}`}
          {family === true && <Badge>family</Badge>}
          {grade === 'name' ? <Badge tone="warn">by name</Badge> : <Badge>{use.use}</Badge>}
        </span>
      </PathLink>
    </li>
  );
}

function splitAt(text: string, name: string): [string, string | undefined] {
  const at = text.indexOf(name);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + name.length)];
}

interface FileUses {
  path: string;
  uses: readonly UsageRow[];
}

function filesOf(rows: readonly UsageRow[]): FileUses[] {
  return [...Map.groupBy(rows, ({ path }) => path)].map(([path, uses]) => ({ path, uses }));
}

function estimatePx({ uses }: FileUses): number {
  return 32 + uses.length * 29;
}

/** Callers and callees: what is one step away in either direction. */
export function Neighbours({ reference, direction }: { reference: SymbolReference; direction: 'in' | 'out' }) {
  const { data } = useQuery(dependenciesQuery(reference, direction));
  const ends = new Map<string, string>();
  for (const { from, to, relation } of data?.rows ?? []) {
    const other = direction === 'in' ? from : to;
    if (other !== reference.handle && !ends.has(other)) ends.set(other, relation);
  }
  if (data === undefined || ends.size === 0) return null;
  return (
    <SidePart title={direction === 'in' ? 'Called and used by' : 'Calls and uses'}>
      <HandleList repo={reference.repo} commit={reference.ref} handles={[...ends]} />
      {data.total > data.rows.length && (
        <p className="px-3 pb-2 text-xs text-quiet">
          The first {data.rows.length} of {data.total}.
        </p>
      )}
    </SidePart>
  );
}

/** Handles with a word about each. */
export function HandleList({
  repo,
  commit,
  handles,
}: {
  repo: string;
  commit?: string;
  handles: readonly (readonly [handle: string, word: string])[];
}) {
  return (
    <ul className="px-3 py-1.5 text-sm">
      {handles.map(([handle, word]) => (
        <li key={handle} className="flex items-baseline justify-between gap-3 leading-6">
          <EntityLink repo={repo} commit={commit} handle={handle} className="min-w-0 hover:text-accent hover:underline">
            <OneLine text={nameOf(handle)} />
          </EntityLink>
          <span className="shrink-0 text-xs text-quiet">{word}</span>
        </li>
      ))}
    </ul>
  );
}

function nameOf(handle: string): string {
  const entity = readHandle(handle);
  return entity.kind === 'path' ? entity.path : entity.name;
}

/** Types that implement or extend it, and members that override it. */
export function Implementations({ reference }: { reference: SymbolReference }) {
  const { data } = useQuery(implementationsQuery(reference));
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <Section title="Implementations" lead={formatCount(data.total, 'implementation')}>
      <Panel>
        <ul className="divide-y divide-line">
          {data.rows.map(({ id, path, line, kind, qualified, relation }) => (
            <li
              key={`${path} ${line} ${qualified}`}
              className="flex flex-wrap items-baseline gap-x-3 px-4 py-2 text-sm"
            >
              <EntityLink
                repo={reference.repo}
                commit={reference.ref}
                handle={id ?? `${path}:${line}`}
                className="font-medium hover:text-accent hover:underline"
              >
                {qualified}
              </EntityLink>
              <span className="text-quiet">
                {kind}, {relation}
              </span>
              <PathLink
                repo={reference.repo}
                commit={reference.ref}
                path={path}
                lines={{ from: line, to: line }}
                className="min-w-0 grow text-right text-quiet hover:text-accent hover:underline"
              >
                {path}:{line}
              </PathLink>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

interface ReasonsProps {
  scope: RationaleScope;
  /** Only when the index holds this commit: lines of another are others. */
  commit?: string;
  /** All when absent. */
  kinds?: readonly Reason['kind'][];
  title?: string;
}

/** Reasons for lines: decisions, plans, commits, issues, comments. */
export function Reasons({ scope, commit, kinds, title = 'Background' }: ReasonsProps) {
  const { data } = useQuery(rationaleQuery(scope));
  if (data === undefined || (commit !== undefined && !data.commit.startsWith(commit))) return null;
  const selected = data.ranges.flatMap((range) => range.reasons).filter(({ kind }) => kinds?.includes(kind) ?? true);
  const reasons = [...new Map(selected.map((reason) => [reason.id, reason])).values()];
  if (reasons.length === 0) return null;
  return (
    <SidePart title={title}>
      <ul className="px-3 py-1.5 text-sm">
        {reasons.slice(0, 8).map(({ kind, id, text, date }) => (
          <li key={`${kind} ${id}`} className="py-0.5">
            <EntityLink repo={scope.repo} handle={id} className="line-clamp-2 hover:text-accent hover:underline">
              {text}
            </EntityLink>
            <span className="block text-xs text-quiet">
              {kind} {id}
              {date !== null && (
                <>
                  , <Time at={date} as="date" />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </SidePart>
  );
}
