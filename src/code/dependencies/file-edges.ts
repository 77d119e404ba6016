import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { relationBit, relationsOfUses } from '../../code-index/format/relations.ts';
import type { Relation } from '../../code-index/format/rows.ts';
import { importedAtRunTime, referencesInto } from '../usages/file-imports.ts';
import { usesIn } from '../usages/store-usages.ts';
import { type Edge, fileOfNode, isFileNode } from './store-dependencies-nodes.ts';

/** References of one file to another one whose lines are compared: the first is nearly always among them. */
const MOST_COMPARED = 8;

/** Line and kind of a dependency of one file on another. */
interface FileEdge {
  /** The first line that shows it; 0 where nothing of the other file is named. */
  line: number;
  /** It is gone at run time: only types are needed. */
  isOfTypes: boolean;
}

/** Describes edges between files, each file read once. */
export function describeFileEdges(
  db: ShardDatabase,
  edges: readonly { edge: Edge; relation: Relation }[],
): Map<Edge, FileEdge> {
  const described = new Map<Edge, FileEdge>();
  const between = edges.filter(({ edge: { from, to } }) => isFileNode(from) && isFileNode(to));
  for (const [file, own] of Map.groupBy(between, ({ edge }) => fileOfNode(db, edge.from))) {
    const into = referencesInto(
      db,
      file,
      own.map(({ edge }) => fileOfNode(db, edge.to)),
    );
    const atRunTime = new Set(importedAtRunTime(db, into));
    for (const { edge, relation } of own) {
      const target = fileOfNode(db, edge.to);
      const line = edge.line || firstLine(db, file, { references: into.references.get(target) ?? [], relation });
      described.set(edge, { line, isOfTypes: relation === 'imports' && !atRunTime.has(target) });
    }
  }
  return described;
}

/** The first line where one of some symbols is used as a relation says, else where one is used at all. */
function firstLine(
  db: ShardDatabase,
  file: number,
  { references, relation }: { references: readonly { target: number; uses: number }[]; relation: Relation },
): number {
  const isOf = (uses: number): boolean => (relationsOfUses(uses) & relationBit(relation)) !== 0;
  const fitting = references.filter(({ uses }) => isOf(uses));
  const uses = (fitting.length > 0 ? fitting : references)
    .slice(0, MOST_COMPARED)
    .flatMap(({ target }) => usesIn(db, target, file));
  const best = uses.filter(({ use }) => isOf(1 << use));
  return (best.length > 0 ? best : uses).reduce((least, { line }) => Math.min(least || line, line), 0);
}
