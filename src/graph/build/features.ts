import { folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { type EdgeGrade, type NodeNumber } from '../model/model.ts';
import type { RouteNode } from './add-routes.ts';
import {
  type Candidate,
  collectCandidates,
  descriptionsOf,
  type FeatureSources,
  lastPart,
  ORIGINS,
} from './feature-candidates.ts';
import { type FeatureName, featureName, NamedFeatures, wholeName } from './feature-names.ts';
import { type BuildFile, fileNode, type GraphDraft, type GraphInput } from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';

/**
 * Reason for which a file belongs to a feature: it shows that the feature exists, has its name, or is used by nothing but the
 * feature.
 */
interface Reason {
  source: string;
  grade: EdgeGrade;
}

interface Feature extends FeatureName {
  files: Map<BuildFile, Reason>;
  routes: Set<RouteNode>;
}

/** Most features, those with most files first. */
const MOST_FEATURES = 150;
/** Share of the code above which whatever is called by it is the product, not a feature of it. */
const LARGEST_SHARE = 0.4;
/** Files that a feature of a small product may have. */
const MOST_OF_A_SMALL_ONE = 3;
/** A file that shows more features than this is a list of them: what it alone uses belongs to none. */
const MOST_OF_A_LIST = 2;
/** A name in more folders than this says what kind of file it is. */
const MOST_FOLDERS = 12;
/** Share of what a test depends on that must be of a feature when its name says nothing. */
const TESTED_SHARE = 0.3;

/**
 * Adds the features of the application: its routes and pages, commands, domain models and published names, each with the files
 * that show it, those with its name, and those that nothing else uses. Folders and words of files make no feature by
 * themselves.
 */
export function addFeatures(draft: GraphDraft, lookup: SymbolLookup, sources: FeatureSources): void {
  const all = mergeByName(collectCandidates(draft, lookup, sources));
  const features = selectFeatures(all.filter((feature) => !isWholeProduct(feature, draft.input)));
  addFilesByName(draft.input, features);
  addFilesByUse(draft.input, features);
  const nodes = new Map<Feature, NodeNumber>();
  for (const feature of features) {
    const { key, name, files } = feature;
    const node = draft.add({ kind: 'feature', key, name, path: '', line: 1 });
    nodes.set(feature, node);
    for (const [{ id }, { grade, source }] of [...files].toSorted(([a], [b]) => a.id - b.id))
      draft.link({ from: node, to: fileNode(draft.input, id), relation: 'contains', grade, source });
    for (const route of feature.routes)
      draft.link({ from: node, to: route.node, relation: 'contains', grade: 'resolved', source: 'route' });
  }
  const link = { named: new NamedFeatures(features), features, nodes };
  linkTests(draft, link);
  linkDocuments(draft, lookup, link);
}

/** One feature a name, with all that shows it. */
function mergeByName(candidates: readonly Candidate[]): Feature[] {
  const merged = new Map<string, Feature>();
  for (const { key, name, origin, files, routes } of candidates.toSorted(
    (a, b) => ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin),
  )) {
    // `map-matcher` and `mapmatcher` are written either way.
    const plain = key.replaceAll('-', '');
    const feature = merged.get(plain) ?? { key, name, files: new Map(), routes: new Set() };
    merged.set(plain, feature);
    for (const file of files) {
      const source = feature.files.get(file)?.source;
      feature.files.set(file, { source: source === undefined ? origin : joinOnce(source, origin), grade: 'resolved' });
    }
    for (const route of routes) feature.routes.add(route);
  }
  return mergeLonger([...merged.values()]);
}

/** Words by which a name that begins with another one names the same: `reset password request`, but not `order items`. */
const LEAST_SHARED_WORDS = 2;

/** Routes that are called by all words of others and more belong to those. */
function mergeLonger(features: readonly Feature[]): Feature[] {
  const isLonger = (key: string, other: Feature): boolean =>
    other.routes.size > 0 && other.key.split('-').length >= LEAST_SHARED_WORDS && key.startsWith(`${other.key}-`);
  return features.filter((feature) => {
    const shorter = feature.routes.size === 0 ? undefined : features.find((other) => isLonger(feature.key, other));
    if (shorter === undefined) return true;
    for (const route of feature.routes) shorter.routes.add(route);
    for (const [file, reason] of feature.files) if (!shorter.files.has(file)) shorter.files.set(file, reason);
    return false;
  });
}

function joinOnce(source: string, origin: string): string {
  return source.split(', ').includes(origin) ? source : `${source}, ${origin}`;
}

/** True for what much of the code belongs to before names and uses are looked at: the product by its own name. */
function isWholeProduct({ files, routes }: Feature, { product }: GraphInput): boolean {
  return routes.size === 0 && files.size > Math.max(MOST_OF_A_SMALL_ONE, product.length * LARGEST_SHARE);
}

/** The features with most files and routes, by key. */
function selectFeatures(features: readonly Feature[]): Feature[] {
  return features
    .toSorted((a, b) => b.files.size + b.routes.size - a.files.size - a.routes.size || compareTexts(a.key, b.key))
    .slice(0, MOST_FEATURES)
    .toSorted((a, b) => compareTexts(a.key, b.key));
}

/** Adds the files that are called as a feature, or are in a folder that is: `controllers/order.ts`, `orderService.ts`, `orders/`. */
function addFilesByName({ product }: GraphInput, features: readonly Feature[]): void {
  const called = new Map<string, Set<BuildFile>>();
  for (const file of product) {
    const folder = lastPart(folderOf(file.path));
    for (const part of [lastPart(file.path).replace(/(?<=.)\.[^.]*$/, ''), folder])
      for (const key of new Set([featureName(part)?.key, wholeName(part)?.key]))
        if (key !== undefined) called.set(key, (called.get(key) ?? new Set()).add(file));
  }
  for (const { key, files } of features) {
    const own = [...(called.get(key) ?? [])];
    const folders = new Set(own.map(({ path }) => folderOf(path)));
    if (folders.size > MOST_FOLDERS || own.length > Math.max(MOST_OF_A_SMALL_ONE, product.length * LARGEST_SHARE))
      continue;
    for (const file of own) if (!files.has(file)) files.set(file, { source: 'name', grade: 'name' });
  }
}

/** Adds, again and again, the files that only files of one feature use. */
function addFilesByUse({ product, depends }: GraphInput, features: readonly Feature[]): void {
  const users = new Map<number, number[]>();
  for (const { id } of product)
    for (const target of depends[id] ?? []) users.set(target, [...(users.get(target) ?? []), id]);
  const owners = new Map<number, Set<Feature>>();
  for (const feature of features)
    for (const { id } of feature.files.keys()) owners.set(id, (owners.get(id) ?? new Set()).add(feature));
  const isOwned = (id: number, feature: Feature): boolean => {
    const of = owners.get(id);
    return of !== undefined && of.size <= MOST_OF_A_LIST && of.has(feature);
  };
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const file of product) {
      const from = (users.get(file.id) ?? []).filter((id) => id !== file.id);
      const [first] = from;
      if (first === undefined || owners.has(file.id)) continue;
      const own = [...(owners.get(first) ?? [])].filter((feature) => from.every((id) => isOwned(id, feature)));
      if (own.length === 0) continue;
      owners.set(file.id, new Set(own));
      for (const { files } of own) files.set(file, { source: 'use', grade: 'resolved' });
      isGrowing = true;
    }
  }
}

interface Linking {
  named: NamedFeatures<Feature>;
  features: readonly Feature[];
  nodes: ReadonlyMap<Feature, NodeNumber>;
}

/** A test is of the features that its path names, and of those that much of what it uses belongs to. */
function linkTests(draft: GraphDraft, { named, features, nodes }: Linking): void {
  const { files, depends } = draft.input;
  const ofFile = new Map<BuildFile, Feature[]>();
  for (const feature of features)
    for (const file of feature.files.keys()) ofFile.set(file, [...(ofFile.get(file) ?? []), feature]);
  for (const test of files.filter(({ isTest, isCode }) => isTest && isCode)) {
    const used = (depends[test.id] ?? []).flatMap((id) => files[id] ?? []).filter(({ isTest }) => !isTest);
    const counts = new Map<Feature, number>();
    // A list of features is used by the tests of all of them.
    for (const feature of used.flatMap((file) => listedFew(ofFile.get(file))))
      counts.set(feature, (counts.get(feature) ?? 0) + 1);
    const using = new Set(
      [...counts].flatMap(([feature, count]) => (count >= used.length * TESTED_SHARE ? [feature] : [])),
    );
    for (const feature of new Set([...named.in(test.path), ...using])) {
      const to = nodes.get(feature);
      const grade = using.has(feature) ? 'resolved' : 'name';
      if (to !== undefined)
        draft.link({ from: fileNode(draft.input, test.id), to, relation: 'tests', grade, source: test.path });
    }
  }
}

function listedFew(features: readonly Feature[] = []): readonly Feature[] {
  return features.length > MOST_OF_A_LIST ? [] : features;
}

/** A document describes the features that its name or its headings name. */
function linkDocuments(draft: GraphDraft, lookup: SymbolLookup, { named, nodes }: Linking): void {
  for (const document of descriptionsOf(draft)) {
    const places = new Map<Feature, string>();
    const headings = lookup.symbolsOf(document.id).filter(({ kind }) => kind === 'heading');
    for (const { name, line } of headings)
      for (const feature of named.in(name)) if (!places.has(feature)) places.set(feature, `${document.path}:${line}`);
    for (const feature of named.in(document.path)) if (!places.has(feature)) places.set(feature, document.path);
    for (const [feature, source] of places) {
      const to = nodes.get(feature);
      const from = fileNode(draft.input, document.id);
      if (to !== undefined) draft.link({ from, to, relation: 'mentions', grade: 'name', source });
    }
  }
}
