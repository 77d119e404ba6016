import { type Gap, namePaths } from '../../kernel/gap.ts';
import { BROKEN, GUESSED, LARGE, LONG_LINES, MISSING, NO_TEXT, POINTER, ZEROS } from './indexed-files.ts';
import { LINK } from '../format/symbolic-links.ts';

/** A file of an index, as far as its gaps go. */
interface GapFile {
  path: string;
  reason?: string | null | undefined;
  parsed: string;
}

/** Rule for reporting files that have a reason of one kind. `what` is what a file is named with beside its path. */
interface GapRule {
  kind: Gap['kind'];
  starts: readonly string[];
  title: string;
  what?: (reason: string) => string;
}

/** The first rule that fits counts; the last one fits every reason. */
const RULES: readonly GapRule[] = [
  { kind: 'pointers', starts: [POINTER], title: 'Only Git LFS pointers, without their content' },
  {
    kind: 'syntax',
    starts: [BROKEN],
    title: 'Not fully read because of syntax errors',
    what: (reason) => `lines ${reason.slice(BROKEN.length)}`,
  },
  { kind: 'large', starts: [LARGE], title: 'Too large', what: (reason) => reason },
  { kind: 'lines', starts: [LONG_LINES], title: 'Of very long lines', what: (reason) => reason },
  { kind: 'binary', starts: [ZEROS, NO_TEXT], title: 'Not read as text', what: (reason) => reason },
  {
    kind: 'encoding',
    starts: [GUESSED],
    title: 'Read in an encoding that was guessed',
    what: (reason) => reason.slice(GUESSED.length),
  },
  {
    kind: 'links',
    starts: [LINK],
    title: 'Symbolic links, whose content is indexed under its own path',
    what: (reason) => `to ${reason.slice(LINK.length)}`,
  },
  { kind: 'unparsed', starts: [''], title: 'Not parsed', what: (reason) => reason },
];

/** Returns the gaps of an index, by reason. `missing` counts the files of a partial clone, listed or not. */
export function gapsOf(files: readonly GapFile[], missing: number): Gap[] {
  const gaps: Gap[] = [];
  if (missing > 0) {
    const text = `Files whose content is missing (a partial clone): ${missing}.`;
    gaps.push({ kind: 'missing', count: missing, text });
  }
  const byRule = Map.groupBy(
    files.filter(({ reason }) => typeof reason === 'string' && reason !== MISSING),
    ({ reason }) => RULES.find(({ starts }) => starts.some((start) => reason?.startsWith(start))),
  );
  for (const rule of RULES) {
    const some = byRule.get(rule) ?? [];
    if (some.length === 0) continue;
    const names = some.map(({ path, reason }) => (rule.what ? `${path} (${rule.what(reason ?? '')})` : path));
    const unparsed = some.filter(({ parsed }) => parsed !== 'full').length;
    gaps.push({ kind: rule.kind, count: some.length, unparsed, text: `${rule.title}: ${namePaths(names)}.` });
  }
  return gaps;
}
