import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Content } from '../../src/code/source-bodies.ts';
import { type DiffLook, DiffView } from '../code/diff-view.tsx';
import { contentQuery } from '../code/queries.ts';
import { BreakablePath, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { LoadFailure, SkeletonRows } from '../components/query-state.tsx';
import { formatNumber } from '../format.ts';
import { useSession } from '../session.tsx';
import { textPatch } from '../text-patch.ts';
import type { ChangedFile, ChangedSymbol } from './compare-rows.ts';

const STATES: Record<string, string> = { A: 'added', D: 'deleted', M: 'changed', R: 'renamed', T: 'type changed' };
const TONES = { added: 'good', removed: 'bad', changed: 'warn' } as const;

interface ComparedFileProps {
  file: ChangedFile;
  repo: string;
  /** The compared commits, in full. */
  from: string;
  to: string;
  look: DiffLook;
}

/** A file that differs: what happened to its symbols, and its lines once it is opened. */
export function ComparedFile(props: ComparedFileProps) {
  const { file, repo, from, to } = props;
  const { path, oldPath, status, plus, minus, symbols } = file;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="overflow-hidden rounded-lg border border-line bg-panel">
      <h3 className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1.5 text-sm">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="min-w-0 grow text-left font-mono font-medium [overflow-wrap:anywhere] hover:text-accent"
        >
          <span aria-hidden="true" className="mr-2 inline-block w-3 text-quiet">
            {isOpen ? '▾' : '▸'}
          </span>
          {oldPath !== undefined && `${oldPath} → `}
          <BreakablePath path={path} />
        </button>
        <span className="font-normal text-quiet tabular-nums">
          {STATES[status] ?? status}
          {plus !== undefined && (
            <>
              {' · '}
              <span className="text-good">+{formatNumber(plus)}</span>{' '}
              <span className="text-bad">−{formatNumber(minus ?? 0)}</span>
            </>
          )}
        </span>
        <PathLink
          repo={repo}
          commit={status === 'D' ? from : to}
          path={path}
          className="font-normal text-accent hover:underline"
        >
          Open file
        </PathLink>
      </h3>
      {symbols.length > 0 && (
        <ul className="border-t border-line px-3 py-1">
          {symbols.map((symbol) => (
            <SymbolLine
              key={`${symbol.change} ${symbol.name} ${symbol.line}`}
              symbol={symbol}
              repo={repo}
              from={from}
              to={to}
            />
          ))}
        </ul>
      )}
      {isOpen && (
        <div className="border-t border-line">
          <FileDiff {...props} />
        </div>
      )}
    </li>
  );
}

interface SymbolLineProps extends Pick<ComparedFileProps, 'repo' | 'from' | 'to'> {
  symbol: ChangedSymbol;
}

function SymbolLine({ symbol, repo, from, to }: SymbolLineProps) {
  const { change, name, kind, path, line, signature, before, breaking } = symbol;
  const tone = change in TONES ? TONES[change as keyof typeof TONES] : undefined;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-0.5 text-sm">
      <Badge {...(tone !== undefined && { tone })}>{change}</Badge>
      {line === undefined ? (
        <span className="font-mono">{name}</span>
      ) : (
        <PathLink
          repo={repo}
          commit={change === 'removed' ? from : to}
          path={path}
          lines={{ from: line, to: line }}
          className="font-mono [overflow-wrap:anywhere] hover:text-accent hover:underline"
        >
          {name}
        </PathLink>
      )}
      <span className="text-quiet">{kind?.replace('_', ' ')}</span>
      {breaking === true && <Badge tone="bad">may break</Badge>}
      {before !== undefined && (
        <span className="w-full font-mono text-xs [overflow-wrap:anywhere] text-quiet">
          <del>{before}</del> <span aria-hidden="true">→</span> <ins className="no-underline">{signature}</ins>
        </span>
      )}
    </li>
  );
}

/** The lines of a file at both commits, compared here. */
function FileDiff({ file: { path, oldPath = path, status }, repo, from, to, look }: ComparedFileProps) {
  const { product } = useSession();
  const before = useQuery({
    ...contentQuery(product.id, { repo, ref: from, path: oldPath }),
    enabled: status !== 'A',
  });
  const after = useQuery({ ...contentQuery(product.id, { repo, ref: to, path }), enabled: status !== 'D' });
  const [old, now] = [textOf(before.data), textOf(after.data)];
  const patch = useMemo(() => textPatch(old.text, now.text), [old.text, now.text]);
  const failed = [before, after].find(({ isError }) => isError);
  if (failed?.error != null)
    return <LoadFailure what="its lines" problem={failed.error} onRetry={() => void failed.refetch()} />;
  if (before.isLoading || after.isLoading) return <SkeletonRows label="Loading its lines" rows={3} />;
  const reason = old.omission ?? now.omission;
  if (reason !== undefined) return <p className="px-3 py-2 text-sm text-quiet">Not shown: {reason}</p>;
  if (patch === '') return <p className="px-3 py-2 text-sm text-quiet">Its lines are the same.</p>;
  return <DiffView path={path} patch={patch} look={look} />;
}

/** The text of a file; '' where there is none. */
function textOf(content: Content | undefined): { text: string; omission?: string } {
  if (content === undefined) return { text: '' };
  if (content.kind === 'folder') return { text: '', omission: 'A folder.' };
  return { text: content.text ?? '', ...(content.text === null && { omission: content.left_out ?? 'Binary.' }) };
}
