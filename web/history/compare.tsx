import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { DiffLook } from '../code/diff-view.tsx';
import { Button } from '../components/button.tsx';
import { EntityActions, PathLink } from '../components/entity-link.tsx';
import { Checkbox, ChoiceGroup, TextField } from '../components/field.tsx';
import { EmptyState, LoadMore, Panel, Section, Tile, Tiles } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { ComparedFile } from './compare-file.tsx';
import { compareCall, type ComparePage, compareQuery } from './compare-query.ts';
import { changedFiles, type ChangedSymbol, type RefPair } from './compare-rows.ts';
import { type HistorySource, refsQuery } from './queries.ts';
import type { ViewProps } from './view-parts.tsx';

const SHOWN_BREAKS = 12;
const LOOKS = [
  { value: 'unified', label: 'Unified' },
  { value: 'split', label: 'Side by side' },
] as const satisfies { value: DiffLook; label: string }[];

/** Differences of two refs: files, symbols, possible breaks, and the diff of each file. The address has both. */
export function Compare({ source, parameters, onChange }: ViewProps) {
  const { data: refsOfHistory } = useQuery(refsQuery(source));
  const { since, until = '', base } = parameters;
  const refs = { since: since ?? refsOfHistory?.tags[0]?.name ?? '', until, isSinceParting: base === 'parting' };
  return (
    <>
      <RefForm
        key={`${refs.since} ${until} ${base}`}
        refs={refs}
        names={refsOfHistory === undefined ? [] : [refsOfHistory.branch, ...refsOfHistory.tags.map(({ name }) => name)]}
        onCompare={(chosen) =>
          onChange({
            since: chosen.since,
            until: chosen.until,
            base: chosen.isSinceParting ? 'parting' : undefined,
          })
        }
      />
      {refs.since === '' ? (
        <EmptyState icon="branch" title="Two branches, tags or commits">
          Choose where to start. The end is what the index holds, unless you name another one.
        </EmptyState>
      ) : (
        <Comparison source={source} refs={refs} repo={parameters.repo ?? source.id} />
      )}
    </>
  );
}

interface RefFormProps {
  refs: RefPair;
  names: readonly string[];
  onCompare: (refs: RefPair) => void;
}

function RefForm({ refs, names, onCompare }: RefFormProps) {
  const list = useId();
  const [chosen, choose] = useState(refs);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onCompare({ ...chosen, since: chosen.since.trim(), until: chosen.until.trim() });
  };
  return (
    <form onSubmit={submit} className="mb-6 flex flex-wrap items-end gap-3">
      <TextField
        label="From"
        placeholder="Branch, tag or commit"
        list={list}
        value={chosen.since}
        required
        onEnter={(text) => choose({ ...chosen, since: text })}
        className="min-w-56 max-sm:w-full"
      />
      <TextField
        label="To"
        placeholder="The indexed commit"
        list={list}
        value={chosen.until}
        onEnter={(text) => choose({ ...chosen, until: text })}
        className="min-w-56 max-sm:w-full"
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button type="submit" look="primary">
        Compare
      </Button>
      <Button
        onClick={() => choose({ ...chosen, since: chosen.until === '' ? 'HEAD' : chosen.until, until: chosen.since })}
      >
        Swap
      </Button>
      <div className="w-full">
        <Checkbox
          label="Only what the second has since the two diverged"
          checked={chosen.isSinceParting}
          onChange={(isSinceParting) => choose({ ...chosen, isSinceParting })}
        />
      </div>
    </form>
  );
}

function Comparison({ source, refs, repo }: { source: HistorySource; refs: RefPair; repo: string }) {
  const query = useInfiniteQuery(compareQuery(source, refs));
  const [look, setLook] = useState<DiffLook>('unified');
  const [first] = query.data?.pages ?? [];
  if (query.isError || first === undefined) return <QueryState query={query} what="the comparison" rows={6} />;
  const files = changedFiles(query.data?.pages.flatMap(({ rows }) => rows) ?? []);
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        <EntityActions call={compareCall(repo, refs)} />
      </div>
      <Summary page={first} />
      {first.notes?.map((note) => (
        <p key={note} className="mt-2 text-sm text-quiet [overflow-wrap:anywhere]">
          {note}
        </p>
      ))}
      <Breaks
        symbols={files.flatMap(({ symbols }) => symbols.filter(({ breaking }) => breaking === true))}
        page={first}
        repo={repo}
      />
      {files.length > 0 && (
        <Section
          title="Files"
          lead="Code of the product first, beginning with what may break. Open a file to see its lines."
          actions={
            <ChoiceGroup legend="Show changes" quiet name="look" value={look} choices={LOOKS} onChoose={setLook} />
          }
        >
          <ul aria-label="Files that differ" className="flex flex-col gap-2">
            {files.map((file) => (
              <ComparedFile key={file.path} file={file} repo={repo} from={first.from} to={first.to} look={look} />
            ))}
          </ul>
          <LoadMore query={query} label="Show more files" />
        </Section>
      )}
    </>
  );
}

function Summary({ page: { commits, files, symbols } }: { page: ComparePage }) {
  const types = Object.entries(commits.by_type ?? {}).toSorted(([, a], [, b]) => b - a);
  return (
    <Tiles>
      <Tile name="Commits" value={commits.total === undefined ? 'Unknown' : formatNumber(commits.total)}>
        {types
          .slice(0, 3)
          .map(([type, count]) => `${type} ${formatNumber(count)}`)
          .join(', ')}
      </Tile>
      <Tile name="Files" value={formatNumber(files.total)}>
        {formatCount(files.plus, 'line')} added, {formatNumber(files.minus)} deleted
      </Tile>
      <Tile name="Symbols" value={formatNumber(symbols.added + symbols.removed + symbols.changed + symbols.moved)}>
        {symbols.added} added, {symbols.removed} removed, {symbols.changed} changed, {symbols.moved} moved
      </Tile>
      <Tile name="May break" value={formatNumber(symbols.breaking)}>
        {symbols.breaking === 0 ? 'Nothing that others use' : 'Removed or with another signature'}
      </Tile>
    </Tiles>
  );
}

/** Removed or changed symbols that others use, with their users. */
function Breaks({ symbols, page, repo }: { symbols: readonly ChangedSymbol[]; page: ComparePage; repo: string }) {
  const [isWhole, setWhole] = useState(false);
  if (symbols.length === 0) return null;
  const shown = isWhole ? symbols : symbols.slice(0, SHOWN_BREAKS);
  const isPart = page.symbols.breaking > symbols.length;
  return (
    <Section
      title="What may break"
      lead={isPart ? `${symbols.length} of ${page.symbols.breaking}: those of the files that are loaded.` : undefined}
    >
      <Panel>
        <ul className="divide-y divide-line">
          {shown.map(({ path, name, kind, change, reason, used_in: users = [] }) => (
            <li key={`${path} ${name}`} className="px-4 py-2">
              <span className="font-mono text-sm font-medium [overflow-wrap:anywhere]">{name}</span>{' '}
              <span className="text-sm text-quiet [overflow-wrap:anywhere]">
                {kind?.replace('_', ' ')} in {path}, {change}
              </span>
              <span className="block text-sm [overflow-wrap:anywhere]">
                {reason}
                {users.length > 0 && ': '}
                {users.map((user, index) => (
                  <span key={user}>
                    {index > 0 && ', '}
                    <PathLink repo={repo} commit={page.to} path={user.replace(/:\d+$/, '')} />
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      {shown.length < symbols.length && (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          Show all {formatNumber(symbols.length)}
        </Button>
      )}
    </Section>
  );
}
