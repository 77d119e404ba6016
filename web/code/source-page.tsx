import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { Content, SourceFile } from '../../src/code/source-bodies.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { EntityActions, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, Page } from '../components/page.tsx';
import { LoadFailure, SkeletonBox } from '../components/query-state.tsx';
import { formatBytes } from '../format.ts';
import { codeEntity } from '../graph/queries.ts';
import { blameQuery } from '../history/queries.ts';
import { useSession } from '../session.tsx';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import {
  addressPath,
  type LineRange,
  readLines,
  readSourceAddress,
  shortId,
  type SourceAddress,
  writeLines,
  writeSourceAddress,
} from './address.ts';
import { authorsByLine } from './blame.ts';
import { FileSide } from './file-side.tsx';
import { FolderView } from './folder-view.tsx';
import { contentQuery, namesQuery } from './queries.ts';
import { marksByLine } from './smells.ts';
import { SourceView } from './source-view.tsx';
import { smellsQuery } from './symbol-queries.ts';
import { useIsStaying } from './use-is-staying.ts';

const route = getRouteApi('/shell/r/$');

/** A file or folder at a commit. The address keeps the commit, so that it shows the same lines next year. */
export function SourcePage() {
  const { _splat = '' } = route.useParams();
  const address = readSourceAddress(_splat);
  return address === undefined ? <NotFoundPage /> : <Loaded address={address} />;
}

function Loaded({ address }: { address: SourceAddress }) {
  const { product } = useSession();
  const query = useQuery(contentQuery(product.id, address));
  useCommitInAddress(address, query.data);
  const title = `${address.path === '' ? '' : `${address.path} · `}${address.repo}`;
  if (query.data === undefined)
    return (
      <Page title={title}>
        {query.isError ? (
          <LoadFailure what={address.path} problem={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonBox label="Loading the source" className="h-96" />
        )}
      </Page>
    );
  return <Shown content={query.data} title={title} />;
}

/** Puts the commit into an address without one, or in place of a branch or tag; and the name of the repository in place of its id. */
function useCommitInAddress(address: SourceAddress, content: Content | undefined): void {
  const navigate = useNavigate();
  const isStaying = useIsStaying();
  const queries = useQueryClient();
  const { product } = useSession();
  const { repo, ref, path } = address;
  useEffect(() => {
    if (content === undefined || !isStaying()) return;
    const isPinned = content.repo === repo && ref.length >= 7 && content.commit.startsWith(ref);
    if (isPinned) return;
    const permalink = { repo: content.repo, ref: shortId(content.commit), path };
    // What is shown already is not read again under its lasting address.
    queries.setQueryData(contentQuery(product.id, permalink).queryKey, content);
    const to = { to: '/r/$', params: { _splat: writeSourceAddress(permalink) }, hash: true, replace: true } as const;
    void navigate({ ...to, hashScrollIntoView: false, resetScroll: false });
  }, [navigate, isStaying, queries, product.id, repo, ref, path, content]);
}

function Shown({ content, title }: { content: Content; title: string }) {
  const { repo, commit, indexed_commit: newest, branch, path } = content;
  const isNewest = commit === newest;
  return (
    <div data-wide>
      <Page
        title={title}
        heading={<Crumbs content={content} />}
        aside={isNewest ? <Badge tone="good">{branch}</Badge> : <Badge tone="warn">older commit</Badge>}
        actions={
          <>
            {!isNewest && (
              <>
                <PathLink repo={repo} path={path} className={buttonClass()}>
                  Newest
                </PathLink>
                <Link
                  to="/history"
                  search={{ repo, view: 'compare', since: shortId(commit) }}
                  className={buttonClass()}
                >
                  Changes since
                </Link>
              </>
            )}
            <CopyButton label="Copy path" text={path === '' ? repo : path} />
            <SourceActions content={content} />
          </>
        }
        lead={
          <span className="text-sm">
            At{' '}
            <Link
              to="/history/$repositoryId/commits/$sha"
              params={{ repositoryId: repo, sha: commit }}
              className="font-mono text-accent hover:underline"
            >
              {shortId(commit)}
            </Link>
            {content.kind === 'file' && <> · {formatBytes(content.size_bytes)}</>}
          </span>
        }
      >
        {content.kind === 'folder' ? <FolderView folder={content} /> : <FileContent file={content} />}
      </Page>
    </div>
  );
}

/** Every part of the path, each a link to its folder. */
function Crumbs({ content: { repo, commit, path } }: { content: Content }) {
  const parts = path === '' ? [] : path.split('/');
  return (
    <>
      <PathLink repo={repo} commit={shortId(commit)} path="" className="hover:text-accent hover:underline">
        {repo}
      </PathLink>
      {parts.map((part, index) => (
        <span key={index}>
          <span className="px-1 font-normal text-quiet">/</span>
          <wbr />
          {index === parts.length - 1 ? (
            part
          ) : (
            <PathLink repo={repo} commit={shortId(commit)} path={parts.slice(0, index + 1).join('/')}>
              {part}
            </PathLink>
          )}
        </span>
      ))}
    </>
  );
}

function SourceActions({ content: { kind, repo, commit, path } }: { content: Content }) {
  const lines = readLines(useLocation().hash);
  const hash = lines === undefined ? '' : `#${writeLines(lines)}`;
  const entity = kind === 'folder' ? `component:${path === '' ? '.' : path}` : `file:${path}`;
  return (
    <EntityActions
      call={{ name: 'code-tool', arguments: { action: 'outline', repo, ...(path !== '' && { path }) } }}
      path={`/r/${addressPath({ repo, ref: shortId(commit), path })}${hash}`}
      entity={codeEntity(repo, entity)}
    />
  );
}

function FileContent({ file }: { file: SourceFile }) {
  const { product } = useSession();
  const { repo, commit, path, text } = file;
  const address = { repo, ref: shortId(commit), path };
  // The names of an older commit are there once it is indexed, which the first question for them starts.
  const { data: names, ...query } = useQuery({ ...namesQuery(product.id, address), enabled: text !== null });
  const [selected, select] = useLines();
  const isNewest = commit === file.indexed_commit;
  const [isBlamed, setBlamed] = useState(false);
  const authors = useAuthors({ repo, commit, path }, isBlamed);
  // After the names: an older commit is indexed once for both.
  const smellsAt = { product: product.id, ...address, ref: isNewest ? '' : address.ref };
  const { data: smells } = useQuery({ ...smellsQuery(smellsAt), enabled: names !== undefined });
  const marks = useMemo(() => (smells === undefined ? undefined : marksByLine(smells.rows)), [smells]);
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="flex min-w-0 flex-col gap-4 lg:order-2">
        <FileSide address={address} names={names} smells={smells?.rows ?? []} isNewest={isNewest} />
      </div>
      <div className="min-w-0 max-lg:order-first">
        {query.isError && (
          <p role="status" className="mb-2 text-sm text-quiet">
            Names are not resolved: {query.error.message}
          </p>
        )}
        {text !== null && isNewest && (
          <div className="mb-2 flex items-center gap-3">
            <Button aria-pressed={isBlamed} icon="people" onClick={() => setBlamed(!isBlamed)}>
              Blame
            </Button>
            {isBlamed && (
              <p role="status" className="text-sm text-quiet">
                {authors.said}
              </p>
            )}
          </div>
        )}
        {text === null ? (
          <EmptyState icon="file" title="This file is not shown">
            {file.left_out}
          </EmptyState>
        ) : (
          <SourceView
            text={text}
            address={address}
            names={names}
            authors={authors.lines}
            marks={marks}
            selected={selected}
            onSelect={select}
          />
        )}
      </div>
    </div>
  );
}

/** Reads the authors of the lines, once enabled, and a message about them. */
function useAuthors({ repo, commit, path }: { repo: string; commit: string; path: string }, isEnabled: boolean) {
  const { product } = useSession();
  const query = useQuery({ ...blameQuery({ product: product.id, id: repo, commit }, path), enabled: isEnabled });
  const ranges = query.data?.ranges;
  const lines = useMemo(() => (ranges == null || !isEnabled ? undefined : authorsByLine(ranges)), [ranges, isEnabled]);
  if (query.isError) return { lines, said: query.error.message };
  if (ranges === null) return { lines, said: 'git cannot tell who wrote these lines.' };
  return { lines, said: lines === undefined ? 'Loading…' : 'A darker edge means a newer line.' };
}

/** The selected lines are in the address. */
function useLines(): [LineRange | undefined, (lines: LineRange) => void] {
  const navigate = useNavigate();
  const { hash } = useLocation();
  return [
    readLines(hash),
    (lines) =>
      void navigate({ to: '.', hash: writeLines(lines), replace: true, hashScrollIntoView: false, resetScroll: false }),
  ];
}
