import type { Mention } from './mentions.ts';

/** A thing that a text names, and where it may be. */
export interface AnchorCandidate {
  /** As the text has it, in one spelling; the key of the anchor. */
  written: string;
  /** The path that must hold it; '' when the text gives none. */
  path: string;
  /** '' for a file. */
  symbol: string;
  /** The repository that must hold it, by name or id; any when absent or `*`. */
  repo?: string;
  lines?: { from: number; to: number };
  /** Paths of the same block, the nearest first, then all others of the text: where a symbol without a path is looked for. */
  near: string[];
  elsewhere: string[];
  isCertain: boolean;
  /** True if the name was there before, beside another file: it is another thing where this file has it, else the same. */
  isRepeated: boolean;
}

/**
 * The distinct things that a text names, in its order. A path that stands beside a symbol may only say where that is: such
 * a path is `placing` for the symbols of its block.
 */
export function collectCandidates(mentions: readonly Mention[]): {
  candidates: AnchorCandidate[];
  placing: Map<string, string[]>;
} {
  const paths = pathsIn(mentions);
  const names = namesOf(mentions);
  const all = [...new Set(paths.map(({ path }) => path))];
  const byName = new Map<string, AnchorCandidate>();
  const beside = new Map<string, string[]>();
  for (const [index, mention] of mentions.entries()) {
    const { path, symbol, repo, lines, isCertain, block } = mention;
    const location = { ...(repo !== undefined && { repo }), ...(lines !== undefined && { lines }) };
    const written = names[index] ?? '';
    if (symbol === '') {
      // A path that once stands alone is meant itself.
      const previous = beside.get(written);
      const placed = names.filter((_name, at) => {
        const other = mentions[at];
        return other?.block === block && other.symbol !== '' && other.path === '';
      });
      beside.set(written, previous !== undefined && (previous.length === 0 || placed.length === 0) ? [] : placed);
    }
    const near = nearestOf(mention, paths);
    const isRepeated = path === '' && written !== writtenAs(mention);
    const before = byName.get(written);
    if (before !== undefined) before.near.push(...near);
    else
      byName.set(written, {
        written,
        path,
        symbol,
        ...location,
        near: isRepeated ? near.slice(0, 1) : near,
        elsewhere: isRepeated ? [] : all,
        isCertain,
        isRepeated,
      });
  }
  const placing = new Map([...beside].filter(([written, symbols]) => symbols.length > 0 && !written.includes(':')));
  return { candidates: [...byName.values()], placing };
}

/**
 * Returns the written names of the anchors of these mentions, one each: a name that is beside another file than at first may be
 * another thing, and is written with that file.
 */
export function namesOf(mentions: readonly Mention[]): string[] {
  const paths = pathsIn(mentions);
  const files = new Map<string, string>();
  return mentions.map((mention) => {
    const written = writtenAs(mention);
    if (mention.symbol === '' || mention.path !== '') return written;
    const [nearest] = nearestOf(mention, paths);
    const first = files.get(written) ?? nearest;
    if (nearest === undefined || first === undefined) return written;
    files.set(written, first);
    return first === nearest ? written : writtenAs({ ...mention, path: nearest });
  });
}

function pathsIn(mentions: readonly Mention[]): Mention[] {
  return mentions.filter(({ path, symbol }) => path !== '' && symbol === '');
}

/** The paths of its block, the nearest first. */
function nearestOf({ block, offset }: Mention, paths: readonly Mention[]): string[] {
  return paths
    .filter((mention) => mention.block === block)
    .toSorted((a, b) => Math.abs(a.offset - offset) - Math.abs(b.offset - offset))
    .map((mention) => mention.path);
}

/** `Class/method@path`, `Class/method`, `path:10-20`, `path`; `shop:path` and `repo:path` where a repository is named. */
export function writtenAs({ repo, ...named }: Pick<Mention, 'path' | 'symbol' | 'repo' | 'lines'>): string {
  return repo === undefined ? spellName(named) : `${repo === '*' ? 'repo' : repo}:${spellName(named)}`;
}

function spellName({ path, symbol, lines }: Pick<Mention, 'path' | 'symbol' | 'lines'>): string {
  if (symbol !== '') return path === '' ? symbol : `${symbol}@${path}`;
  if (lines === undefined) return path;
  return lines.from === lines.to ? `${path}:${lines.from}` : `${path}:${lines.from}-${lines.to}`;
}
