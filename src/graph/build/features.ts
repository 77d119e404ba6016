import { compare, type NodeNumber } from '../model/model.ts';
import type { RouteNode } from './add-routes.ts';
import { type Component, folderOf, isDocument } from './components.ts';
import { type FeatureName, featureName, isStep, NamedFeatures, subjectName } from './feature-names.ts';
import type { Layer } from './layers.ts';
import { type BuildFile, fileNode, type GraphDraft, type GraphInput } from './repository-graph.ts';
import type { SymbolLookup } from './symbol-lookup.ts';

/** Where a feature shows, the surest first: its name is taken from there. */
const ORIGINS = ['package', 'route', 'folder', 'command', 'heading', 'files', 'name'] as const;
type Origin = (typeof ORIGINS)[number];

interface Candidate extends FeatureName {
  origin: Origin;
  files: BuildFile[];
  routes: RouteNode[];
}

interface Feature extends FeatureName {
  origins: Set<Origin>;
  files: Set<BuildFile>;
  routes: Set<RouteNode>;
}

/** Routes that begin with one word, at least, for it to be what they are about though it also says what kind code is. */
const LEAST_OF_A_SUBJECT = 3;
/** Features that are kept, those with most files first. */
const MOST_FEATURES = 150;
/** What more than this share of the code belongs to is the product, not a feature of it. */
const LARGEST_SHARE = 0.4;
/** Two features with this share of files in common are one. */
const SAME_SHARE = 0.8;
/** A file that defines the routes of more features than this belongs to none of them. */
const MOST_OF_A_LIST = 2;
/** A name in more folders than this says what kind of file it is. */
const MOST_FOLDERS = 12;
/** Share of what a test depends on that must be of a feature when its name says nothing. */
const TESTED_SHARE = 0.3;

/**
 * What the product does, by where it shows: packages, routes, folders, commands, and files of one name in several layers. What
 * has the same name, or the same files, is one feature.
 */
export function addFeatures(
  draft: GraphDraft,
  lookup: SymbolLookup,
  {
    components,
    layers,
    routes,
    commands,
  }: {
    components: readonly Component[];
    layers: readonly Layer[];
    routes: readonly RouteNode[];
    commands: readonly { name: string; file: BuildFile }[];
  },
): void {
  const product = draft.input.product;
  const subjects = subjectsOf(routes);
  const candidates = [
    ...packageCandidates(components, product),
    ...routeCandidates(routes, subjects),
    ...folderCandidates(draft, layers),
    ...commands.flatMap(({ name, file }) => candidate('command', name, [file])),
    ...headingCandidates(draft, lookup, product),
    ...sharedNameCandidates(product, subjects, layers),
  ];
  const features = keepFeatures(mergeByFiles(mergeByName(candidates)), product.length);
  const nodes = new Map<Feature, NodeNumber>();
  for (const feature of features) {
    const { key, name, files } = feature;
    const node = draft.add({ kind: 'feature', key, name, path: '', line: 1 });
    nodes.set(feature, node);
    const source = [...feature.origins].toSorted((a, b) => ORIGINS.indexOf(a) - ORIGINS.indexOf(b)).join(', ');
    for (const file of [...files].toSorted((a, b) => a.id - b.id))
      draft.link({
        from: node,
        to: fileNode(draft.input, file.id),
        relation: 'contains',
        grade: 'resolved',
        source,
      });
    for (const route of feature.routes)
      draft.link({ from: node, to: route.node, relation: 'contains', grade: 'resolved', source: 'route' });
  }
  const link = { named: new NamedFeatures(features), features, nodes };
  linkTests(draft, link);
  linkDocuments(draft, lookup, link);
}

function candidate(
  origin: Origin,
  text: string,
  files: readonly BuildFile[],
  { routes = [], named = featureName(text) }: { routes?: readonly RouteNode[]; named?: FeatureName | undefined } = {},
): Candidate[] {
  return named === undefined || (files.length === 0 && routes.length === 0)
    ? []
    : [{ ...named, origin, files: [...files], routes: [...routes] }];
}

/** Packages inside a repository; one alone is the product. */
function packageCandidates(components: readonly Component[], product: readonly BuildFile[]): Candidate[] {
  const inner = components.filter(({ isPackage, folder }) => isPackage && folder !== '');
  return inner.flatMap(({ name, folder }) => {
    const files = product.filter(({ path }) => path.startsWith(`${folder}/`));
    return candidate('package', name.replace(/^@[^/]+\//, ''), files);
  });
}

/** Words that also say what kind code is, and that many routes begin with: what the service is about. */
function subjectsOf(routes: readonly RouteNode[]): ReadonlyMap<string, FeatureName> {
  const counts = new Map<string, number>();
  for (const route of routes)
    for (const { key } of firstWord(route, subjectName) ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Map(
    [...counts].flatMap(([key, count]) => (count < LEAST_OF_A_SUBJECT ? [] : [[key, { key, name: key }] as const])),
  );
}

/** The first part of a path that is a name in this way, if nothing but prefixes and parameters stands before it. */
function firstWord({ path }: RouteNode, nameOf: (text: string) => FeatureName | undefined): [FeatureName] | undefined {
  for (const segment of path.split('/')) {
    if (!/^[\w.~-]+$/.test(segment)) continue;
    const named = nameOf(segment);
    if (named !== undefined) return [named];
    if (featureName(segment) !== undefined) return undefined;
  }
  return undefined;
}

/** Routes by the first word of their path that says something. A file that lists the routes of many things belongs to none. */
function routeCandidates(routes: readonly RouteNode[], subjects: ReadonlyMap<string, FeatureName>): Candidate[] {
  const nameOf = (text: string): FeatureName | undefined =>
    featureName(text) ?? subjects.get(subjectName(text)?.key ?? '');
  const groups = new Map<string, { named: FeatureName; routes: RouteNode[] }>();
  for (const route of routes) {
    const [named] = firstWord(route, nameOf) ?? [];
    if (named === undefined) continue;
    const known = groups.get(named.key);
    if (known === undefined) groups.set(named.key, { named, routes: [route] });
    else known.routes.push(route);
  }
  const uses = new Map<BuildFile, number>();
  for (const { routes: own } of groups.values())
    for (const file of new Set(own.flatMap(({ files }) => files))) uses.set(file, (uses.get(file) ?? 0) + 1);
  return [...groups.values()].flatMap(({ named, routes: own }) => {
    const files = [...new Set(own.flatMap((route) => route.files))].filter(
      (file) => (uses.get(file) ?? 0) <= MOST_OF_A_LIST,
    );
    return candidate('route', named.name, files, { routes: own, named });
  });
}

/** Folders of the parts that the layers are made of, and the folders directly inside them. */
function folderCandidates({ input }: GraphDraft, layers: readonly Layer[]): Candidate[] {
  const units = new Set(layers.map(({ path }) => path).filter((path) => path !== '.'));
  const folders = new Set(units);
  for (const { path } of input.product) {
    const folder = folderOf(path);
    for (const unit of units) {
      if (!folder.startsWith(`${unit}/`)) continue;
      const end = folder.indexOf('/', unit.length + 1);
      folders.add(end === -1 ? folder : folder.slice(0, end));
    }
  }
  const isStepFolder = stepFolders(input);
  return [...folders].toSorted(compare).flatMap((folder) => {
    const around = folderOf(folder);
    if (folders.has(around) && isStepFolder(folder, around)) return [];
    const files = input.product.filter(({ path }) => path.startsWith(`${folder}/`));
    return candidate('folder', lastPart(folder), files);
  });
}

/** Whether a folder in one that is a feature is a step of that: nothing but the feature itself uses it. */
function stepFolders({ product, files, depends }: GraphInput): (folder: string, around: string) => boolean {
  const users = new Map<number, string[]>();
  for (const { id, path } of product)
    for (const target of depends[id] ?? []) users.set(target, [...(users.get(target) ?? []), path]);
  return (folder, around) => {
    const inside = files.filter(({ path }) => path.startsWith(`${folder}/`));
    const from = inside.flatMap(({ id }) => users.get(id) ?? []).filter((path) => !path.startsWith(`${folder}/`));
    const size = product.filter(({ path }) => path.startsWith(`${around}/`)).length;
    const isFeature = featureName(lastPart(around)) !== undefined && size <= product.length * LARGEST_SHARE;
    return isFeature && from.length > 0 && from.every((path) => path.startsWith(`${around}/`));
  };
}

/** The last part of a path. */
function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Files of one name: `controllers/order.ts`, `models/order.ts`, `orderService.ts`. Those of one layer may be roles: `go/walk.ts`, `ruby/walk.ts`. */
function sharedNameCandidates(
  product: readonly BuildFile[],
  subjects: ReadonlyMap<string, FeatureName>,
  layers: readonly Layer[],
): Candidate[] {
  const layerOf = new Map(layers.flatMap((layer) => layer.files.map((file) => [file, layer] as const)));
  const groups = new Map<string, BuildFile[]>();
  for (const file of product) {
    const stem = lastPart(file.path).replace(/(?<=.)\.[^.]*$/, '');
    const key = featureName(stem)?.key ?? subjects.get(subjectName(stem)?.key ?? '')?.key;
    if (key === undefined) continue;
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [file]);
    else list.push(file);
  }
  return [...groups].flatMap(([key, files]) => {
    const folders = new Set(files.map(({ path }) => folderOf(path)));
    const roles = [...folders].filter((folder) => featureName(lastPart(folder)) === undefined);
    const isSpread = roles.length > 1 || new Set(files.map((file) => layerOf.get(file))).size > 1;
    const named = subjects.get(key);
    return folders.size > MOST_FOLDERS
      ? []
      : candidate(isSpread ? 'files' : 'name', key, files, named === undefined ? {} : { named });
  });
}

/** Headings of documentation that a file or a folder of the code is called by. */
function headingCandidates(draft: GraphDraft, lookup: SymbolLookup, product: readonly BuildFile[]): Candidate[] {
  const called = new Map<string, Set<BuildFile>>();
  for (const file of product) {
    const parts = file.path.replace(/(?<=[^/])\.[^./]*$/, '').split('/');
    for (const part of parts.slice(-2)) {
      const key = featureName(part)?.key;
      if (key !== undefined) called.set(key, (called.get(key) ?? new Set()).add(file));
    }
  }
  const told = new Set<string>();
  return descriptionsOf(draft).flatMap((document) =>
    lookup.symbolsOf(document.id).flatMap(({ kind, name }) => {
      const key = kind === 'heading' ? featureName(name)?.key : undefined;
      const files = key === undefined || told.has(key) ? undefined : called.get(key);
      if (key === undefined || files === undefined || files.size > MOST_FOLDERS) return [];
      told.add(key);
      return candidate('heading', name, [...files]);
    }),
  );
}

function mergeByName(candidates: readonly Candidate[]): Feature[] {
  const merged = new Map<string, Feature>();
  for (const proposed of candidates.toSorted((a, b) => ORIGINS.indexOf(a.origin) - ORIGINS.indexOf(b.origin))) {
    // `map-matcher` and `mapmatcher` are written either way.
    const plain = proposed.key.replaceAll('-', '');
    const known = merged.get(plain);
    // Files of one folder add to what is known; alone they are no feature.
    if (proposed.origin === 'name' && known === undefined) continue;
    const feature = known ?? {
      key: proposed.key,
      name: proposed.name,
      origins: new Set(),
      files: new Set(),
      routes: new Set(),
    };
    merged.set(plain, feature);
    feature.origins.add(proposed.origin);
    for (const file of proposed.files) feature.files.add(file);
    for (const route of proposed.routes) feature.routes.add(route);
  }
  return [...merged.values()];
}

/** What has nearly the same files is one, by the name that is surest. */
function mergeByFiles(features: readonly Feature[]): Feature[] {
  const left: Feature[] = [];
  for (const feature of features.toSorted((a, b) => rankOf(a) - rankOf(b) || compare(a.key, b.key))) {
    const same = left.find((similar) => share(similar.files, feature.files) >= SAME_SHARE);
    if (same === undefined) {
      left.push(feature);
      continue;
    }
    for (const origin of feature.origins) same.origins.add(origin);
    for (const file of feature.files) same.files.add(file);
    for (const route of feature.routes) same.routes.add(route);
  }
  return left;
}

function rankOf({ origins }: Feature): number {
  return Math.min(...[...origins].map((origin) => ORIGINS.indexOf(origin)));
}

function share(a: ReadonlySet<BuildFile>, b: ReadonlySet<BuildFile>): number {
  // What differs too much in size cannot have most in common.
  if (Math.min(a.size, b.size) < Math.max(a.size, b.size) * SAME_SHARE || a.size === 0) return 0;
  const both = [...a].filter((file) => b.has(file)).length;
  return both / (a.size + b.size - both);
}

/** Where even a single file is a feature. */
const UNDOUBTED: readonly Origin[] = ['package', 'command', 'heading'];
/** Where a word that only says what code does is a feature. */
const TOLD: readonly Origin[] = [...UNDOUBTED, 'route'];

/** Without what is nearly all of the product, and without single files that only their name makes a feature. */
function keepFeatures(features: readonly Feature[], productSize: number): Feature[] {
  return features
    .filter(({ key, files, routes, origins }) => {
      if (isStep(key) && !TOLD.some((origin) => origins.has(origin))) return false;
      if (files.size > Math.max(3, productSize * LARGEST_SHARE)) return false;
      // One path of a list of routes is a step of something, not a feature.
      if (files.size === 0) return routes.size > 1;
      return routes.size > 0 || files.size > 1 || UNDOUBTED.some((origin) => origins.has(origin));
    })
    .toSorted((a, b) => b.files.size + b.routes.size - a.files.size - a.routes.size || compare(a.key, b.key))
    .slice(0, MOST_FEATURES)
    .toSorted((a, b) => compare(a.key, b.key));
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
    for (const file of feature.files) ofFile.set(file, [...(ofFile.get(file) ?? []), feature]);
  for (const test of files.filter(({ isTest, isCode }) => isTest && isCode)) {
    const used = (depends[test.id] ?? []).flatMap((id) => files[id] ?? []).filter(({ isTest }) => !isTest);
    const counts = new Map<Feature, number>();
    for (const feature of used.flatMap((file) => ofFile.get(file) ?? []))
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

/** Documents that tell what happened, or about the project itself, describe no feature. */
const NO_DESCRIPTION =
  /(?:^|\/)(?:change(?:log|s)|history|news|licen[cs]e|contributing|code_of_conduct|security|authors|credits)\b/i;

function descriptionsOf({ input }: GraphDraft): BuildFile[] {
  return input.files.filter((file) => isDocument(file) && !NO_DESCRIPTION.test(file.path));
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
