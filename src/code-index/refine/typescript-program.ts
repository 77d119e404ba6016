import {
  isClassDeclaration,
  isClassExpression,
  isIdentifier,
  isInterfaceDeclaration,
  isObjectLiteralExpression,
  isJsxAttributes,
  isModuleDeclaration,
  isObjectBindingPattern,
  isPrivateIdentifier,
  isShorthandPropertyAssignment,
  isStringLiteral,
  SyntaxKind,
  type Node,
  type ObjectBindingPattern,
  type SourceFile,
} from 'typescript/unstable/ast';
import {
  API,
  type Checker,
  type Project,
  type Symbol as CheckedSymbol,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import { CONFIG_FILE, virtualFileSystem, type VirtualFiles } from './virtual-files.ts';

/** Targets of a name before the locations in all files are known: pairs of file id (or -1) and index of a node in it. */
type Targets = readonly number[];

/** Outside the repository: the compiler knows it, and it is none of ours. */
const OUTSIDE: Targets = [-1, -1];

/** Node kinds whose `name` is where something begins to be, not a use of it. */
const DECLARING = new Set<SyntaxKind>([
  SyntaxKind.VariableDeclaration,
  SyntaxKind.Parameter,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.ClassExpression,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.EnumDeclaration,
  SyntaxKind.EnumMember,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.TypeParameter,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.MethodSignature,
  SyntaxKind.PropertyDeclaration,
  SyntaxKind.PropertySignature,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.BindingElement,
]);

/** The rows of one file: start of the name, file and node of a target; and its overrides: node, file and node. */
export interface NodeRows {
  names: number[];
  overrides: number[];
}

/** Nodes collected in the walk through one file. */
interface FileNodes {
  identifiers: Node[];
  shorthands: Node[];
  literals: Node[];
  patterns: ObjectBindingPattern[];
  classes: Node[];
}

/**
 * A program of TypeScript 7 over virtual files. The one place that uses the compiler's interface, which its makers call
 * unstable: the version is exact, and `typescript-program.test.ts` fails when the next one differs.
 *
 * All calls wait for the compiler's process. Files are read one after the other and forgotten; what grows is what is
 * known of symbols.
 */
export class TypescriptProgram {
  readonly #api: API;
  readonly #project: Project;
  readonly #checker: Checker;
  /** Id of each file by the compiler's path of it. */
  readonly #ids = new Map<string, number>();
  /** Offsets of the names of declarations, by file and node. */
  readonly #names: Map<number, number>[] = [];
  /** Declarations in `declare global` and `declare module 'x'`, by file: they may only add to those of another file. */
  readonly #added: Set<number>[] = [];
  readonly #targets = new Map<number, Targets>();
  readonly #properties = new Map<string, Targets>();
  readonly #members = new Map<number, readonly Type[]>();
  readonly #literals = new Map<string, ReadonlySet<string> | undefined>();

  /** `ids` are those of the repository's files in `virtual`, by path there. */
  constructor(virtual: VirtualFiles, ids: ReadonlyMap<string, number>) {
    this.#api = new API({ cwd: '/', fs: virtualFileSystem(virtual) });
    const project = this.#api.updateSnapshot({ openProjects: [CONFIG_FILE] }).getProjects()[0];
    if (project === undefined) throw new Error('The compiler opened no project.');
    this.#project = project;
    this.#checker = project.checker;
    // Where names of files differ by case only in none, the compiler writes them in lower case.
    for (const [path, id] of ids) this.#ids.set(path.toLowerCase(), id);
    for (const [path, id] of ids) this.#ids.set(path, id);
  }

  /** All that the names of one file lead to, undefined when the compiler does not have it. */
  read(path: string): NodeRows | undefined {
    const source = this.#project.program.getSourceFile(path);
    const file = this.#ids.get(path);
    if (source === undefined || file === undefined) return undefined;
    const rows: NodeRows = { names: [], overrides: [] };
    const nodes = this.#walk(source, file);
    this.#addSymbols(source, nodes, rows);
    this.#addShorthands(source, nodes, rows);
    this.#addKeys(source, nodes, rows);
    this.#addPatterns(source, nodes, rows);
    this.#addOverrides(nodes, rows);
    // The trees of all files together would be larger than anything else here.
    this.#api.clearSourceFileCache();
    return rows;
  }

  /** Returns the offset of the name of a declaration, once its file has been read; -1 for what has no name. */
  nameStart(file: number, node: number): number {
    return this.#names[file]?.get(node) ?? -1;
  }

  /**
   * The rows of names with the places of targets instead of their nodes, once all files have been read. Who names a declaration
   * uses that, not what other files add to it (`declare module './shop' { interface Shop { late: true } }`).
   */
  locateTargets(rows: readonly number[]): number[] {
    const located: number[] = [];
    for (let from = 0, to = 0; from < rows.length; from = to) {
      while (to < rows.length && rows[to] === rows[from]) to += 3;
      const targets = Array.from({ length: (to - from) / 3 }, (_, at) => rows.slice(from + at * 3, from + at * 3 + 3));
      const isAdded = ([, file = -1, node = -1]: readonly number[]): boolean => this.#added[file]?.has(node) === true;
      const own = targets.filter((target) => !isAdded(target));
      for (const [start = 0, file = -1, node = -1] of own.length > 0 ? own : targets)
        located.push(start, file, file < 0 ? node : this.nameStart(file, node));
    }
    return located;
  }

  close(): void {
    this.#api.close();
  }

  #walk(source: SourceFile, file: number): FileNodes {
    const nodes: FileNodes = { identifiers: [], shorthands: [], literals: [], patterns: [], classes: [] };
    const starts = new Map<number, number>();
    this.#names[file] = starts;
    const added = new Set<number>();
    this.#added[file] = added;
    // Not recursive: hostile text nests deeper than a stack.
    const open: Node[] = [source];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (isIdentifier(node) || isPrivateIdentifier(node) || isNamingText(node))
        this.#note(node, source, nodes, starts);
      else if (isShorthandPropertyAssignment(node)) nodes.shorthands.push(node);
      else if (isObjectLiteralExpression(node) || isJsxAttributes(node)) nodes.literals.push(node);
      else if (isObjectBindingPattern(node)) nodes.patterns.push(node);
      else if (isHeir(node)) nodes.classes.push(node);
      if (isAugmentation(node) || (node !== source && added.has(indexOf(node.parent)))) added.add(indexOf(node));
      if (!starts.has(indexOf(node)) && isNameless(node)) starts.set(indexOf(node), node.getStart(source));
      node.forEachChild((child) => void open.push(child));
    }
    return nodes;
  }

  #note(name: Node, source: SourceFile, nodes: FileNodes, starts: Map<number, number>): void {
    const { parent } = name;
    const isName = nameOf(parent) === name;
    if (isName) {
      starts.set(indexOf(parent), startOf(name, source));
      // `exports.a = …` and `this.a = …` declare with the whole assignment.
      if (parent.kind === SyntaxKind.PropertyAccessExpression && parent.parent.kind === SyntaxKind.BinaryExpression)
        starts.set(indexOf(parent.parent), startOf(name, source));
    }
    if (!isName || !DECLARING.has(parent.kind)) nodes.identifiers.push(name);
  }

  #addSymbols(source: SourceFile, { identifiers }: FileNodes, { names }: NodeRows): void {
    if (identifiers.length === 0) return;
    const symbols = this.#checker.getSymbolAtLocation(identifiers);
    identifiers.forEach((node, index) => add(names, startOf(node, source), this.#targetsOf(symbols[index])));
  }

  #addShorthands(source: SourceFile, { shorthands }: FileNodes, { names }: NodeRows): void {
    for (const node of shorthands) {
      const name = nameOf(node);
      if (name === undefined) continue;
      add(names, name.getStart(source), this.#targetsOf(this.#checker.getShorthandAssignmentValueSymbol(node)));
    }
  }

  /** Keys of object literals and JSX attributes also name members of what their place expects. */
  #addKeys(source: SourceFile, { literals }: FileNodes, { names }: NodeRows): void {
    for (const literal of literals) {
      if (!isObjectLiteralExpression(literal) && !isJsxAttributes(literal)) continue;
      const keys = literal.properties
        .map(nameOf)
        .filter((name) => name !== undefined)
        .filter(isWritten);
      const expected = keys.length === 0 ? undefined : this.#checker.getContextualType(literal);
      if (expected === undefined) continue;
      const types = this.#selectTypes(this.#membersOf(expected), literal);
      for (const key of keys) {
        for (const type of types) add(names, startOf(key, source), this.#property(type, key.text));
      }
    }
  }

  /** `{ a, b: c }` on the left: each names a member of what is taken apart. */
  #addPatterns(source: SourceFile, { patterns }: FileNodes, { names }: NodeRows): void {
    if (patterns.length === 0) return;
    const types = this.#checker.getTypeAtLocation(patterns);
    for (const [index, pattern] of patterns.entries()) {
      const type = types[index];
      if (type === undefined) continue;
      for (const element of pattern.elements) {
        const name = element.propertyName ?? element.name;
        if (name === undefined || !isWritten(name) || element.dotDotDotToken !== undefined) continue;
        add(names, startOf(name, source), this.#property(type, name.text));
      }
    }
  }

  /** Members of classes and interfaces, and those that they override or implement. */
  #addOverrides({ classes }: FileNodes, { overrides }: NodeRows): void {
    for (const node of classes) {
      if (!isHeir(node)) continue;
      const above = (node.heritageClauses ?? []).flatMap(({ types }) => [...types]);
      if (above.length === 0) continue;
      const bases = this.#checker.getTypeAtLocation(above).filter((type) => type !== undefined);
      for (const member of node.members) {
        const name = nameOf(member);
        if (name === undefined || !isWritten(name) || isStatic(member)) continue;
        for (const base of bases)
          for (const type of this.#membersOf(base)) add(overrides, indexOf(member), this.#property(type, name.text));
      }
    }
  }

  /** Selects the types of a union that a literal can be by its texts: `{ type: 'a' }` is no `{ type: 'b' }`. */
  #selectTypes(types: readonly Type[], literal: Node): readonly Type[] {
    const texts = types.length > 1 ? literalTexts(literal) : new Map<string, string>();
    if (texts.size === 0) return types;
    const fitting = types.filter((type) =>
      [...texts].every(([name, text]) => this.#literalsOf(type, name)?.has(text) ?? true),
    );
    return fitting.length === 0 ? types : fitting;
  }

  /** The texts that a property may be; undefined when it may be any other value, or is not there. */
  #literalsOf(type: Type, name: string): ReadonlySet<string> | undefined {
    const key = `${type.id} ${name}`;
    if (this.#literals.has(key)) return this.#literals.get(key);
    const property = this.#checker.getPropertyOfType(type, name);
    const value = property && this.#checker.getTypeOfSymbol(property);
    const values = value === undefined ? [] : this.#membersOf(value);
    const isClosed = values.length > 0 && values.every((part) => part.isStringLiteralType());
    const texts = isClosed ? new Set(values.map((part) => (part.isStringLiteralType() ? part.value : ''))) : undefined;
    this.#literals.set(key, texts);
    return texts;
  }

  #property(type: Type, name: string): Targets {
    const key = `${type.id} ${name}`;
    const cached = this.#properties.get(key);
    if (cached !== undefined) return cached;
    const targets = this.#targetsOf(this.#checker.getPropertyOfType(type, name));
    this.#properties.set(key, targets);
    return targets;
  }

  /** The types of a union, which have more members than the union. */
  #membersOf(type: Type): readonly Type[] {
    if (!type.isUnionType()) return [type];
    const cached = this.#members.get(type.id);
    if (cached !== undefined) return cached;
    const members = type.getTypes() ?? [type];
    this.#members.set(type.id, members);
    return members;
  }

  /** Returns the declarations of a symbol, its alias followed. None when the compiler cannot resolve it. */
  #targetsOf(symbol: CheckedSymbol | undefined): Targets {
    if (symbol === undefined) return [];
    const cached = this.#targets.get(symbol.id);
    if (cached !== undefined) return cached;
    const meant = (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : this.#checker.getAliasedSymbol(symbol);
    const targets = this.#checker.isUnknownSymbol(meant) ? [] : this.#declarationsOf(meant);
    this.#targets.set(symbol.id, targets);
    return targets;
  }

  #declarationsOf(symbol: CheckedSymbol): Targets {
    // What is declared outside as well is only added to here (`declare global`, `declare module`): who names it uses that.
    if (symbol.declarations.some(({ path }) => !this.#ids.has(path))) return OUTSIDE;
    const targets = symbol.declarations.flatMap(({ path, index, kind }) => {
      const file = this.#ids.get(path);
      // A whole module is no place of its own.
      return file === undefined || kind === SyntaxKind.SourceFile ? [] : [file, index];
    });
    return targets.length === 0 ? OUTSIDE : targets;
  }
}

function add(rows: number[], start: number, targets: Targets): void {
  for (let at = 0; at < targets.length; at += 2) rows.push(start, targets[at] ?? -1, targets[at + 1] ?? -1);
}

/** Number of a node in its file, by which declarations are named; the published types leave it out. */
function indexOf(node: Node): number {
  return (node as Node & { index: number }).index;
}

/** The `name` of any node that has one. */
function nameOf(node: Node): Node | undefined {
  return (node as Node & { name?: Node }).name;
}

/** Names that are written out: not computed. */
const isWritten = (name: Node) => isIdentifier(name) || isStringLiteral(name);

const textOf = (name: Node): string => (isIdentifier(name) || isStringLiteral(name) ? name.text : '');

/** A text that names a member: `a['b']`, `A['b']`, `{ 'b': 1 }`. */
function isNamingText(node: Node): boolean {
  if (!isStringLiteral(node)) return false;
  const { parent } = node;
  if (parent.kind === SyntaxKind.LiteralType) return parent.parent.kind === SyntaxKind.IndexedAccessType;
  return parent.kind === SyntaxKind.ElementAccessExpression || nameOf(parent) === node;
}

/** Properties of a literal that are given a text, with the text. */
function literalTexts(literal: Node): Map<string, string> {
  const texts = new Map<string, string>();
  literal.forEachChild((property) => {
    const { name, initializer } = property as Node & { name?: Node; initializer?: Node };
    if (name === undefined || initializer === undefined || !isWritten(name) || !isStringLiteral(initializer)) return;
    texts.set(textOf(name), initializer.text);
  });
  return texts;
}

/** `declare global` and `declare module 'x'`. */
function isAugmentation(node: Node): boolean {
  return isModuleDeclaration(node) && (isStringLiteral(node.name) || node.name.text === 'global');
}

/** Returns the start of a name; of one in quotation marks, the start of what is inside them. */
function startOf(name: Node, source: SourceFile): number {
  return name.getStart(source) + (isStringLiteral(name) ? 1 : 0);
}

const isHeir = (node: Node) => isClassDeclaration(node) || isClassExpression(node) || isInterfaceDeclaration(node);

/** Declarations that may go without a name: what a module exports by default. */
function isNameless(node: Node): boolean {
  return (
    node.kind === SyntaxKind.ExportAssignment ||
    ((node.kind === SyntaxKind.FunctionDeclaration || node.kind === SyntaxKind.ClassDeclaration) &&
      nameOf(node) === undefined)
  );
}

function isStatic(member: Node): boolean {
  const { modifiers } = member as Node & { modifiers?: readonly Node[] };
  return modifiers?.some(({ kind }) => kind === SyntaxKind.StaticKeyword) ?? false;
}
