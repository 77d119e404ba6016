import type { Findings } from '../platform/operation/paged-tool.ts';
import { BULK_NOTE, type GraphCall, plainRow } from './graph-call.ts';
import type { FeatureRow, LayerMap } from './queries/queries.ts';

/** Faults that are named in the notes. */
const MOST_FAULTS = 5;

/** `map`: features by layers, what has no test, document, plan or decision, and what belongs to no feature. */
export async function mapAnswer({ sources, args, offset }: GraphCall): Promise<Findings> {
  const maps = await sources.askAll(['layerMap', {}]);
  const isOne = maps.length === 1;
  const rows = maps.flatMap(({ repository, result }) =>
    result.features.map((feature) => ({ repo: repository.provenance.repo, layers: result.layers, feature })),
  );
  const page = rows.slice(offset, offset + args.limit);
  return {
    total: rows.length,
    coverage: maps.map(({ repository, result }) => layersText(repository.provenance.repo, result, isOne)).join(' | '),
    rows: page.map(({ repo, layers, feature }) => {
      const counts = layers.flatMap(({ name }, at) =>
        (feature.layers[at] ?? 0) > 0 ? [`${name} ${feature.layers[at]}`] : [],
      );
      const lacks = lacksOf(feature);
      const line = `${feature.id}${isOne ? '' : ` (${repo})`} · ${feature.files} files · ${counts.join(', ') || 'no layer'}${
        lacks.length === 0 ? '' : ` · no ${lacks.join(', no ')}`
      }`;
      return plainRow(feature.id, line, {
        id: feature.id,
        kind: 'feature',
        name: feature.name,
        ...(!isOne && { repo }),
        files: feature.files,
        layers: Object.fromEntries(layers.flatMap(({ name }, at) => [[name, feature.layers[at] ?? 0] as const])),
        routes: feature.routes,
        tests: feature.tests,
        documents: feature.documents,
        uncovered: lacks,
      });
    }),
    notes: [
      ...coverageNotes(rows.map(({ feature }) => feature)),
      ...maps.flatMap(({ repository, result }) => faultNotes(repository.provenance.repo, result, isOne)),
      BULK_NOTE,
    ],
    extra: {
      layers: maps.flatMap(({ repository, result }) =>
        result.layers.map((layer, rank) => ({ ...layer, rank, ...(!isOne && { repo: repository.provenance.repo }) })),
      ),
      faults: maps.flatMap(({ result }) => result.faults),
    },
  };
}

function layersText(repo: string, { layers }: LayerMap, isOne: boolean): string {
  const named = layers.map(({ name, files }) => `${name} ${files}`).join(' > ');
  const whose = isOne ? '' : `${repo}: `;
  return named === '' ? `${whose}no layers: the code has one folder, or none` : `${whose}layers from the top: ${named}`;
}

function lacksOf({ tests, documents }: FeatureRow): string[] {
  return [...(tests === 0 ? ['test'] : []), ...(documents === 0 ? ['document'] : [])];
}

function coverageNotes(features: readonly FeatureRow[]): string[] {
  const without = (what: string): number => features.filter((one) => lacksOf(one).includes(what)).length;
  const told = [
    [without('test'), 'without a test'],
    [without('document'), 'without a document'],
  ] as const;
  const some = told
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} of ${features.length} features ${what}`);
  return some.length === 0 ? [] : [some.join(', ')];
}

function faultNotes(repo: string, { layers, faults }: LayerMap, isOne: boolean): string[] {
  const whose = isOne ? '' : `${repo}: `;
  const unowned = layers.filter((layer) => layer.unowned > 0).map(({ name, unowned: count }) => `${name} ${count}`);
  const up = faults
    .slice(0, MOST_FAULTS)
    .map(({ from, to, files, fromPath, toPath }) => `${from} -> ${to} (${files}: ${fromPath} -> ${toPath})`);
  return [
    ...(unowned.length === 0 ? [] : [`${whose}files in no feature: ${unowned.join(', ')}`]),
    ...(up.length === 0 ? [] : [`${whose}${faults.length} imports between layers go up: ${up.join('; ')}`]),
  ];
}
