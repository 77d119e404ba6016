import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type OracleAccount, type OracleName, type OracleSymbol, OUTSIDE } from './account.ts';

/** A symbol with the lines of its declaration's head, by which rustdoc names it. */
interface Declared {
  id: number;
  name: string;
  line: number;
}

const HEAD =
  /^(\s*)(?:pub(?:\([^)]*\))?\s+)?(?:default\s+|unsafe\s+|const\s+(?=fn|unsafe|async|extern)|async\s+|extern\s+(?:"[^"]*"\s+)?(?=fn))*(fn|struct|enum|union|trait|type|static(?:\s+mut)?|const|macro_rules!)\s+([A-Za-z_]\w*)/;
const KINDS: Readonly<Record<string, string>> = {
  fn: 'function',
  struct: 'type',
  enum: 'type',
  union: 'type',
  trait: 'type',
  type: 'type',
  'macro_rules!': 'macro',
};

/**
 * Writes what rustc reports of one crate without dependencies, from the source pages of rustdoc, which link to definitions.
 * Macros are not followed, and fields are not reported. Lines and heads of declarations are found in the text; code must be
 * laid out as rustfmt does.
 */
export function rustAccount(checkout: string, output: string): void {
  const account: OracleAccount = { symbols: [], names: {}, families: [] };
  const folder = crateFolder(checkout);
  const manifest = readFileSync(join(folder, 'Cargo.toml'), 'utf8');
  const crate = (/^name\s*=\s*"([^"]+)"/m.exec(manifest)?.[1] ?? '').replaceAll('-', '_');
  const pages = join(folder, 'oracle-pages');
  writePages(folder, pages, { crate, manifest });
  const sources = readdirSync(join(pages, 'src', crate), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.rs.html'))
    .map((path) => ({ page: path, path: relative(checkout, join(folder, 'src', path.slice(0, -'.html'.length))) }));
  const declared = new Map<string, Declared[]>();
  const texts = new Map(sources.map(({ path }) => [path, readFileSync(join(checkout, path), 'utf8')]));
  for (const [path, text] of texts) declared.set(path, declarationsIn(text, path, account.symbols));
  joinFamilies([...texts], declared, account);
  let unread = 0;
  for (const { page, path } of sources) {
    const html = readFileSync(join(pages, 'src', crate, page), 'utf8');
    const links = linksOf(html);
    if (links.text.trimEnd() !== (texts.get(path) ?? '').trimEnd()) unread += 1;
    else account.names[path] = namesOf({ ...links, path }, { checkout, source: join(folder, 'src'), page, declared });
  }
  writeFileSync(output, JSON.stringify(account));
  console.log(`rustdoc: ${sources.length} files, of which ${unread} are left out`);
}

/** The crate at the root, or the one that ORACLE_CRATE names. */
function crateFolder(checkout: string): string {
  const folder = join(checkout, process.env['ORACLE_CRATE'] ?? '.');
  if (!existsSync(join(folder, 'src/lib.rs')))
    throw new Error(`${folder} holds no src/lib.rs: name the crate by ORACLE_CRATE`);
  return folder;
}

function writePages(folder: string, pages: string, { crate, manifest }: { crate: string; manifest: string }): void {
  const edition = /^edition\s*=\s*"(\d+)"/m.exec(manifest)?.[1] ?? '2021';
  const features = defaultFeatures(manifest).flatMap((feature) => ['--cfg', `feature="${feature}"`]);
  const common = ['--edition', edition, '--crate-name', crate, '--crate-type', 'lib', '--cap-lints', 'allow'];
  const options = [
    '-Z',
    'unstable-options',
    '--generate-link-to-definition',
    '--document-private-items',
    '--document-hidden-items',
  ];
  execFileSync('rustdoc', ['src/lib.rs', ...common, ...features, ...options, '-o', pages], {
    cwd: folder,
    env: { ...process.env, RUSTC_BOOTSTRAP: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Features that `default` turns on, those of dependencies left out. */
function defaultFeatures(manifest: string): string[] {
  const section = /^\[features\]$([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(manifest)?.[1] ?? '';
  const lists = new Map(
    [...section.matchAll(/^([\w-]+)\s*=\s*\[([^\]]*)\]/gm)].map(([, name = '', list = '']) => [
      name,
      [...list.matchAll(/"([^"]+)"/g)].map(([, feature = '']) => feature),
    ]),
  );
  const features = new Set<string>();
  const open = ['default'];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (features.has(name) || !lists.has(name)) continue;
    features.add(name);
    open.push(...(lists.get(name) ?? []));
  }
  return [...features];
}

/** Declarations of a file, added to the symbols. */
function declarationsIn(text: string, path: string, symbols: OracleSymbol[]): Declared[] {
  const lines = text.split('\n');
  const declared: Declared[] = [];
  const add = (kind: string, name: string, line: number): void => {
    const column = (lines[line] ?? '').search(new RegExp(`\\b${name}\\b`));
    declared.push({ id: symbols.length, name, line: line + 1 });
    symbols.push({ kind, name, places: [[path, line + 1, column]], isTest: /(^|\/)tests?(\/|\.rs$)/.test(path) });
  };
  let variants = '';
  lines.forEach((line, at) => {
    const [, indent = '', word = '', name = ''] = HEAD.exec(line) ?? [];
    if (variants !== '' && line.startsWith(`${variants}}`)) variants = '';
    if (word === 'enum' && /\{\s*$/.test(line)) variants = `${indent} `.slice(0, -1) || '\0';
    if (name !== '') {
      const kind = kindOf(lines, at, { word, indent: indent.length });
      // Constants of a function are its own.
      if (kind !== 'constant' || indent === '' || !/\bfn\b/.test(headAround(lines, at, indent.length)))
        add(kind, name, at);
      return;
    }
    if (variants === '') return;
    const depth = variants === '\0' ? 4 : variants.length + 4;
    const variant = new RegExp(`^ {${depth}}([A-Z]\\w*)\\s*(?:[({,=]|$)`).exec(line)?.[1];
    if (variants === '\0' && line.startsWith('}')) variants = '';
    else if (variant !== undefined) add('variant', variant, at);
  });
  return declared;
}

/** Returns the kind of a declaration; one inside an `impl` or a trait is a member. */
function kindOf(lines: readonly string[], at: number, { word, indent }: { word: string; indent: number }): string {
  const isMember =
    indent > 0 &&
    /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+|default\s+)*(?:impl|trait)\b/.test(headAround(lines, at, indent));
  if (word === 'fn') return isMember ? 'method' : 'function';
  return isMember ? 'member constant or type' : (KINDS[word] ?? 'constant');
}

/** The first line of what is around: the nearest one before that is indented less and opens something. */
function headAround(lines: readonly string[], at: number, indent: number): string {
  for (let line = at - 1; line >= 0; line -= 1) {
    const text = lines[line] ?? '';
    const depth = text.search(/\S/);
    if (depth < 0 || depth >= indent || /^\s*(?:where\b|\{|\)|\/\/|#|>)/.test(text)) continue;
    return text;
  }
  return '';
}

/** Methods of `impl Trait for X` and those of the trait of that name. */
function joinFamilies(
  texts: readonly [string, string][],
  declared: ReadonlyMap<string, Declared[]>,
  account: OracleAccount,
): void {
  const members = new Map<string, number[]>();
  for (const [path, text] of texts) {
    const lines = text.split('\n');
    for (const { id, name, line } of declared.get(path) ?? []) {
      if (account.symbols[id]?.kind !== 'method') continue;
      const head = headAround(lines, line - 1, (lines[line - 1] ?? '').search(/\S/));
      const trait =
        /\btrait\s+(\w+)/.exec(head)?.[1] ?? /\bimpl(?:<.*?>)?\s+(?:[\w:]+::)?(\w+)(?:<.*?>)?\s+for\b/.exec(head)?.[1];
      if (trait !== undefined) members.set(`${trait} ${name}`, [...(members.get(`${trait} ${name}`) ?? []), id]);
    }
  }
  account.families.push(...[...members.values()].filter((group) => group.length > 1));
}

interface Links {
  text: string;
  links: { start: number; end: number; href: string }[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

/** The source text of a page and the links in it, by offset. */
function linksOf(html: string): Links {
  const start = html.indexOf('<code>', html.indexOf('<pre class="rust">')) + '<code>'.length;
  const code = html
    .slice(start, html.indexOf('</code></pre>', start))
    .replace(/<a href=#\d+ id=\d+ data-nosnippet>\d+<\/a>/g, '');
  const result: Links = { text: '', links: [] };
  const open: { href: string; start: number }[] = [];
  for (const [part, tag, text] of code.matchAll(/<(\/?[a-z][^>]*)>|([^<]+)/g)) {
    if (text !== undefined) result.text += part.replace(/&(\w+|#\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
    else if (tag === '/a') {
      const link = open.pop();
      if (link !== undefined) result.links.push({ ...link, end: result.text.length });
    } else if (tag?.startsWith('a ') === true)
      open.push({ href: /href="([^"]*)"/.exec(tag)?.[1] ?? '', start: result.text.length });
  }
  return result;
}

interface Pages {
  checkout: string;
  /** Folder of the sources that the pages are of. */
  source: string;
  page: string;
  declared: ReadonlyMap<string, Declared[]>;
}

function namesOf({ text, links, path }: Links & { path: string }, pages: Pages): OracleName[] {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const names: OracleName[] = [];
  let line = 0;
  for (const { start, end, href } of links.toSorted((a, b) => a.start - b.start)) {
    const name = /[A-Za-z_]\w*$/.exec(text.slice(start, end))?.[0];
    if (name === undefined) continue;
    const at = end - name.length;
    while ((starts[line + 1] ?? Infinity) <= at) line += 1;
    const targets = targetOf(href, name, { path, ...pages });
    // What derives make is linked from the name of the type itself.
    const isDeclared =
      pages.declared.get(path)?.some((declared) => declared.name === name && declared.line === line + 1) === true;
    if (targets === undefined || isDeclared) continue;
    names.push([line + 1, at - (starts[line] ?? 0), 0, -1, ...targets]);
  }
  return names;
}

/** Returns the target of a link; undefined when it is no use of a name. */
function targetOf(
  href: string,
  name: string,
  { path, checkout, source, page, declared }: Pages & { path: string },
): number[] | undefined {
  // A method of a trait of a library may be one that is implemented here, which the link does not tell.
  if (/^https?:/.test(href)) return /\/trait\.[^/]*#/.test(href) ? undefined : [OUTSIDE];
  const [file = '', lines = ''] = href.split('#');
  // A declaration is linked to its own page.
  if (!file.endsWith('.rs.html') && file !== '') return undefined;
  const first = Number(/^\d+/.exec(lines)?.[0] ?? 0);
  const target = file === '' ? path : relative(checkout, join(source, page, '..', file.slice(0, -'.html'.length)));
  if (name === 'Self' || name === 'self') return undefined;
  const near = (declared.get(target) ?? []).filter((item) => item.line >= first && item.line <= first + 3);
  // A renamed item differs from a local variable in having more than one line.
  const renamed = lines.includes('-') ? near.find((item) => item.line === first) : undefined;
  const declaration = near.find((item) => item.name === name) ?? renamed;
  if (declaration === undefined && first === 1) return undefined;
  return [declaration?.id ?? OUTSIDE];
}
