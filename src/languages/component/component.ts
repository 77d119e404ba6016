import {
  Definition,
  DefinitionFlag,
  DefinitionKind,
  ExportHow,
  type FileFacts,
  NodeOp,
  ReferenceHow,
  UseFlag,
} from '../facts/facts.ts';
import { TABLES } from '../facts/table.ts';
import { extractTypeScript, type ScriptLanguage } from '../typescript/typescript.ts';

const BLOCK = /(<(script|style)\b((?:[^>"']|"[^"]*"|'[^']*')*)>)([\s\S]*?)<\/\2\s*>/gi;
const TYPED = /\blang\s*=\s*["']?(tsx?|typescript)\b/i;
const TAG = /<([A-Za-z][\w-]*)((?:\.[A-Za-z_$][\w$]*)*)/g;
/** In Vue `v-focus` is the directive that the script calls `vFocus`. */
const VUE_DIRECTIVE = /\s(v-[a-z][\w-]*)/g;
/** In Vue: `{{ x }}`, and attributes whose value is an expression. */
const VUE_EXPRESSION = /\{\{([\s\S]*?)\}\}|\s(?:[:@#]|v-)[^\s=>"']*\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** In Vue: an argument that is an expression, as in `:[name]="x"`, `@[event]` and `v-tip:[side].once`. */
const VUE_ARGUMENT = /\s(?:[:@#]|v-[a-z][\w-]*:)\[([^\]\s]+)\]/g;
/** In Vue: `:id`, which is short for `:id="id"`, and `ref="input"`, which fills the variable of that name. */
const VUE_SHORTHAND =
  /\s(?:(?::|v-bind:)([A-Za-z][\w-]*)(?:\.[\w-]+)*(?=\s*\/?>|\s+[^\s=])|ref\s*=\s*["']([A-Za-z_$][\w$]*)["'])/g;
/** In Svelte: `on:click|once`, `use:action`, `bind:value` name what they have no value for. */
const SVELTE_DIRECTIVE =
  /\s(?:use|transition|in|out|animate|bind):([A-Za-z_$][\w$]*)((?:\.[A-Za-z_$][\w$]*)*)|\s(?:class|style):([A-Za-z_$][\w$]*)(?![\w$-]*\s*=)/g;
/** A name that is no member, no key and not in a string. */
const WORD =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w$]|(?<!\.\.)\.)([A-Za-z_$][\w$]*)(?![\w$]|\s*:(?!:))((?:\s*\??\.\s*[A-Za-z_$][\w$]*)*)(\s*\()?/g;
const MEMBER = /[A-Za-z_$][\w$]*/g;

interface Range {
  start: number;
  end: number;
}

/** A component cut into what is script and what is markup; both have the length of the text, the rest is blank. */
interface Parts {
  script: string;
  markup: string;
  language: ScriptLanguage;
}

/**
 * The facts of a Vue or Svelte component: its scripts read as one module, at their own positions, and the names of that
 * module which the markup uses (tags, expressions). The file exports a component: what its script exports as `default`,
 * or else itself; either is called as the file is. Linear in the text.
 *
 * @throws TooDeep when a script nests too deeply.
 */
export function extractComponent(framework: 'vue' | 'svelte', text: string): FileFacts {
  const { script, markup, language } = partsOf(text);
  const facts = withComponent(extractTypeScript(language, script), text);
  return withMarkup(facts, framework === 'vue' ? vueNames(markup) : svelteNames(markup));
}

function partsOf(text: string): Parts {
  const scripts: Range[] = [];
  const blocks: Range[] = [];
  let language: ScriptLanguage = 'javascript';
  for (const match of text.matchAll(BLOCK)) {
    const [whole, open = '', name = '', attributes = '', body = ''] = match;
    const start = match.index + open.length;
    blocks.push({ start: match.index, end: match.index + whole.length });
    if (name.toLowerCase() !== 'script') continue;
    scripts.push({ start, end: start + body.length });
    const typed = TYPED.exec(attributes)?.[1];
    if (typed !== undefined) language = typed === 'tsx' ? 'tsx' : 'typescript';
  }
  return { script: keepOnly(text, scripts), markup: keepOnly(text, rangesBetween(blocks, text.length)), language };
}

/** The ranges that others leave of a length. */
function rangesBetween(ranges: readonly Range[], length: number): Range[] {
  const starts = [0, ...ranges.map(({ end }) => end)];
  return starts.map((start, index) => ({ start, end: ranges[index]?.start ?? length }));
}

/** The text with everything outside some ascending ranges blanked, so that positions stay. */
function keepOnly(text: string, ranges: readonly Range[]): string {
  let output = '';
  for (const { start, end } of ranges) output += blankText(text.slice(output.length, start)) + text.slice(start, end);
  return output + blankText(text.slice(output.length));
}

function blankText(text: string): string {
  return text.replaceAll(/[^\n\r]/g, ' ');
}

/** Adds the component itself when the script exports no default. */
function withComponent(facts: FileFacts, text: string): FileFacts {
  const { strings, definitions, exports } = facts;
  const defaultIndex = strings.indexOf('default');
  if (defaultIndex > 0 && exportsName(exports, defaultIndex)) return facts;
  const name = defaultIndex > 0 ? defaultIndex : strings.length;
  const definition = new Int32Array(TABLES.definitions.width);
  const { value, exported, topLevel } = DefinitionFlag;
  definition[Definition.name] = name;
  definition[Definition.kind] = DefinitionKind.class;
  definition[Definition.flags] = value | exported | topLevel | DefinitionFlag.default;
  definition[Definition.end] = text.length;
  for (const absent of ['scope', 'owner', 'bodyScope', 'docStart', 'docEnd'] as const)
    definition[Definition[absent]] = -1;
  const row = [name, ExportHow.local, definitions.count, -1, 0];
  return {
    ...facts,
    strings: defaultIndex > 0 ? strings : [...strings, 'default'],
    definitions: new TABLES.definitions(joinRows(definitions.words, definition)),
    exports: new TABLES.exports(joinRows(exports.words, row)),
  };
}

function exportsName(exports: FileFacts['exports'], name: number): boolean {
  for (let row = 0; row < exports.count; row += 1) if (exports.name(row) === name) return true;
  return false;
}

function joinRows(rows: Int32Array, more: ArrayLike<number>): Int32Array {
  const all = new Int32Array(rows.length + more.length);
  all.set(rows);
  all.set(more, rows.length);
  return all;
}

/** A name that the markup may mean, and where. */
interface MarkupName {
  name: string;
  start: number;
  /** True if it is called: the last of the members, if there are any. */
  isCalled: boolean;
  members?: readonly { name: string; start: number }[];
}

/** Adds a use for each name of the markup that the module of the scripts declares or imports, and for its members. */
function withMarkup(facts: FileFacts, names: readonly MarkupName[]): FileFacts {
  const strings = [...facts.strings];
  const ids = new Map(strings.map((text, id) => [text, id]));
  const declared = new Set<string>();
  const { definitions } = facts;
  for (let row = 0; row < definitions.count; row += 1)
    if (definitions.scope(row) === 0) declared.add(strings[definitions.name(row)] ?? '');
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? strings.push(text) - 1;
    ids.set(text, id);
    return id;
  };
  const nodes = [...facts.nodes];
  const references: number[] = [];
  const rows: number[] = [];
  for (const { name, start, isCalled, members = [] } of names) {
    if (!declared.has(name)) continue;
    const flagsAt = (isLast: boolean): number => UseFlag.value | (isLast && isCalled ? UseFlag.call : UseFlag.read);
    references.push(idOf(name), start, 0, flagsAt(members.length === 0), ReferenceHow.scoped, 0, 0);
    let receiver = nodes.push(NodeOp.Identifier, idOf(name), 0) - 3;
    for (const [index, member] of members.entries()) {
      rows.push(idOf(member.name), member.start, receiver, flagsAt(index === members.length - 1), 0);
      receiver = nodes.push(NodeOp.MemberOf, receiver, idOf(member.name)) - 3;
    }
  }
  return {
    ...facts,
    strings,
    nodes: Int32Array.from(nodes),
    references: new TABLES.references(joinRows(facts.references.words, references)),
    members: new TABLES.members(joinRows(facts.members.words, rows)),
  };
}

function vueNames(markup: string): MarkupName[] {
  const names = tagNames(markup);
  for (const { index, 1: written = '' } of markup.matchAll(VUE_DIRECTIVE))
    names.push({ name: camelCase(written, /-(\w)/g), start: index + 1, isCalled: false });
  for (const { index, 0: whole, 1: code = '' } of markup.matchAll(VUE_ARGUMENT))
    names.push(...wordsOf(code, index + whole.length - code.length - 1));
  for (const { index, 0: whole, 1: bound, 2: filled = '' } of markup.matchAll(VUE_SHORTHAND)) {
    const written = bound ?? filled;
    names.push({ name: camelCase(written, /-(\w)/g), start: index + whole.lastIndexOf(written), isCalled: false });
  }
  for (const match of markup.matchAll(VUE_EXPRESSION)) {
    const [whole, interpolated, quoted, single] = match;
    const code = interpolated ?? quoted ?? single ?? '';
    names.push(...wordsOf(code, match.index + whole.lastIndexOf(code)));
  }
  return names;
}

function svelteNames(markup: string): MarkupName[] {
  const names = tagNames(markup);
  for (const { index, 0: whole, 1: directive, 2: chain = '', 3: shorthand = '' } of markup.matchAll(SVELTE_DIRECTIVE)) {
    const name = directive ?? shorthand;
    const start = index + whole.length - chain.length - name.length;
    names.push({ name, start, isCalled: false, members: membersOf(chain, start + name.length) });
  }
  let start = 0;
  for (let at = 0, depth = 0; at < markup.length; at += 1) {
    const character = markup[at];
    if (character === '{' && (depth += 1) === 1) start = at + 1;
    if (character === '}' && depth > 0 && (depth -= 1) === 0) names.push(...wordsOf(markup.slice(start, at), start));
  }
  return names;
}

/** Tags are components as they are written, or in upper camel case. */
function tagNames(markup: string): MarkupName[] {
  return Array.from(markup.matchAll(TAG)).flatMap(({ index, 1: tag = '', 2: chain = '' }) => {
    const camel = camelCase(tag, /(?:^|-)(\w)/g);
    const names = camel === tag ? [tag] : [tag, camel];
    const members = membersOf(chain, index + 1 + tag.length);
    return names.map((name) => ({ name, start: index + 1, isCalled: false, members }));
  });
}

function camelCase(name: string, letters: RegExp): string {
  return name.replaceAll(letters, (_, letter: string) => letter.toUpperCase());
}

/** The members of a chain `.a?.b`. */
function membersOf(chain: string, offset: number): { name: string; start: number }[] {
  return Array.from(chain.matchAll(MEMBER), ({ 0: name, index }) => ({ name, start: offset + index }));
}

/** Names in an expression, each with its members. A `$` before a name reads the store of that name (Svelte). */
function wordsOf(code: string, offset: number): MarkupName[] {
  return Array.from(code.matchAll(WORD)).flatMap(({ index, 1: word, 2: chain = '', 3: open }) => {
    if (word === undefined) return [];
    const start = offset + index;
    const members = membersOf(chain, start + word.length);
    const name = { start, isCalled: open !== undefined, members };
    return word.startsWith('$') && word.length > 1
      ? [
          { ...name, name: word },
          { ...name, name: word.slice(1), start: name.start + 1 },
        ]
      : [{ ...name, name: word }];
  });
}
