import type { Table } from './table.ts';

/**
 * Facts that an extractor reads from one file: plain columns of 32-bit integers and one table of strings, so that a
 * repository of 50 MB fits in memory, crosses a process border in one copy and is stored by blob hash. No path is
 * inside: a renamed or copied file has the same facts.
 *
 * Offsets are UTF-16 positions in the text. `-1` means absent for ids and offsets, `0` means absent for strings and
 * nodes (string 0 is '', node 0 is `NodeOp.None`).
 */
export interface FileFacts {
  language: Language;
  strings: string[];
  /** Offset of the first character of each line. */
  lines: Int32Array;
  scopes: Table<typeof Scope>;
  definitions: Table<typeof Definition>;
  facets: Table<typeof FacetColumn>;
  references: Table<typeof Reference>;
  members: Table<typeof Member>;
  keys: Table<typeof Key>;
  exports: Table<typeof Export>;
  narrowings: Table<typeof Narrowing>;
  sites: Table<typeof Site>;
  comments: Table<typeof Comment>;
  metrics: Table<typeof Metric>;
  syntax: Table<typeof Syntax>;
  /** Shingles of the rows of `syntax`, one after another. */
  sketches: Int32Array;
  fingerprints: Table<typeof Fingerprint>;
  unread: Table<typeof UnreadName>;
  /** Pool of expressions, types and contexts; see `NodeOp`. */
  nodes: Int32Array;
  /** Package clause (Go, Java) or ''. */
  packageName: string;
  /** Lines that hold only literals and entries of collections made of them, and lines of code: see `literal-lines.ts`. */
  literalLines: number;
  codeLines: number;
  /** Syntax errors the parser recovered from. */
  errors: number;
  /** First and last lines, 1-based, of what could not be parsed, in pairs, ascending: what they define is not here. */
  broken: Int32Array;
}

/** Raise it whenever any extractor's output changes: cached facts of another version are not read. */
export const FACTS_VERSION = 36;

export type Language =
  | 'typescript'
  | 'tsx'
  | 'javascript'
  | 'python'
  | 'go'
  | 'java'
  | 'rust'
  | 'ruby'
  | 'php'
  | 'swift'
  | 'scala'
  | 'csharp'
  | 'kotlin'
  | 'cpp'
  | 'bash'
  | 'sql'
  | 'markdown';

/** Columns of one scope. A scope knows the scope around it, its kind, and the definition whose body it is (or -1). */
export const Scope = { parent: 0, kind: 1, definition: 2 } as const;
export const ScopeKind = { module: 0, function: 1, class: 2, block: 3, comprehension: 4 } as const;

/**
 * Columns of one definition. `scope` is where the name is visible (-1 for members and anonymous things), `owner` the
 * definition it is a member of. `type` is the annotation (of a function: of its result; of a type alias: what it
 * stands for), `value` the initialiser, `context` the node that gives an unannotated parameter its type.
 * Of a type parameter, `type` is what bounds it and `value` its default type.
 * Of an import, `source` is the specifier and `imported` the name there (`*` the module itself, `=` a CommonJS export), of a
 * module of Rust the paths of files that it names, one a line.
 * `head` is where the declaration's head ends (its body starts); the documentation comment is `docStart`..`docEnd`.
 */
export const Definition = {
  name: 0,
  kind: 1,
  flags: 2,
  nameStart: 3,
  start: 4,
  head: 5,
  end: 6,
  scope: 7,
  owner: 8,
  type: 9,
  value: 10,
  context: 11,
  bodyScope: 12,
  source: 13,
  imported: 14,
  docStart: 15,
  docEnd: 16,
} as const;

/** Kinds of definitions. The first group are symbols that a client sees; the second only matter to resolution. */
export const DefinitionKind = {
  function: 0,
  method: 1,
  class: 2,
  interface: 3,
  type: 4,
  enum: 5,
  enum_member: 6,
  struct: 7,
  trait: 8,
  constant: 9,
  variable: 10,
  property: 11,
  module: 12,
  macro: 13,
  /** A heading of a document, with all up to the next one of its level. */
  heading: 14,
  /** A table or view of a database. */
  table: 15,
  parameter: 32,
  type_parameter: 33,
  import: 34,
  /** An object literal, type literal or other anonymous holder of members. */
  container: 35,
} as const;

export const DefinitionFlag = {
  /** Lives in the value space, in the type space, or in both. */
  value: 1,
  type: 2,
  exported: 4,
  static: 8,
  getter: 16,
  setter: 32,
  async: 64,
  generator: 128,
  abstract: 256,
  /** Visible in its class only. */
  private: 512,
  default: 1024,
  /** Has a body that is a function: it can be called. */
  callable: 2048,
  /** Belongs to the class that it is called on: `@classmethod`, and what is static in a block of extensions. */
  classMethod: 4096,
  staticMethod: 8192,
  contextManager: 16384,
  overload: 32768,
  /** Declared at the top level of its module, or a member of something that is. */
  topLevel: 65536,
  /** Its initialiser is an arrow or function expression. */
  functionValue: 131072,
  constructor: 262144,
  /** The first parameter of a method in Python, a receiver in Go, `self` in Rust. */
  self: 524288,
  /** A parameter that a call may leave out, and one that takes any number of arguments. */
  optional: 1048576,
  rest: 2097152,
} as const;

/**
 * Further facts about a definition, rows `[definition, facet, node or definition id]` in source order.
 * `parameter` rows point to a `NodeOp.Parameter` node, `typeParameter` rows to a definition id, the rest to nodes.
 */
export const Facet = {
  parameter: 0,
  typeParameter: 1,
  /** A returned expression. */
  returned: 2,
  yielded: 3,
  extends: 4,
  implements: 5,
  /** Values that an object literal or class body spreads in. */
  spread: 6,
  callSignature: 7,
  newSignature: 8,
  indexSignature: 9,
  constructorParameter: 10,
  /** A later assignment to the same name. */
  assigned: 11,
  decorator: 12,
  /** The type that a method outside its type belongs to (Go receiver, Rust impl), and the trait it implements. */
  receiver: 13,
  trait: 14,
} as const;
export const FacetColumn = { definition: 0, facet: 1, node: 2 } as const;

/**
 * Columns of one reference by name. `how` tells what `a` and `b` hold: `scoped` looks the name up from `scope`;
 * `bound` refers to definition `a` (of an import: to what it imports); `from` is name `b` of module `a` (both strings);
 * `module` is the module `a` itself.
 */
export const Reference = { name: 0, start: 1, scope: 2, flags: 3, how: 4, a: 5, b: 6 } as const;
export const ReferenceHow = { scoped: 0, bound: 1, from: 2, module: 3 } as const;

/** Columns of one access `receiver.name`. `receiver` is a node, 0 when nothing is known of it. */
export const Member = { name: 0, start: 1, receiver: 2, flags: 3, scope: 4 } as const;

/** Columns of one object-literal key, JSX attribute or keyword argument: its context decides which member it names. */
export const Key = { name: 0, start: 1, context: 2, flags: 3, scope: 4 } as const;

/** Flags of references, members and keys: the space they live in, and what they do with the name (exactly one use). */
export const UseFlag = {
  value: 1,
  type: 2,
  call: 16,
  import: 32,
  typeUse: 64,
  read: 128,
  write: 256,
  export: 512,
  /** Part of a destructuring pattern; `shorthand` when the same characters also bind a local. */
  pattern: 1024,
  shorthand: 2048,
  /** Called as a macro: a function of the same name is not meant. */
  macro: 4096,
} as const;

/**
 * Columns of one export. `name` is the outside name (`default`, `=` for `export =`). `how` tells what `a` and `b`
 * hold: `local` definition `a`; `named` the name `b` looked up from scope `a`; `from` name `b` of module `a` (strings,
 * `*` for the whole module); `star` everything of module `a`. In Python, Go, Java and Rust a `star` row also makes those
 * names visible in scope `b`; named `''` it does only that, named `*` it exports them as well. Macros of Rust, by their text:
 * `template` makes modules and is definition `b`, `expanded` is called among the items of scope `b` (`path!given`).
 */
export const Export = { name: 0, how: 1, a: 2, b: 3, start: 4 } as const;
export const ExportHow = { local: 0, named: 1, from: 2, star: 3, template: 4, expanded: 5 } as const;

/** Inside `scope` the name has the type `node` (isinstance, instanceof, `if let`), or passes the test that it is.
 * `this` of a function in braces is what that is called on: a type or a ContextReceiver. */
export const Narrowing = { scope: 0, name: 1, node: 2 } as const;

/** A call by a name whose functions its arguments tell apart: where the name starts, the Call or New node, and which of
 * its first 31 arguments are given by the name of their parameter (bits). */
export const Site = { start: 0, node: 1, named: 2 } as const;

/** A comment. `definition` is what it documents or -1. */
export const Comment = { start: 0, end: 1, kind: 2, definition: 3 } as const;
export const CommentKind = { line: 0, block: 1, documentation: 2 } as const;

/**
 * Measures of one function: counts as the Sonar definition (cognitive) and McCabe (cyclomatic). `definition` is what
 * names it: of a function expression the variable or property it is the value of, when there is one.
 */
export const Metric = { definition: 0, cyclomatic: 1, cognitive: 2, nesting: 3, parameters: 4, codeLines: 5 } as const;

/**
 * Normalised syntax of the file (first row, definition -1) and of each named definition: 64 bits of hash, the number of
 * its tokens, and where its sketch starts in `sketches`; it ends where the next one starts. See `syntax-hash.ts`.
 */
export const Syntax = { definition: 0, high: 1, low: 2, tokens: 3, sketch: 4 } as const;

/** A run of tokens by which duplicates are found: its hash, the number of its first token, its first and last line from 1. */
export const Fingerprint = { hash: 0, token: 1, line: 2, endLine: 3 } as const;

/** An identifier that no other row accounts for, of a construct that no walker reads or lines that no parser understands. */
export const UnreadName = { name: 0, start: 1 } as const;

/**
 * Operations of the node pool. A node is its operation followed by its operands; `node` operands are offsets in the
 * pool, `string` operands indexes in `strings`, lists are a count followed by that many operands.
 */
export const NodeOp = {
  None: 0,
  // Types
  /** string: name of a primitive, or a literal type as JSON. */
  Primitive: 1,
  /** scope, names (list of strings), arguments (list of nodes). */
  TypeName: 2,
  /** string specifier, names (list of strings): `import('x').Y`. */
  ImportType: 3,
  /** list of nodes. Also intersections. */
  Union: 4,
  /** element node. */
  ArrayType: 5,
  /** list of nodes. */
  TupleType: 6,
  /** definition id of a container. */
  MembersType: 7,
  /** result node, parameters (list of Parameter nodes), form (FunctionForm). */
  FunctionType: 8,
  /** expression node: `typeof x`. */
  TypeOf: 9,
  /** object type node, string name: `T['name']`. */
  IndexedType: 10,
  /** object type node: `T[number]`, element of a container. */
  ElementType: 11,
  /** value type node: records, mapped types, dictionaries. */
  MapType: 12,
  /** scope: the type of `this` / `Self`. */
  ThisType: 13,
  /** type node: what a promise or awaitable of it gives. */
  AwaitedType: 14,
  /** type node: the promise, future or awaitable of it. */
  PromiseType: 15,
  /** type node: the class object itself (`type[T]`). */
  ClassOf: 16,
  /** type node: what `with` binds when a context manager of it is entered. */
  ContextManagerType: 17,
  /** type node, definition id or -1. */
  Parameter: 18,
  /** type node: what a type guard tells of its argument (`x is T`). */
  Predicate: 19,
  // Tests of a name, in narrowings
  /** expression node of a type guard that was given the name. */
  GuardedBy: 20,
  /** string property, values (list of strings as `Literal` has them): the property has one of these. */
  Discriminant: 21,
  /** string property: there is one. */
  HasMember: 22,
  /** node: a type or test that does not hold. */
  Without: 23,
  // Expressions
  /** string name, scope. */
  Identifier: 32,
  /** scope. */
  This: 33,
  /** scope. */
  Super: 34,
  /** string specifier: `import('x')`, `require('x')`. */
  Module: 35,
  /** object node, string name. */
  MemberOf: 36,
  /** callee node, arguments (list of nodes), type arguments (list of nodes). */
  Call: 37,
  /** same operands as Call. */
  New: 38,
  /** node. */
  Await: 39,
  /** type node: an assertion or annotation used as a value. */
  Typed: 40,
  /** node: an element of it (index, iteration). */
  Element: 41,
  /** node, position. */
  ElementAt: 42,
  /** definition id of a container. */
  ObjectLiteral: 43,
  /** definition id. */
  FunctionValue: 44,
  /** definition id. */
  ClassValue: 45,
  /** list of nodes. */
  ArrayLiteral: 46,
  /** list of nodes. */
  TupleLiteral: 47,
  /** value node. */
  MapLiteral: 48,
  /** list of nodes: any of them (conditional, logical, several returns). */
  Either: 49,
  /** string: name of a primitive, or the literal as JSON where it may tell the types of a union apart. */
  Literal: 50,
  /** expression node: subscript `x[i]`, which may call a user's `__getitem__`. */
  Subscript: 51,
  /** expression node: what entering it as a context manager binds. */
  Enter: 52,
  /** expression node: enumerate(x); pairs of a position and an element. */
  Enumerate: 53,
  /** list of nodes: zip(a, b). */
  Zip: 54,
  /** expression node: the class of a value. */
  ClassOfValue: 55,
  /** expression node: a sequence made from it (list(x), sorted(x)). */
  SequenceOf: 56,
  /** context node: the value that the context supplies to a parameter: context, position. */
  ContextParameter: 57,
  /** expression node: a pointer to or dereference of it keeps the members (Go, Rust). */
  Deref: 58,
  /** expression node (left operand), string operator: `a + b`. Sequences and maps stay what they are; a class may define it. */
  Operation: 59,
  // Contexts: what type a position expects
  /** type node. */
  ContextType: 80,
  /** expression node: the type of the other side of an assignment. */
  ContextOf: 81,
  /** context node: of a function expected there, its result. */
  ContextResult: 82,
  /** context node, string name. */
  ContextProperty: 83,
  /** context node. */
  ContextElement: 84,
  /** Call node, position or -1 for the last parameter. */
  ContextArgument: 85,
  /** New node, position. */
  ContextNewArgument: 86,
  /** expression node of a component. */
  ContextJsx: 87,
  /** Call node: keyword arguments name the parameters of its callee. */
  ContextKeyword: 88,
  /** context node: what a function that is expected there is called on. */
  ContextReceiver: 89,
} as const;
/** Forms of a FunctionType: the last parameter of one on a receiver is what it is called on (`T.(A) -> R` of Kotlin). */
export const FunctionForm = { plain: 0, constructor: 1, onReceiver: 2 } as const;
export type NodeOpCode = (typeof NodeOp)[keyof typeof NodeOp];
