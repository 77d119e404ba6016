import type { CommitPage } from '../../src/commits/history-bodies.ts';
import { Badge } from '../components/inline.tsx';
import { formatShare } from '../format.ts';

type Classed = Pick<
  CommitPage['rows'][number],
  'type' | 'breaking' | 'breaking_by' | 'scope' | 'confidence' | 'label_source' | 'best'
>;

const SIGNS: Record<string, string> = {
  prefix: 'its subject says so',
  footer: 'a footer says so',
  removed_export: 'it removes exported names',
};

/** Class of a commit, and a mark if it is breaking. */
export function CommitClass({ commit }: { commit: Classed }) {
  const { type, best, breaking } = commit;
  const isUnsure = type === 'unclassified';
  return (
    <>
      <Badge tone={type === 'feat' || type === 'fix' ? 'accent' : 'neutral'}>
        {isUnsure ? `${best.join(' or ')}?` : type}
      </Badge>
      {breaking && <Badge tone="bad">breaking</Badge>}
    </>
  );
}

/** Explains in a sentence where the class of a commit comes from. */
export function classSource({ label_source: source, confidence, type, best }: Classed): string {
  if (source === 'author') return 'The author says so.';
  if (source === 'rule') return `Judged by its files or its wording (${formatShare(confidence)} sure).`;
  if (type === 'unclassified')
    return `Not sure: ${best.join(' or ')} judging by its words and files (${formatShare(confidence)}).`;
  return `Judged by its words and files, as learned from other projects (${formatShare(confidence)} sure).`;
}

/** Returns why a commit counts as breaking; '' when it does not. */
export function breakingReason({ breaking, breaking_by: signs }: Classed): string {
  if (!breaking) return '';
  const reasons = signs.map((sign) => SIGNS[sign] ?? sign);
  return reasons.length === 0 ? 'Its message says so.' : `Breaking: ${reasons.join(', ')}.`;
}
