import { compareTexts } from '../../kernel/text-order.ts';
import { type EdgeGrade, type GraphLink, type GraphNode } from './model.ts';

/** Marks of grades in answers and files. */
export const GRADE_MARKS: Readonly<Record<EdgeGrade, string>> = { exact: '=', resolved: '~', name: '?', stated: '!' };

/** A node with the edges that leave it: id, kind, name where the id does not say it, and ids by relation and grade (`calls~`). */
export type PackedRow = [id: string, kind: string, name: string, links: Record<string, string[]>];

/** Nodes in the order of their ids, each with the edges that leave it. Edges that leave no node of these are left out. */
export function packRows(nodes: readonly GraphNode[], edges: readonly GraphLink[]): PackedRow[] {
  const byFrom = Map.groupBy(edges, ({ from }) => from);
  return nodes
    .toSorted((a, b) => compareTexts(a.id, b.id))
    .map(({ id, kind, name }): PackedRow => {
      const groups = Map.groupBy(byFrom.get(id) ?? [], linkOf);
      const links = [...groups].toSorted(([a], [b]) => compareTexts(a, b));
      const lists = links.map(
        ([link, own]) => [link, [...new Set(own.map(({ to }) => to))].toSorted(compareTexts)] as const,
      );
      return [id, kind, ownName(id, name), Object.fromEntries(lists)];
    });
}

/** Characters of the row of a node without links. */
export function nodeSize({ id, kind, name }: GraphNode): number {
  return JSON.stringify([id, kind, ownName(id, name), {}]).length + LINE_CHARACTERS;
}

/** Characters that an edge adds to the row of the node that it leaves; `isFirst`: the row has no edge of this relation and grade. */
export function edgeSize(edge: GraphLink, isFirst: boolean): number {
  return JSON.stringify(edge.to).length + 1 + (isFirst ? linkOf(edge).length + LINK_CHARACTERS : 0);
}

/** The relation with the mark of the grade. */
export function linkOf({ relation, grade }: Pick<GraphLink, 'relation' | 'grade'>): string {
  return `${relation}${GRADE_MARKS[grade]}`;
}

/** Characters that a line of a file adds to its JSON. */
const LINE_CHARACTERS = 2;
/** Quotes, colon, brackets and comma of a list of links. */
const LINK_CHARACTERS = 6;

/**
 * True if the ids alone imply an edge: a symbol is in the file behind its `@` and in the one before its last `/`, a file in the
 * component of its folder.
 */
export function isImpliedByIds({ from, to, relation }: GraphLink): boolean {
  if (relation !== 'contains') return false;
  if (from.startsWith('file:')) return to.startsWith('sym:') && to.endsWith(`@${from.slice('file:'.length)}`);
  if (from.startsWith('component:'))
    return to === `file:${joinFolder(from.slice('component:'.length))}${to.replace(/^.*[/:]/, '')}`;
  const at = from.lastIndexOf('@');
  return from.startsWith('sym:') && to.startsWith(`${from.slice(0, at)}/`) && to.endsWith(from.slice(at));
}

function joinFolder(folder: string): string {
  return folder === '.' ? '' : `${folder}/`;
}

/** A name that the id holds is not written again. */
function ownName(id: string, name: string): string {
  return id.includes(name) ? '' : name;
}
