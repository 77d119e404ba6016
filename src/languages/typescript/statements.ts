import type { ForInStatement, ForOfStatement, IfStatement, Node, Statement, SwitchCase } from 'oxc-parser';
import { functionScope } from '../facts/facts-builder.ts';
import { DefinitionKind, Facet, NodeOp, ScopeKind } from '../facts/facts.ts';
import { declare } from './declarations.ts';
import { countElseIf, countJump, countStructure, countSwitch, readNested } from './metrics.ts';
import { readExportAll, readExportAssignment, readExportDefault, readExportNamed } from './exports.ts';
import { readImport } from './imports.ts';
import { checksOf, checksOfCases, narrowedScope } from './narrowing.ts';
import { assignPattern, bind } from './patterns.ts';
import { readAnnotation } from './types.ts';
import type { NodeOf, Walk } from './walk.ts';

const PLAIN = { flags: 0 };

type Reader<T extends Node['type']> = (walk: Walk, node: NodeOf<T>, scope: number) => void;

const READERS: { readonly [T in Statement['type']]?: Reader<T> } = {
  ExpressionStatement: (walk, node, scope) => void walk.visit.expression(walk, node.expression, scope),
  ReturnStatement: (walk, node, scope) => {
    if (node.argument === null) return;
    const value = walk.visit.expression(walk, node.argument, scope, walk.frame.returns);
    if (value !== 0 && walk.frame.definition >= 0) walk.facts.facet(walk.frame.definition, Facet.returned, value);
  },
  BlockStatement: (walk, node, scope) => {
    readStatements(walk, node.body, walk.facts.scope(scope, ScopeKind.block));
  },
  IfStatement: (walk, node, scope) => {
    countStructure(walk.frame, 1);
    readIf(walk, node, scope);
  },
  ForStatement: (walk, node, scope) => {
    const { visit } = walk;
    const inside = walk.facts.scope(scope, ScopeKind.block);
    countStructure(walk.frame, 1);
    if (node.init?.type === 'VariableDeclaration')
      declare(walk, node.init, inside, { ...PLAIN, start: node.init.start });
    else if (node.init !== null) visit.expression(walk, node.init, inside);
    if (node.test !== null) visit.expression(walk, node.test, inside);
    if (node.update !== null) visit.expression(walk, node.update, inside);
    readNested(walk, () => readStatement(walk, node.body, inside));
  },
  ForInStatement: (walk, node, scope) => readIteration(walk, node, scope),
  ForOfStatement: (walk, node, scope) => readIteration(walk, node, scope),
  WhileStatement: (walk, node, scope) => readLoop(walk, node, scope),
  DoWhileStatement: (walk, node, scope) => readLoop(walk, node, scope),
  TryStatement: (walk, node, scope) => {
    readStatement(walk, node.block, scope);
    if (node.handler !== null) readCatch(walk, node.handler, scope);
    if (node.finalizer !== null) readStatement(walk, node.finalizer, scope);
  },
  SwitchStatement: (walk, node, scope) => {
    walk.visit.expression(walk, node.discriminant, scope);
    countSwitch(walk.frame, node);
    const inside = walk.facts.scope(scope, ScopeKind.block);
    readNested(walk, () => {
      readCases(walk, node, inside);
    });
  },
  ThrowStatement: (walk, node, scope) => void walk.visit.expression(walk, node.argument, scope),
  LabeledStatement: (walk, node, scope) => readStatement(walk, node.body, scope),
  WithStatement: (walk, node, scope) => {
    walk.visit.expression(walk, node.object, scope);
    readStatement(walk, node.body, scope);
  },
  BreakStatement: (walk, node) => countJump(walk.frame, node),
  ContinueStatement: (walk, node) => countJump(walk.frame, node),
  ImportDeclaration: readImport,
  ExportNamedDeclaration: readExportNamed,
  ExportDefaultDeclaration: readExportDefault,
  ExportAllDeclaration: readExportAll,
  TSExportAssignment: readExportAssignment,
  VariableDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  FunctionDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSDeclareFunction: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  ClassDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSInterfaceDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSTypeAliasDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSEnumDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSModuleDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
  TSImportEqualsDeclaration: (walk, node, scope) => void declare(walk, node, scope, { ...PLAIN, start: node.start }),
};

/** References, definitions and measures of a statement. */
export function readStatement(walk: Walk, node: Statement, scope: number): void {
  // Each reader takes the nodes whose type is its key.
  const reader = READERS[node.type] as ((walk: Walk, node: Statement, scope: number) => void) | undefined;
  reader?.(walk, node, scope);
}

function readIf(walk: Walk, node: IfStatement, scope: number): void {
  walk.visit.expression(walk, node.test, scope);
  readNested(walk, () =>
    readStatement(walk, node.consequent, narrowedScope(walk, checksOf(walk, node.test, scope), scope)),
  );
  const { alternate } = node;
  if (alternate === null) return;
  const otherwise = narrowedScope(walk, checksOf(walk, node.test, scope, false), scope);
  if (alternate.type === 'IfStatement') {
    countElseIf(walk.frame);
    readIf(walk, alternate, otherwise);
    return;
  }
  walk.frame.cognitive += 1;
  readNested(walk, () => readStatement(walk, alternate, otherwise));
}

/**
 * The statements of a block or body. What follows `if (!(x instanceof C)) return` is read in a scope of its own where
 * the test holds; declarations belong to the block all the same.
 */
export function readStatements(walk: Walk, list: readonly Statement[], scope: number): void {
  let inside = scope;
  for (const statement of list) {
    const isDeclaration =
      statement.type !== 'VariableDeclaration' && /Declaration$|^TSDeclareFunction$/.test(statement.type);
    readStatement(walk, statement, isDeclaration ? scope : inside);
    if (statement.type === 'IfStatement' && statement.alternate === null && endsBlock(statement.consequent))
      inside = narrowedScope(walk, checksOf(walk, statement.test, inside, false), inside);
  }
}

const LEAVING: ReadonlySet<string> = new Set([
  'ReturnStatement',
  'ThrowStatement',
  'ContinueStatement',
  'BreakStatement',
]);

/** True if what follows a statement in its block is never reached through it. */
function endsBlock(node: Statement): boolean {
  if (node.type !== 'BlockStatement') return LEAVING.has(node.type);
  const last = node.body.at(-1);
  return last !== undefined && LEAVING.has(last.type);
}

/** The bodies of a `switch`; clauses without statements fall into the next body. */
function readCases(walk: Walk, { discriminant, cases }: NodeOf<'SwitchStatement'>, scope: number): void {
  let tests: SwitchCase['test'][] = [];
  for (const { test, consequent } of cases) {
    if (test !== null) walk.visit.expression(walk, test, scope);
    tests.push(test);
    if (consequent.length === 0) continue;
    readStatements(walk, consequent, narrowedScope(walk, checksOfCases(walk, discriminant, tests), scope));
    const last = consequent.at(-1);
    // A body that runs on shares what is known with the next.
    tests = last !== undefined && endsBlock(last) ? [] : [null];
  }
}

function readLoop(walk: Walk, node: NodeOf<'WhileStatement'> | NodeOf<'DoWhileStatement'>, scope: number): void {
  countStructure(walk.frame, 1);
  walk.visit.expression(walk, node.test, scope);
  const inside = node.type === 'WhileStatement' ? narrowedScope(walk, checksOf(walk, node.test, scope), scope) : scope;
  readNested(walk, () => readStatement(walk, node.body, inside));
}

function readIteration(walk: Walk, node: ForInStatement | ForOfStatement, scope: number): void {
  const { facts, visit } = walk;
  const inside = facts.scope(scope, ScopeKind.block);
  countStructure(walk.frame, 1);
  const list = visit.expression(walk, node.right, scope);
  const value = node.type === 'ForOfStatement' && list !== 0 ? facts.node(NodeOp.Element, list) : 0;
  if (node.left.type === 'VariableDeclaration') {
    const [declarator] = node.left.declarations;
    if (declarator !== undefined)
      bind(walk, declarator.id, inside, {
        kind: DefinitionKind.variable,
        flags: 0,
        scope: node.left.kind === 'var' ? functionScope(facts, inside, ScopeKind.block) : inside,
        type: readAnnotation(walk, declarator.id.typeAnnotation, inside),
        value,
        context: 0,
      });
  } else assignPattern(walk, node.left, inside, value);
  readNested(walk, () => readStatement(walk, node.body, inside));
}

function readCatch(walk: Walk, node: NodeOf<'CatchClause'>, scope: number): void {
  const inside = walk.facts.scope(scope, ScopeKind.block);
  countStructure(walk.frame, 0);
  if (node.param !== null)
    bind(walk, node.param, inside, {
      kind: DefinitionKind.variable,
      flags: 0,
      scope: inside,
      type: readAnnotation(walk, node.param.typeAnnotation, inside),
      value: 0,
      context: 0,
    });
  readNested(walk, () => {
    readStatements(walk, node.body.body, inside);
  });
}
