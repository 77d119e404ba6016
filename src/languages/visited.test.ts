import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { beforeAll, expect, test } from 'vitest';
import { Language, type Node, Parser as TreeSitter } from 'web-tree-sitter';
import { Extractors } from './extract/extract.ts';
import type { FileFacts } from './facts/facts.ts';
import { languageOfPath, type Parser } from './languages.ts';

/*
 * No walker is silent: every identifier of a file is a definition or a use, or it stands in a place that is listed here
 * with the reason. The texts are those of fixtures/<language>, and fixtures/kinds with the constructs of its grammar.
 */

const FIXTURES = new URL('../../fixtures/', import.meta.url);
const GRAMMARS = new URL('../../grammars/', import.meta.url);

/** Node types of names. */
const NAME =
  /identifier$|^(name|constant|simple_symbol|variable_name|hash_key_symbol|global_variable|(instance|class)_variable)$/;

/**
 * Contexts in which a name is no use: `parent>type` with as many parents as it takes, and the sign that follows the name where
 * that matters, a type of node around it, or `=text`.
 */
const EXCLUSIONS = {
  python: {
    labels: ['keyword_argument>identifier'],
    'type parameters, which no symbol is made of': ['type>identifier'],
  },
  php: {
    'names of packages': ['namespace_name>name'],
    'labels of arguments': ['argument>name:'],
    'words of the language': ['=this', '=self', '=static', '=class', 'property_hook>name'],
  },
  go: { 'names of packages': ['package_clause>package_identifier'], 'words of the language': ['=_'] },
  java: {
    'names of packages': ['package_declaration'],
    labels: ['labeled_statement>identifier', 'continue_statement>identifier', 'break_statement>identifier'],
    'words of the language': ['=var'],
  },
  rust: {
    labels: ['lifetime>identifier', 'label>identifier'],
    'words of the language': ['=Self'],
  },
  ruby: {
    'what declares, and `new`': [
      '=require',
      '=require_relative',
      '=new',
      '=include',
      '=extend',
      '=attr_reader',
      '=attr_accessor',
      '=private',
      '=protected',
      '=Struct',
    ],
    'symbols, which are values': [
      'pair>simple_symbol',
      'pattern>simple_symbol',
      'pair>hash_key_symbol',
      'keyword_pattern>hash_key_symbol',
    ],
    'variables of the process': ['global_variable'],
  },
  swift: {
    'names of packages': ['import_declaration'],
    labels: [
      'parameter>simple_identifier',
      'enum_type_parameters>simple_identifier',
      'control_transfer_statement>simple_identifier',
    ],
    'types and words of the language': [
      '=String',
      '=Int',
      '=Bool',
      '=Void',
      '=AnyObject',
      '=$0',
      '=_',
      '=self',
      '=init',
      '=Type',
      '=iOS',
    ],
  },
  scala: {
    'names of packages': ['package_clause', 'package_identifier', 'import_declaration', 'access_qualifier'],
    labels: ['assignment_expression>identifier'],
    'types and words of the language': ['=String', '=Int', '=Unit', '=AnyVal', '=this', '=super', '=s', '=::', '=???'],
  },
  csharp: {
    'names of packages': [
      'using_directive',
      'namespace_declaration>qualified_name>identifier',
      'file_scoped_namespace_declaration>qualified_name>identifier',
    ],
    labels: ['argument>identifier:', 'goto_statement>identifier', 'labeled_statement>identifier'],
    'names of the parts of a type of functions': ['parameter>identifier'],
    'the type that it belongs to': ['destructor_declaration>identifier'],
    'properties of a type without a name': ['anonymous_object_creation_expression>identifier'],
  },
  kotlin: {
    'names of packages': ['package_header', 'import'],
    labels: [
      'value_argument>identifier=',
      'labeled_expression>identifier',
      'super_expression>identifier',
      'return_expression>identifier',
    ],
    'types and words of the language': ['=String', '=Int', '=Boolean', '=Unit', '=Any', '=null', '=class'],
  },
  cpp: {
    'names of packages, and of what a file is made of': [
      'nested_namespace_specifier',
      'namespace_alias_definition',
      '=std',
    ],
    labels: ['statement_identifier', '=static_cast', '=make_unique'],
    'parameters of macros and templates': ['preproc_params>identifier', 'template_parameter_list'],
    'the type that it belongs to': ['destructor_name>identifier'],
    'macros that the text is read without': ['=explicit'],
  },
  typescript: {
    labels: [
      'LabeledStatement>Identifier',
      'ContinueStatement>Identifier',
      'BreakStatement>Identifier',
      'TSNamedTupleMember>Identifier',
    ],
    'words of the language': ['MetaProperty>Identifier', '=global'],
    'what a module exports under a name that it does not define': ['ExportAllDeclaration>Identifier'],
  },
} as const satisfies Partial<Record<Parser, Readonly<Record<string, readonly string[]>>>>;

type Guarded = keyof typeof EXCLUSIONS;

const extractors = new Extractors();

beforeAll(async () => {
  // The first extractor starts the runtime that the test shares.
  await extractors.extract('python', '');
  await TreeSitter.init();
});

test.each(Object.keys(EXCLUSIONS) as Guarded[])(
  '%s: every identifier is visited, or its place is excluded',
  async (parser) => {
    const excluded: readonly string[] = Object.values(EXCLUSIONS[parser]).flat();
    const unused = new Set(excluded);
    const missing: string[] = [];

    for (const { name, text } of textsOf(parser)) {
      const visited = startsOf(await extractors.extract(parser, text));
      for (const { start, path, written } of await namesIn(parser, text)) {
        if (visited.has(start)) continue;
        const nested = `>${path.toReversed().join('>')}`;
        const followed =
          nested +
          text
            .slice(start + written.length)
            .trimStart()
            .charAt(0);
        const reasons = excluded.filter(
          (pattern) =>
            pattern === `=${written}` ||
            path.includes(pattern) ||
            nested.endsWith(`>${pattern}`) ||
            followed.endsWith(`>${pattern}`),
        );
        for (const reason of reasons) unused.delete(reason);
        if (reasons.length === 0) missing.push(`${name}: ${written} (${path.slice(0, 3).toReversed().join(' > ')})`);
      }
    }

    expect(missing).toEqual([]);
    expect([...unused]).toEqual([]);
  },
);

/** An identifier: where it starts, and the types of its node and of those around it. */
interface Name {
  start: number;
  written: string;
  path: string[];
}

function textsOf(parser: Guarded): { name: string; text: string }[] {
  const folder = new URL(`${parser}/`, FIXTURES);
  const files = parser === 'typescript' ? [] : readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => languageOfPath(file).parser === parser).map((file) => new URL(file, folder));
  return [...sources, new URL(`kinds/${parser}.txt`, FIXTURES)].map((url) => ({
    name: url.pathname.slice(FIXTURES.pathname.length),
    text: readFileSync(url, 'utf8'),
  }));
}

/**
 * Returns the starts of the names of definitions, references, members and keys; of variables of PHP and Ruby also behind the
 * mark.
 */
function startsOf({ definitions, references, members, keys, strings }: FileFacts): ReadonlySet<number> {
  const starts = new Set<number>();
  const add = (start: number, name: number): void => {
    starts.add(start);
    const mark = /^[@$:]+/.exec(strings[name] ?? '')?.[0].length ?? 0;
    starts.add(start + mark);
    starts.add(start - 1);
  };
  for (let row = 0; row < definitions.count; row += 1) add(definitions.nameStart(row), definitions.name(row));
  for (let row = 0; row < references.count; row += 1) add(references.start(row), references.name(row));
  for (let row = 0; row < members.count; row += 1) add(members.start(row), members.name(row));
  for (let row = 0; row < keys.count; row += 1) add(keys.start(row), keys.name(row));
  return starts;
}

async function namesIn(parser: Guarded, text: string): Promise<Name[]> {
  if (parser === 'typescript') return namesOfScript(text);
  const tree = new TreeSitter();
  tree.setLanguage(await Language.load(new URL(`${parser}.wasm`, GRAMMARS).pathname));
  const names: Name[] = [];
  const collect = (node: Node, around: string[]): void => {
    // What the grammar does not know is reported as such.
    if (node.type === 'ERROR') return;
    const path = [node.type, ...around];
    if (node.childCount === 0 && node.isNamed && !node.isMissing && NAME.test(node.type))
      names.push({ start: node.startIndex, written: node.text, path });
    for (const child of node.children) if (child !== null) collect(child, path);
  };
  const root = tree.parse(text)?.rootNode;
  if (root !== undefined) collect(root, []);
  return names;
}

function namesOfScript(text: string): Name[] {
  const names: Name[] = [];
  const collect = (value: unknown, around: string[]): void => {
    if (Array.isArray(value)) for (const item of value) collect(item, around);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const path = [String(value.type), ...around];
    if (path[0]?.endsWith('Identifier') === true && 'start' in value && 'name' in value)
      names.push({ start: Number(value.start), written: String(value.name), path });
    for (const child of Object.values(value)) collect(child, path);
  };
  collect(parseSync('a.ts', text).program, []);
  return names;
}
