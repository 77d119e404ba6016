import { type FileFacts, ScopeKind } from '../facts/facts.ts';
import type { SyntaxTree } from './tree.ts';
import { type CommentRules, writeComments } from './tree-comments.ts';
import { type MetricRules, roleTable, type RoleWords, writeMetrics } from './tree-metrics.ts';
import { type Handler, handlerTable, newWalk, typeChildren, visitChildren, type Walk } from './tree-walk.ts';
import type { TreeExtractor, TreeLanguage, TreeParser } from './trees.ts';

/** Rules for reading the facts of a language from its trees. */
interface TreeRules<W extends Walk<W>, Name extends string> {
  language: TreeLanguage;
  /** Codes of the node types that handlers and measures name. */
  kinds: Readonly<Record<Name, number>>;
  /** Handlers of statements, expressions and declarations; the inside of other nodes is visited. */
  visits: Readonly<Partial<Record<Name, Handler<W>>>>;
  /** Handlers of nodes in the position of types. */
  types: Readonly<Partial<Record<Name, Handler<W>>>>;
  /** Handler of nodes of all other types there; without it their inside is read as types. */
  typeOtherwise?: Handler<W>;
  /** Creates the state of the walk beside the facts, anew for each file. */
  state: () => Omit<W, keyof Walk<W>>;
  /** Parses a text, where the grammar alone does not do. */
  parse?: (host: TreeParser, text: string) => SyntaxTree;
  /** Steps before the first node is visited, and after the last one. */
  begin?: (walk: W) => void;
  end?: (walk: W) => void;
  /** Node types by their role in measures. */
  roles: RoleWords;
  /** Tokens that are logical operators, and the type of the label of a jump. */
  operators: readonly Name[];
  operatorTexts?: readonly string[];
  label?: Name;
  /** Node types whose own identifiers name nothing that is defined: package clauses, labels. */
  nameless?: readonly Name[];
  /** Names that are macros wherever the grammar does not know them. */
  macros?: RegExp;
  comments: CommentRules;
}

/** Makes the extractor of a language. It throws ParseLimitError for a text that takes too long or too much memory to parse. */
export function treeExtractor<W extends Walk<W>, Name extends string>(rules: TreeRules<W, Name>): TreeExtractor {
  const { language, kinds, state, begin, end, comments } = rules;
  const { parse = (host: TreeParser, text: string): SyntaxTree => host.parse(language, text) } = rules;
  const handlers = {
    visits: handlerTable<W, Name>(kinds, visitChildren, rules.visits),
    types: handlerTable<W, Name>(kinds, rules.typeOtherwise ?? typeChildren, rules.types),
  };
  const nameless = new Set((rules.nameless ?? []).map((name) => kinds[name]));
  const measures: MetricRules = {
    roles: roleTable(kinds, rules.roles),
    label: rules.label === undefined ? 0 : kinds[rules.label],
    operators: new Set(rules.operators.map((operator) => kinds[operator])),
    ...(rules.operatorTexts !== undefined && { operatorTexts: new Set(rules.operatorTexts) }),
  };
  return {
    kinds,
    extract: (host, text): FileFacts => {
      // The compiler cannot add what is left out of a type that is not known yet.
      const walk = { ...newWalk<W>(language, parse(host, text), handlers), ...state() } as unknown as W;
      begin?.(walk);
      visitChildren(walk, 1, walk.facts.scope(-1, ScopeKind.module));
      end?.(walk);
      writeComments(walk, comments);
      writeMetrics(walk, measures);
      walk.facts.names = identifiersIn(walk.tree, nameless);
      walk.facts.macros = rules.macros;
      return walk.facts.finish();
    },
  };
}

/** Starts and ends of the identifiers in a tree, in pairs, without those directly below nodes of some kinds. */
function identifiersIn({ names, kind, start, end, first }: SyntaxTree, nameless: ReadonlySet<number>): number[] {
  const identifiers: number[] = [];
  for (let at = 0; at < names.length; at += 2) {
    const [node = 0, parent = 0] = [names[at], names[at + 1]];
    // What has identifiers in it is one with a mark, as a variable of PHP.
    if (first[node] === 0 && !nameless.has(kind[parent] ?? 0)) identifiers.push(start[node] ?? 0, end[node] ?? 0);
  }
  return identifiers;
}
