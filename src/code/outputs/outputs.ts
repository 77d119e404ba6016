import { z } from 'zod';
import { PAGE_OUTPUT } from '../../platform/operation/page-output.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';
import { RELATIONS } from '../../code-index/format/relations.ts';

const GRADE = z.enum(['exact', 'resolved', 'name']);
/** Name of the repository of a row, where several were asked. */
const REPO = { repo: z.string().optional() };
/** Where a row is, and over which lines. */
const AT = { ...REPO, path: z.string(), line: z.int() };
const SPAN = { ...AT, end: z.int() };
/** Handle of the symbol that a row is about, where a name means several. */
const OF_ONE = { definition: z.string().optional() };
/** Each symbol that a name means, with its total and what else its answer has, where there are several. */
const OF_EACH = { definitions: z.array(z.record(z.string(), z.unknown())).optional() };
const SYMBOL = {
  kind: z.enum(SYMBOL_KINDS),
  name: z.string(),
  qualified: z.string(),
  signature: z.string(),
  doc: z.string(),
};
/** Handle of a symbol, which other calls take. */
const HANDLE = { id: z.string() };

const SymbolRow = z.object({
  ...SPAN,
  ...SYMBOL,
  exported: z.boolean(),
  refs: z.int(),
  ...HANDLE,
  body: z.string().optional(),
});

const DefinedSymbol = z.object({
  ...REPO,
  path: z.string(),
  start: z.int(),
  end: z.int(),
  ...SYMBOL,
  ...HANDLE,
  body: z.string().optional(),
});
export type DefinedSymbol = z.output<typeof DefinedSymbol>;

/** Lines of a file, which has so many. */
const FileLines = z.object({
  ...REPO,
  path: z.string(),
  start: z.int(),
  end: z.int(),
  lines: z.int(),
  body: z.string(),
});

const UsageRow = z.object({
  ...AT,
  ...OF_ONE,
  column: z.int(),
  use: z.enum(['call', 'import', 'type', 'read', 'write', 'export', 'test', 'implements']),
  /** Qualified name of the symbol around; '' for none. */
  enclosing: z.string(),
  text: z.string(),
  grade: GRADE,
  test: z.boolean(),
  /** It uses another member of the override family. */
  family: z.boolean().optional(),
  overridden: z.boolean().optional(),
});
export type UsageRow = z.output<typeof UsageRow>;

const SomeUsages = z.object({ total: z.int(), rows: z.array(UsageRow) });

const DependencyRow = z.object({
  ...REPO,
  ...OF_ONE,
  from: z.string(),
  to: z.string(),
  relation: z.enum(RELATIONS),
  hop: z.int(),
  grade: GRADE,
  line: z.int(),
  to_line: z.int(),
  /** An import that is gone at run time. */
  types_only: z.literal(true).optional(),
});

const ImpactRow = z.object({
  ...AT,
  ...OF_ONE,
  /** '' for a file. */
  symbol: z.string(),
  kind: z.string(),
  hop: z.int(),
  grade: GRADE,
  is_test: z.boolean(),
  id: z.string(),
});

const ImplementationRow = z.object({
  ...AT,
  ...OF_ONE,
  kind: z.enum(SYMBOL_KINDS),
  name: z.string(),
  qualified: z.string(),
  signature: z.string(),
  relation: z.enum(['implements', 'extends', 'overrides']),
  grade: GRADE,
  depth: z.int(),
  id: z.string().optional(),
});

/** A type or member that a symbol itself is made from. */
const AboveRow = ImplementationRow.omit({ definition: true, relation: true, grade: true, depth: true });

const LineRow = z.object({ ...AT, column: z.int(), text: z.string() });

const RankedRow = z.object({
  ...REPO,
  path: z.string(),
  start: z.int(),
  end: z.int(),
  symbol: z.string(),
  kind: z.string(),
  signature: z.string(),
  doc: z.string(),
  score: z.number(),
  why: z.string(),
  body: z.string().optional(),
});

const OutlineRow = z.object({
  ...SPAN,
  kind: z.enum(SYMBOL_KINDS),
  name: z.string(),
  signature: z.string(),
  depth: z.int(),
  id: z.string(),
});

const CommentRow = z.object({
  ...AT,
  tag: z.string(),
  text: z.string(),
  age_days: z.int().optional(),
  author: z.string().optional(),
  is_test: z.boolean(),
});

const DeadCodeRow = z.object({
  ...SPAN,
  kind: z.enum(SYMBOL_KINDS),
  name: z.string(),
  qualified: z.string(),
  certainty: z.enum(['certain', 'likely', 'test_only']),
  reason: z.string(),
  exported: z.boolean(),
  is_test: z.boolean(),
  id: z.string(),
});

const SmellRow = z.object({
  ...SPAN,
  /** '' for none. */
  symbol: z.string(),
  smell: z.string(),
  value: z.number(),
  threshold: z.number(),
  /** Value as a multiple of its threshold. */
  score: z.number(),
  cyclomatic: z.int().optional(),
  other: z.object({ path: z.string(), line: z.int(), end: z.int() }).optional(),
  /** The files of a circle of imports, at most 20. */
  files: z.array(z.string()).optional(),
});
export type SmellRow = z.output<typeof SmellRow>;

/** A central symbol of a map. */
const CentralRow = z.object({
  rank: z.int(),
  path: z.string(),
  line: z.int(),
  ...SYMBOL,
  refs: z.int(),
  ...HANDLE,
});

/** A row of a map; `part` says which of the other fields it has. */
const MapRow = z.object({
  ...REPO,
  part: z.enum(['packages', 'tasks', 'tests', 'entries', 'layers', 'symbols']),
  path: z.string().optional(),
  role: z.string().optional(),
  package: z.string().optional(),
  files: z.int().optional(),
  languages: z.unknown().optional(),
  manifest: z.string().optional(),
  task: z.string().optional(),
  command: z.string().optional(),
  also: z.unknown().optional(),
  pattern: z.string().optional(),
  symbol: z.string().optional(),
  reason: z.string().optional(),
  /** Folders that a folder uses. */
  uses: z.unknown().optional(),
  ...CentralRow.omit({ path: true }).partial().shape,
});

const MAP = {
  rows: z.array(MapRow),
  /** Absent where several repositories were asked. */
  files: z.int().optional(),
  lines: z.int().optional(),
  languages: z.unknown().optional(),
  omitted: z.unknown().optional(),
};

const UsagesOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('usages'),
  ...OF_EACH,
  rows: z.array(UsageRow),
  /** Those that use the symbol itself, and not its override family. */
  own: z.int().optional(),
  /** Usages that only the name suggests. */
  possible: SomeUsages.optional(),
  /** Matches in the text beyond all uses. */
  inText: SomeUsages.extend({ call: z.record(z.string(), z.unknown()) }).optional(),
});

const DependenciesOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('dependencies'),
  ...OF_EACH,
  rows: z.array(DependencyRow),
  /** All that were reached, also outside of the files that `path` and `tests` select. */
  followed: z.int().optional(),
});

const EntryRow = z.object({
  ...AT,
  symbol: z.string(),
  reason: z.string(),
  id: z.string(),
});
/** A plan or decision that names code. */
export const WorkRow = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  stale: z.string().optional(),
});

const ImpactOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('impact'),
  ...OF_EACH,
  rows: z.array(ImpactRow),
  followed: z.int().optional(),
  entry_points: z.object({ total: z.int(), rows: z.array(EntryRow) }).optional(),
  tests: z.object({ total: z.int(), paths: z.array(z.string()) }).optional(),
  named_by: z.array(WorkRow).optional(),
  /** Of a difference: how many of the functions that it changes no test reaches. */
  untested: z.object({ of: z.int(), total: z.int() }).optional(),
  /** Of a difference: the main authors of its files, those of most files first. */
  reviewers: z.array(z.object({ name: z.string(), files: z.int() })).optional(),
});

const ImplementationsOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('implementations'),
  ...OF_EACH,
  rows: z.array(ImplementationRow),
  above: z.array(AboveRow).optional(),
});

const GrepOutput = z.object({ ...PAGE_OUTPUT, action: z.literal('grep'), rows: z.array(LineRow) });

const SmellsOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('smells'),
  rows: z.array(SmellRow),
  /** Circles that only imports of types close. */
  of_types: z.int().default(0),
  /** Files in which no smell is looked for. */
  left_out: z.object({ data: z.int(), generated: z.int() }),
});

const DefinitionOutput = z.object({
  ...PAGE_OUTPUT,
  action: z.literal('definition'),
  rows: z.array(z.union([DefinedSymbol, FileLines])),
});

/** Rows by what they describe, for those who make them. */
export const CODE_ROWS = {
  symbol: SymbolRow,
  definition: DefinedSymbol,
  usage: UsageRow,
  dependency: DependencyRow,
  impact: ImpactRow,
  entry: EntryRow,
  implementation: ImplementationRow,
  above: AboveRow,
  line: LineRow,
  ranked: RankedRow,
  outline: OutlineRow,
  comment: CommentRow,
  dead: DeadCodeRow,
  smell: SmellRow,
  central: CentralRow,
} as const;

/** The JSON answers of each action of `code-tool`. */
export const CODE_OUTPUTS = {
  map: z.object({ ...PAGE_OUTPUT, action: z.literal('map'), ...MAP }),
  search_symbols: z.object({ ...PAGE_OUTPUT, action: z.literal('search_symbols'), rows: z.array(SymbolRow) }),
  definition: DefinitionOutput,
  usages: UsagesOutput,
  implementations: ImplementationsOutput,
  dependencies: DependenciesOutput,
  impact: ImpactOutput,
  semantic_search: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('semantic_search'),
    rows: z.array(RankedRow),
    /** Symbols and files, and how many of them have each term of the question. */
    searched: z.int(),
    terms: z.record(z.string(), z.int()),
  }),
  grep: GrepOutput,
  /** The symbols of a file, or the map of a folder. */
  outline: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('outline'),
    ...MAP,
    rows: z.array(z.union([OutlineRow, MapRow])),
  }),
  comments: z.object({ ...PAGE_OUTPUT, action: z.literal('comments'), rows: z.array(CommentRow) }),
  dead_code: z.object({
    ...PAGE_OUTPUT,
    action: z.literal('dead_code'),
    rows: z.array(DeadCodeRow),
    roots: z.record(z.string(), z.int()),
    /** Files by language whose dead code is not looked for, or only what is private. */
    unjudged: z.record(z.string(), z.int()).optional(),
  }),
  smells: SmellsOutput,
} as const;
