import type { GraphSources } from './queries/queries.ts';
import { featureName, NamedFeatures } from './queries/queries.ts';
import type { ProductFeatures } from './product-features.ts';
import type { WrittenEdge, WrittenName } from './written/written.ts';

/** A name of something written that is also the name of a feature. */
type NamedFeature<Name = WrittenName> = Name & {
  /** Key of the feature. */
  key: string;
};

/** A feature that only something written names: the code that it names belongs to no other. */
interface StatedFeature {
  key: string;
  name: string;
  /** Its files, as ends of edges. */
  files: { id: string; repositoryId: string }[];
  /** Names that state the feature. */
  names: WrittenName[];
}

/** The features that names of what is written name, one after the other in the words of the name. */
export function featuresNamed<Name extends { text: string }>(
  features: ProductFeatures,
  names: readonly Name[],
): NamedFeature<Name>[] {
  const keys = [...new Set([...features.shownKeys, ...features.pinned.map(({ key }) => key)])];
  // A feature is found by the words of the name that people gave it, too.
  const keyed = keys.flatMap((key) => {
    const given = featureName(features.nameOf(key))?.key ?? key;
    return [...new Set([key, given])].map((words) => ({ key: words, shown: key }));
  });
  const named = new NamedFeatures(keyed);
  return names.flatMap((name) => {
    const shown = new Set([...named.in(name.text)].map((match) => match.shown));
    return [...shown].map((key) => ({ ...name, key }));
  });
}

interface FeatureStatements {
  names: readonly WrittenName[];
  edges: readonly WrittenEdge[];
  /** Features that the names name already. */
  named: readonly NamedFeature[];
  /** Files and folders that people gave to features, as ends. */
  given: readonly { id: string; repositoryId?: string }[];
}

/** Features of plans and themes that name no feature, made of the code that they name where none of that is in one. */
export async function collectStatedFeatures(
  sources: GraphSources,
  features: ProductFeatures,
  { names, edges, named, given }: FeatureStatements,
): Promise<StatedFeature[]> {
  const naming = new Set(named.map(({ from }) => from));
  const stated = new Map<string, StatedFeature>();
  const byFrom = Map.groupBy(edges, ({ from }) => from.id);
  for (const name of names) {
    const words = name.makesFeature && !naming.has(name.from) ? featureName(name.text) : undefined;
    const key = words === undefined ? undefined : features.finalKey(words.key);
    if (key === undefined || features.isHidden(key)) continue;
    const { files, owned } = await filesNamed(sources, byFrom.get(name.from) ?? []);
    if (files.length === 0 || owned > 0 || files.some((file) => given.some((place) => isIn(file, place)))) continue;
    const before = stated.get(key) ?? { key, name: features.nameOf(key), files: [], names: [] };
    stated.set(key, { ...before, files: [...before.files, ...files], names: [...before.names, name] });
  }
  return [...stated.values()];
}

function isIn(file: StatedFeature['files'][number], place: FeatureStatements['given'][number]): boolean {
  const path = place.id.replace(/^\w+:/, '');
  return file.repositoryId === place.repositoryId && `${file.id}/`.startsWith(`file:${path}/`);
}

/** The files that edges lead to, and how many of them a feature of the code holds. */
async function filesNamed(
  sources: GraphSources,
  edges: readonly WrittenEdge[],
): Promise<{ files: StatedFeature['files']; owned: number }> {
  const byRepository = await Promise.all(
    sources.repositories.map(async (repository) => {
      const own = edges.filter(({ to }) => to.repositoryId === repository.id).map(({ to }) => fileOf(to.id));
      const ids = [...new Set(own.flatMap((id) => id ?? []))];
      if (ids.length === 0) return { files: [], owned: 0 };
      const nodes = (await sources.ask(repository, ['nodesOfIds', { ids }])).flatMap((node) => node ?? []);
      const unowned = await sources.ask(repository, ['unownedNodes', { nodes }]);
      return { files: ids.map((id) => ({ id, repositoryId: repository.id })), owned: nodes.length - unowned.length };
    }),
  );
  return {
    files: byRepository.flatMap(({ files }) => files),
    owned: byRepository.reduce((sum, { owned }) => sum + owned, 0),
  };
}

/** The file of a handle of code: of a symbol the one that it stands in. */
function fileOf(id: string): string | undefined {
  const path = /^(?:file:|sym:.+@)([^@]+)$/.exec(id)?.[1];
  return path === undefined ? undefined : `file:${path}`;
}
