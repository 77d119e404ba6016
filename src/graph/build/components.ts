import { folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import { isManifest, readManifest } from '../../code/map/map.ts';
import { type NodeNumber } from '../model/model.ts';
import { type BuildFile, fileNode, type GraphDraft } from './repository-graph.ts';

/** Manifests that are read; a repository with more is a collection of examples. */
const MOST_MANIFESTS = 300;

/** A package, or a folder with code of its own. */
export interface Component {
  /** '' for the root. */
  folder: string;
  name: string;
  isPackage: boolean;
  node: NodeNumber;
  /** Files that lie in it and in no component inside it. */
  files: BuildFile[];
}

/**
 * Packages and folders with code, what they contain and which uses which. Ids are paths, so that one folder more changes
 * no other component.
 */
export function addComponents(draft: GraphDraft, read: (file: number) => string): Component[] {
  const { files } = draft.input;
  const packages = packagesOf(files, read);
  const folders = new Set(packages.keys());
  for (const file of files) if (file.isCode) folders.add(folderOf(file.path));
  const components = new Map<string, Component>();
  for (const folder of [...folders].toSorted(compareTexts)) {
    const manifest = packages.get(folder);
    const name = manifest?.name ?? (folder === '' ? '.' : folder);
    const path = folder === '' ? '.' : folder;
    const node = draft.add({ kind: 'component', key: path, name, path, line: 1 });
    components.set(folder, { folder, name, isPackage: manifest !== undefined, node, files: [] });
    const parent = folder === '' ? undefined : findNearest(folderOf(folder), components);
    if (parent !== undefined)
      draft.link({ from: parent.node, to: node, relation: 'contains', grade: 'stated', source: manifest?.path ?? '' });
  }
  for (const file of files) {
    const component = findNearest(folderOf(file.path), components);
    if (component === undefined) continue;
    component.files.push(file);
    const to = fileNode(draft.input, file.id);
    draft.link({ from: component.node, to, relation: 'contains', grade: 'stated', source: '' });
  }
  linkUses(draft, [...components.values()]);
  return [...components.values()];
}

/** Links each component to those that it imports, by files that are no tests. */
function linkUses(draft: GraphDraft, components: readonly Component[]): void {
  const { files, depends } = draft.input;
  const ofFile = new Map(components.flatMap((component) => component.files.map(({ id }) => [id, component] as const)));
  for (const component of components) {
    const uses = new Map<Component, { pairs: number; first: string }>();
    for (const { id, path, isTest } of component.files) {
      if (isTest) continue;
      for (const target of depends[id] ?? []) {
        const other = ofFile.get(target);
        if (other === undefined || other === component || files[target]?.isTest === true) continue;
        const existing = uses.get(other);
        if (existing === undefined) uses.set(other, { pairs: 1, first: `${path} -> ${files[target]?.path ?? ''}` });
        else existing.pairs += 1;
      }
    }
    for (const [other, { pairs, first }] of uses) {
      const source = pairs === 1 ? first : `${first} and ${pairs - 1} more`;
      draft.link({ from: component.node, to: other.node, relation: 'imports', grade: 'resolved', source });
    }
  }
}

interface Package {
  name: string;
  path: string;
}

function packagesOf(files: readonly BuildFile[], read: (file: number) => string): Map<string, Package> {
  const packages = new Map<string, Package>();
  for (const { id, path } of files.filter((file) => isManifest(file.path)).slice(0, MOST_MANIFESTS)) {
    const manifest = readManifest(path, read(id));
    if (manifest === undefined || packages.has(manifest.folder)) continue;
    packages.set(manifest.folder, { name: manifest.name === '' ? '.' : manifest.name, path });
  }
  return packages;
}

/** Languages of documentation. */
const PROSE: ReadonlySet<string> = new Set(['Markdown', 'MDX', 'reStructuredText', 'AsciiDoc']);

/** True if a file is documentation. */
export function isDocument({ language }: Pick<BuildFile, 'language'>): boolean {
  return PROSE.has(language);
}

/** The component that holds a folder: itself, or the nearest one around it. */
function findNearest(folder: string, components: ReadonlyMap<string, Component>): Component | undefined {
  for (let at = folder; ; at = folderOf(at)) {
    const component = components.get(at);
    if (component !== undefined || at === '') return component;
  }
}
