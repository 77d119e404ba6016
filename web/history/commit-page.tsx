import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { CommitDetail } from '../../src/commits/history-bodies.ts';
import { CommitDiff } from '../code/commit-diff.tsx';
import { symbolHandle } from '../code/handles.ts';
import { CopyButton } from '../components/copy.tsx';
import { EntityActions, EntityLink, PathLink } from '../components/entity-link.tsx';
import { OneLine } from '../components/inline.tsx';
import { Facts, Page, Panel, Section, LoadedPage, type PageAbove } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { useSession } from '../session.tsx';
import { breakingReason, classSource, CommitClass } from './commit-class.tsx';
import { commitQuery } from './queries.ts';

const route = getRouteApi('/shell/history/$repositoryId/commits/$sha');

export function CommitPage() {
  const { repositoryId, sha } = route.useParams();
  const { product } = useSession();
  const query = useQuery(commitQuery({ product: product.id, id: repositoryId }, sha));
  return (
    <LoadedPage query={query} noun="commit" back={pageAbove(repositoryId)}>
      {(commit) => <Detail commit={commit} id={repositoryId} />}
    </LoadedPage>
  );
}

function pageAbove(repo: string): PageAbove {
  return { to: '/history', search: { repo, view: 'commits' }, name: 'History' };
}

function Detail({ commit, id }: { commit: CommitDetail; id: string }) {
  return (
    <div data-wide>
      <Page
        title={commit.subject === '' ? '(no message)' : commit.subject}
        aside={<CommitClass commit={commit} />}
        lead={
          <>
            {commit.author} · <Time at={commit.date} />
          </>
        }
        back={pageAbove(id)}
        actions={
          <>
            <CopyButton label="Copy id" text={commit.sha} />
            <EntityActions
              call={{ name: 'commit-tool', arguments: { action: 'show', query: commit.sha, repo: id, detail: 'body' } }}
            />
          </>
        }
      >
        {commit.body !== '' && (
          // What somebody wrote: shown as it is, never read as markup.
          <Panel className="px-4 py-3">
            <p className="max-w-[80ch] font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap">{commit.body}</p>
          </Panel>
        )}
        <About commit={commit} id={id} />
        <Removed commit={commit} />
        <Symbols commit={commit} id={id} />
        <CommitDiff
          commit={{
            repo: id,
            sha: commit.sha,
            parent: commit.parents[0],
            total: commit.files_total,
            added: commit.added,
            deleted: commit.deleted,
          }}
        />
      </Page>
    </div>
  );
}

function About({ commit, id }: { commit: CommitDetail; id: string }) {
  const { sha, authored_date: authored, date, email, parents, refs, tags, trailers } = commit;
  const people = trailers.filter(({ key }) => /-by$/i.test(key));
  return (
    <Section title="About this commit" className="mt-6">
      <Facts
        facts={[
          ['Commit', <OneLine text={sha} className="font-mono text-sm" />],
          ['Type', `${commit.type}. ${classSource(commit)} ${breakingReason(commit)}`],
          ['Author', <OneLine text={`${commit.author} <${email}>`} />],
          ['Written', <Time at={authored} as="exact" />],
          ['Committed', <Time at={date} as="exact" />],
          commit.scope !== null && ['Scope', commit.scope],
          tags.length > 0 && ['Tags', <Tags tags={tags} id={id} />],
          refs.length > 0 && ['Mentions', refs.join(', ')],
          [parents.length > 1 ? 'Merge of' : 'Parent', <Parents parents={parents} id={id} />],
          ...people.map(({ key, value }) => [key, value] as const),
        ]}
      />
    </Section>
  );
}

function Parents({ parents, id }: { parents: readonly string[]; id: string }) {
  if (parents.length === 0) return 'None: the first commit';
  return (
    <span className="flex flex-wrap gap-x-3">
      {parents.map((sha) => (
        <Link
          key={sha}
          to="/history/$repositoryId/commits/$sha"
          params={{ repositoryId: id, sha }}
          className="font-mono text-sm text-accent hover:underline"
        >
          {sha.slice(0, 7)}
        </Link>
      ))}
    </span>
  );
}

/** Each leads to what came after it. */
function Tags({ tags, id }: { tags: readonly string[]; id: string }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {tags.map((tag) => (
        <Link
          key={tag}
          to="/history"
          search={{ repo: id, view: 'compare', since: tag }}
          className="text-accent hover:underline"
        >
          {tag}
        </Link>
      ))}
    </span>
  );
}

function Removed({ commit }: { commit: CommitDetail }) {
  if (commit.removed_exports.length === 0) return null;
  return (
    <Section title="Exports it removed" lead="Other code could import these before.">
      <Panel>
        <ul className="divide-y divide-line">
          {commit.removed_exports.map(({ path, name }) => (
            <li key={`${path} ${name}`} className="flex flex-wrap gap-x-4 px-4 py-2">
              <code className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{name}</code>
              <span className="text-sm text-quiet [overflow-wrap:anywhere]">{path}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function Symbols({ commit: { symbols }, id }: { commit: CommitDetail; id: string }) {
  if (symbols?.length === 0) return null;
  return (
    <Section title="Symbols it touched" lead="Those that still exist, on lines that have not changed since.">
      {symbols === null ? (
        <p className="text-quiet">Unknown: its contents are missing.</p>
      ) : (
        <Panel>
          <ul className="divide-y divide-line">
            {symbols.map(({ path, line, kind, name }) => (
              <li key={`${path} ${line} ${name}`} className="flex flex-wrap gap-x-4 px-4 py-2">
                <EntityLink
                  repo={id}
                  handle={symbolHandle({ name, path })}
                  className="font-mono text-sm [overflow-wrap:anywhere] hover:text-accent hover:underline"
                />
                <span className="text-sm text-quiet [overflow-wrap:anywhere]">
                  {kind} in{' '}
                  <PathLink repo={id} path={path} lines={{ from: line, to: line }}>
                    {path}:{line}
                  </PathLink>
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  );
}
