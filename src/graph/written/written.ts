import { counted } from '../../kernel/counted.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import { currentAnchors } from '../../anchors/anchors.ts';
import type { AnchorRow } from '../../anchors/store/store.ts';
import { selectCompetitorHeadings } from '../../competitors/competitors.ts';
import { type DecisionSummary, listDecisions } from '../../decisions/decisions.ts';
import { type Documents, selectDocuments } from '../../documents/documents.ts';
import { slugOf } from '../../kernel/slug.ts';
import { listPlans, type Plans } from '../../plans/plans.ts';
import { listThemes, type Signals, type Theme } from '../../signals/signals.ts';
import type { EdgeGrade, GraphNode, Relation } from '../model/model.ts';

/** Documents that a graph has; those of repositories are files there. */
const MOST_DOCUMENTS = 1_000;

/** Slices with the texts of people. */
export interface WrittenParts {
  plans: Plans;
  signals: Signals;
  documents: Pick<Documents, 'db'>;
}

/** One end of an edge: the id of something written, or of code in a repository (`folder:path` for what holds a folder). */
interface WrittenEnd {
  id: string;
  /** Absent for what is written. */
  repositoryId?: string;
}

export interface WrittenEdge {
  from: WrittenEnd;
  to: WrittenEnd;
  relation: Relation;
  grade: EdgeGrade;
  source: string;
}

/** Words of something written that may name a feature. */
export interface WrittenName {
  from: string;
  /** Relation to the features that it names. */
  relation: Relation;
  text: string;
  source: string;
  /** True if it makes a feature of the code that it names when that belongs to none. */
  makesFeature: boolean;
}

/** Texts of people about a product, as nodes and edges. */
export interface Written {
  nodes: GraphNode[];
  edges: WrittenEdge[];
  names: WrittenName[];
}

/**
 * Plans with their work items, decisions, themes, uploads and competitors of a product, and what they name as it stands in the
 * indexes now. Nine queries of the database.
 */
export async function readWritten(parts: WrittenParts, tenant: Tenant): Promise<Written> {
  const { plans, signals, documents } = parts;
  const [summaries, decisions, themes, uploads, competitors] = await Promise.all([
    listPlans(plans, tenant),
    listDecisions(plans, tenant),
    listThemes(signals, tenant),
    selectDocuments(documents.db, tenant, { kind: 'upload', limit: MOST_DOCUMENTS, offset: 0 }),
    selectCompetitorHeadings(documents.db, tenant),
  ]);
  const [planAnchors, decisionAnchors] = await Promise.all([
    currentAnchors(plans, tenant, { holder: 'plan', ids: summaries.map(({ row }) => row.id) }),
    currentAnchors(plans, tenant, { holder: 'decision', ids: decisions.map(({ row }) => row.id) }),
  ]);
  const parted = [
    ofPlans(
      summaries,
      Map.groupBy(planAnchors, ({ id }) => id),
    ),
    ofDecisions(
      decisions,
      Map.groupBy(decisionAnchors, ({ id }) => id),
    ),
    ofThemes(themes),
    ofCompetitors(competitors),
    {
      nodes: uploads.rows.map(({ id, name, title }) => writtenNode(`doc:${id}`, 'document', title || name)),
      edges: [],
      names: [],
    },
  ];
  return {
    nodes: parted.flatMap(({ nodes }) => nodes),
    edges: parted.flatMap(({ edges }) => edges),
    names: parted.flatMap(({ names }) => names),
  };
}

function writtenNode(id: string, kind: GraphNode['kind'], name: string): GraphNode {
  return { id, kind, name };
}

function ofPlans(
  summaries: Awaited<ReturnType<typeof listPlans>>,
  anchors: ReadonlyMap<string, readonly AnchorRow[]>,
): Written {
  const nodes: GraphNode[] = [];
  const edges: WrittenEdge[] = [];
  const names = summaries.map(({ row: { slug, title } }): WrittenName => {
    const from = `plan:${slug}`;
    return { from, relation: 'plans', text: title, source: `${from} is called so`, makesFeature: true };
  });
  for (const { row, items } of summaries) {
    const from = { id: `plan:${row.slug}` };
    const named = anchors.get(row.id) ?? [];
    nodes.push(writtenNode(from.id, 'plan', row.title));
    edges.push(...edgesOfAnchors(from, 'plans', named));
    const handles = new Map(items.map(({ key, number }) => [key, `wi:${number}`]));
    for (const { number, title, files, symbols, depends } of items) {
      const item = { id: `wi:${number}` };
      nodes.push(writtenNode(item.id, 'work_item', title));
      edges.push({ from, to: item, relation: 'contains', grade: 'stated', source: from.id });
      const own = named.filter(({ target }) =>
        target?.symbol == null ? files.includes(target?.path ?? '') : symbols.includes(target.symbol),
      );
      edges.push(...edgesOfAnchors(item, 'plans', own));
      for (const key of depends) {
        const to = handles.get(key);
        if (to !== undefined)
          edges.push({ from: item, to: { id: to }, relation: 'references', grade: 'stated', source: from.id });
      }
    }
  }
  return { nodes, edges, names };
}

function ofDecisions(
  decisions: readonly DecisionSummary[],
  anchors: ReadonlyMap<string, readonly AnchorRow[]>,
): Written {
  const edges = decisions.flatMap(({ row }): WrittenEdge[] => {
    const from = { id: `dec:${row.number}` };
    const links = row.links.flatMap((link): WrittenEdge[] => {
      const relation = link.startsWith('plan:') || link.startsWith('wi:') ? 'decides' : 'mentions';
      return /^(?:plan|wi|dec|doc):/.test(link)
        ? [{ from, to: { id: link }, relation, grade: 'stated', source: from.id }]
        : [];
    });
    const later = row.supersededBy === null ? [] : [{ id: `dec:${row.supersededBy}` }];
    return [
      ...edgesOfAnchors(from, 'decides', anchors.get(row.id) ?? []),
      ...links,
      ...later.map((by): WrittenEdge => ({ from: by, to: from, relation: 'decides', grade: 'stated', source: by.id })),
    ];
  });
  const nodes = decisions.map(({ row }) => writtenNode(`dec:${row.number}`, 'decision', row.title));
  return { nodes, edges, names: [] };
}

/** A theme requests the code that it is about; plans, decisions and changes that answer it name it. */
function ofThemes(themes: readonly Theme[]): Written {
  const keys = themes.map(({ label }) => slugOf(label));
  const ids = themes.map(({ id }, at) => {
    const key = keys[at] ?? '';
    return `theme:${key === '' || keys.indexOf(key) !== at ? id : key}`;
  });
  const edges = themes.flatMap(({ links }, at) => links.flatMap((link) => edgesOfLink({ id: ids[at] ?? '' }, link)));
  const names = themes.map(({ label, signals }, at): WrittenName => {
    const source = counted(signals, 'signal');
    return { from: ids[at] ?? '', relation: 'requests', text: label, source, makesFeature: true };
  });
  return { nodes: themes.map(({ label }, at) => writtenNode(ids[at] ?? '', 'theme', label)), edges, names };
}

/** Changes of competitors are no nodes. */
function edgesOfLink(theme: WrittenEnd, link: Theme['links'][number]): WrittenEdge[] {
  const { kind, target: id, repositoryId, origin, words } = link;
  const grade = origin === 'stated' ? 'stated' : 'name';
  const source = origin === 'stated' ? `${id} is about the theme` : `shares ${words.join(', ')}`;
  const to = { id, ...(repositoryId !== null && { repositoryId }) };
  if (kind === 'code') return [{ from: theme, to, relation: 'requests', grade, source }];
  if (kind === 'change') return [];
  return [{ from: { id }, to: theme, relation: kind === 'plan' ? 'plans' : 'decides', grade, source }];
}

/** A competitor competes with the features that its news and the headings of its pages name. */
function ofCompetitors(competitors: Awaited<ReturnType<typeof selectCompetitorHeadings>>): Written {
  const keys = competitors.map(({ name }) => slugOf(name));
  const ids = competitors.map(({ id }, at) => {
    const key = keys[at] ?? '';
    return `competitor:${key === '' || keys.indexOf(key) !== at ? id : key}`;
  });
  const names = competitors.flatMap(({ pages, news }, at) => {
    // The first that names a feature is told.
    const sources = [
      ...news.map(({ changeId, url, texts }) => ({ texts, source: `chg:${changeId} ${url}` })),
      ...pages.map(({ url, headings }) => ({ texts: headings, source: url })),
    ];
    return sources.flatMap(({ texts, source }) =>
      texts.map((text): WrittenName => {
        return { from: ids[at] ?? '', relation: 'competes', text, source, makesFeature: false };
      }),
    );
  });
  return { nodes: competitors.map(({ name }, at) => writtenNode(ids[at] ?? '', 'competitor', name)), edges: [], names };
}

/** Returns edges to the current targets of anchors; none where the target is gone. */
function edgesOfAnchors(from: WrittenEnd, relation: Relation, anchors: readonly AnchorRow[]): WrittenEdge[] {
  const visited = new Set<string>();
  return anchors.flatMap(({ target, state, written: text }): WrittenEdge[] => {
    if (target === undefined) return [];
    const { path, symbol } = state ?? target;
    if (path === null) return [];
    const id = symbol === null ? `file:${path}` : `sym:${symbol}@${path}`;
    const key = `${target.repositoryId} ${id}`;
    if (visited.has(key)) return [];
    visited.add(key);
    const to = { id, repositoryId: target.repositoryId };
    return [{ from, to, relation, grade: 'stated', source: `${from.id} names ${text}` }];
  });
}
