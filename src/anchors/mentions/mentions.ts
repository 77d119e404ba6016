import type { Nodes, Parents } from 'mdast';

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

/** Something of the code that a text names. */
export interface Mention {
  /** Path as written, without `./`; '' when only a symbol is named. */
  path: string;
  /** `Class/method` or a name; '' when only a path is named. */
  symbol: string;
  /** The repository that must hold it, by name or id, `*` for any; absent where the text names none. */
  repo?: string;
  /** 1-based, both ends included. */
  lines?: { from: number; to: number };
  /** Written so that it can only be meant as code: with a scope, a call, or humps. Other words may just be words. */
  isCertain: boolean;
  /** Mentions of one block (a paragraph, a heading, a table row) belong together. */
  block: number;
  /** Position in the text. */
  offset: number;
}

const PATH =
  /^(?:\.\/)?((?:[\w@.+~()[\]$-]+\/)*[\w@.+~()[\]$-]+\.[A-Za-z][\w-]{0,11})(?::(\d+)(?:-(\d+))?|#L(\d+)(?:-L?(\d+))?)?$/;
/** Paths in running text need a folder, so that "e.g." and "node.js" are none. */
const BARE_PATH = /(?<![\w/@.:-])(?:\.\/)?(?:[\w@.+-]+\/)+[\w@+.-]*\.[A-Za-z]\w{0,11}(?::\d+(?:-\d+)?)?(?![\w/])/g;
const HANDLE = /^sym:([^@]+)@(.+)$/;
/** The last part of a member of a type may have hyphens (`Parser.on-error`); private names begin with `#`. */
const SYMBOL =
  /^(?:new\s+)?(#?[A-Za-z_$][\w$]*(?:(?:\.#?|#|::|\/)[A-Za-z_$~][\w$]*){0,5}|[A-Z][\w$]*\.[a-z][\w$]*(?:-[\w$]+)+)(\(.*\))?$/s;
const FILE_NAMES = new Set(['Dockerfile', 'Makefile', 'Gemfile', 'Jenkinsfile', 'Procfile', 'LICENSE', 'CODEOWNERS']);
/** File extensions that a name with a dot ends in when it is a file and not a member. */
const EXTENSIONS = new Set(
  'c cc cjs cfg conf cpp cs css csv cts cxx dart env ex exs fs go gradle graphql h hbs hpp hs html ini java jl js json json5 jsonc jsx kt kts less lock lua m md mdx mjs mm mts php pl properties proto ps1 py pyi r rb rs rst sass scala scss sh snap sol sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig zsh'.split(
    ' ',
  ),
);
const BLOCKS = new Set(['paragraph', 'heading', 'tableRow']);

/**
 * Paths and symbols that a Markdown text names, in its order: in back-quotes (`src/a.ts:10-20`, `Mailer.send`,
 * `sendMail()`, `sym:Mailer/send@src/a.ts`), as targets of links, and paths in running text. Fenced code is an example of
 * something and names nothing.
 */
export function mentionsIn(tree: Parents): Mention[] {
  const mentions: Mention[] = [];
  const state = { block: 0 };
  visit(tree, state, mentions);
  return mentions;
}

/** Reads one word as a mention; undefined when it is none. */
export function mentionOf(written: string): Omit<Mention, 'block' | 'offset'> | undefined {
  const text = written.trim();
  if (text === '' || text.length > 300) return undefined;
  const handle = HANDLE.exec(text);
  if (handle !== null) return { path: cleanPath(handle[2] ?? ''), symbol: handle[1] ?? '', isCertain: true };
  const path = pathOf(text);
  if (path !== undefined) return { ...path, symbol: '', isCertain: true };
  const [, name = '', call] = SYMBOL.exec(text) ?? [];
  if (name === '') return undefined;
  const symbol = name.replace(/^(?:this|self)\./, '').replaceAll(/(?<=.)(?:\.(?=#)|::(?=#)|\.|::|(?<![.:])#)/g, '/');
  const isCertain = call !== undefined || /[/#]/.test(symbol) || /[a-z\d][A-Z]|\w_\w|^[A-Z][a-z]+[A-Z]/.test(symbol);
  return { path: '', symbol, isCertain };
}

function visit(node: Nodes, state: { block: number }, mentions: Mention[]): void {
  if (BLOCKS.has(node.type)) state.block += 1;
  const at = { block: state.block, offset: node.position?.start.offset ?? 0 };
  if (node.type === 'inlineCode') {
    const mention = mentionOf(node.value);
    if (mention !== undefined) mentions.push({ ...mention, ...at });
    return;
  }
  if (node.type === 'text') {
    for (const match of node.value.matchAll(BARE_PATH)) {
      const path = pathOf(match[0]);
      if (path !== undefined)
        mentions.push({ ...path, symbol: '', isCertain: true, ...at, offset: at.offset + match.index });
    }
    return;
  }
  if (node.type === 'link') {
    const path = /^[a-z][a-z\d+.-]*:/i.test(node.url) ? undefined : pathOf(decodeUrl(node.url));
    if (path !== undefined) {
      mentions.push({ ...path, symbol: '', isCertain: true, ...at });
      // The text of such a link repeats the path, or names a symbol in it.
      for (const child of node.children)
        if (child.type === 'inlineCode' && pathOf(child.value) === undefined) visit(child, state, mentions);
      return;
    }
  }
  if ('children' in node) for (const child of node.children) visit(child, state, mentions);
}

function pathOf(text: string): Pick<Mention, 'path' | 'lines'> | undefined {
  if (FILE_NAMES.has(text)) return { path: text };
  const [, path, from, to = from, anchorFrom, anchorTo = anchorFrom] = PATH.exec(text) ?? [];
  if (path === undefined) return undefined;
  const [name, extension] = [path.slice(0, path.lastIndexOf('.')), path.slice(path.lastIndexOf('.') + 1)];
  if (!path.includes('/') && !EXTENSIONS.has(extension.toLowerCase())) return undefined;
  // `Type.Less` and `ctx.JSON` are members; `README.MD` is a file.
  if (!path.includes('/') && extension !== extension.toLowerCase() && name !== name.toUpperCase()) return undefined;
  const first = from ?? anchorFrom;
  const last = from === undefined ? anchorTo : to;
  const lines = first === undefined ? undefined : { from: Number(first), to: Math.max(Number(first), Number(last)) };
  return { path: cleanPath(path), ...(lines !== undefined && { lines }) };
}

function cleanPath(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, '');
}

function decodeUrl(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}
