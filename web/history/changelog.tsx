import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { buttonClass } from '../components/button.tsx';
import { CopyButton } from '../components/copy.tsx';
import { SelectField } from '../components/field.tsx';
import { EmptyState, LoadMore } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { changelogGroups, changelogMarkdown, type ChangelogRow, removedNames } from './changelog-markdown.ts';
import { changelogQuery, refsQuery } from './queries.ts';
import { Filters, Notes, type ViewProps } from './view-parts.tsx';

/** Changes that users notice between two tags, or in the twelve months before the second. */
export function Changelog({ source, parameters, onChange }: ViewProps) {
  const { since, until } = parameters;
  const refs = useQuery(refsQuery(source));
  const query = useInfiniteQuery(changelogQuery(source, { since, until }));
  const [first] = query.data?.pages ?? [];
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  const dates = new Map(refs.data?.tags.map(({ name, date }) => [name, date.slice(0, 10)]));
  const isWhole = first !== undefined && rows.length === first.total;
  return (
    <>
      <Filters>
        <SelectField
          label="After"
          value={since ?? ''}
          choices={choices(since, until === undefined ? '12 months' : 'The previous version', refs.data?.tags)}
          onChoose={(value) => onChange({ since: value })}
        />
        <SelectField
          label="Up to"
          value={until ?? ''}
          choices={choices(
            until,
            refs.data === undefined ? 'The index' : `${refs.data.branch} (index)`,
            refs.data?.tags,
          )}
          onChoose={(value) => onChange({ until: value })}
        />
        {rows.length > 0 && (
          <div>
            <CopyButton
              look="primary"
              label={isWhole ? 'Copy as Markdown' : `Copy the first ${rows.length} as Markdown`}
              text={changelogMarkdown(rows, dates)}
            />
          </div>
        )}
        {since !== undefined && <CompareLink refs={{ since, until }} repo={parameters.repo} />}
      </Filters>
      <QueryState query={query} what="the changelog" box="h-64" />
      {first !== undefined && rows.length === 0 && (
        <EmptyState icon="list" title="No changes that users notice">
          This range has no feature, fix or removal. Documentation, tests and similar changes are left out.
        </EmptyState>
      )}
      {first !== undefined && rows.length > 0 && (
        <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : undefined}>
          <Notes shown={rows.length} page={first} noun="entry" plural="entries" />
          <Entries rows={rows} dates={dates} id={source.id} />
        </div>
      )}
      <LoadMore query={query} />
    </>
  );
}

interface CompareLinkProps {
  refs: { since: string; until: string | undefined };
  repo: string | undefined;
}

/** To the code of the same range. */
function CompareLink({ refs: { since, until }, repo }: CompareLinkProps) {
  const search = { view: 'compare', since, ...(until !== undefined && { until }), ...(repo !== undefined && { repo }) };
  return (
    <div>
      <Link to="/history" search={search} className={buttonClass()}>
        Compare the code
      </Link>
    </div>
  );
}

function choices(chosen: string | undefined, none: string, tags: readonly { name: string }[] = []) {
  const names = tags.map(({ name }) => name);
  const all = chosen === undefined || names.includes(chosen) ? names : [chosen, ...names];
  return [{ value: '', label: none }, ...all.map((name) => ({ value: name, label: name }))];
}

interface EntriesProps {
  rows: readonly ChangelogRow[];
  dates: ReadonlyMap<string, string>;
  id: string;
}

function Entries({ rows, dates, id }: EntriesProps) {
  const groups = changelogGroups(rows);
  return (
    <div className="rounded-lg border border-line bg-panel px-4 pt-1 pb-3">
      {groups.map(({ version, section, rows: entries }, at) => (
        <Fragment key={`${version} ${section} ${at}`}>
          {groups[at - 1]?.version !== version || at === 0 ? (
            <h2 className="mt-4 border-b border-line pb-1 [overflow-wrap:anywhere] first:mt-2">
              {version ?? 'Unreleased'}
              {version !== null && dates.has(version) && (
                <span className="ml-2 text-sm font-normal text-quiet">{dates.get(version)}</span>
              )}
            </h2>
          ) : null}
          <h3 className={section === 'Breaking changes' ? 'mt-3 text-bad' : 'mt-3'}>{section}</h3>
          <ul className="mt-1 list-disc pl-5">
            {entries.map((row) => (
              <Entry key={row.shas[0]} row={row} id={id} />
            ))}
          </ul>
        </Fragment>
      ))}
    </div>
  );
}

function Entry({ row, id }: { row: ChangelogRow; id: string }) {
  const removed = removedNames(row);
  return (
    <li className="[overflow-wrap:anywhere]">
      {row.scope !== null && <strong className="font-semibold">{row.scope}: </strong>}
      {row.text}
      {removed !== '' && <span className="text-bad"> · removes {removed}</span>}
      <span className="text-sm text-quiet">
        {row.refs.length > 0 && ` ${row.refs.join(', ')}`}
        {row.shas.slice(0, 3).map((sha) => (
          <Fragment key={sha}>
            {' '}
            <Link
              to="/history/$repositoryId/commits/$sha"
              params={{ repositoryId: id, sha }}
              className="font-mono text-xs text-accent underline"
            >
              {sha.slice(0, 7)}
            </Link>
          </Fragment>
        ))}
      </span>
    </li>
  );
}
