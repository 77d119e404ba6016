import { counted } from '../kernel/counted.ts';
import type { Findings } from '../platform/operation/paged-tool.ts';
import { BULK_NOTE, type GraphCall, plainRow } from './graph-call.ts';
import type { FeatureRow, LayerMap } from './queries/queries.ts';
import { Feature } from './entity-output.ts';
import { bodyOfRow } from '../platform/row-body.ts';

/** Faults that are named in the notes. */
const MOST_FAULTS = 5;

/** `map`: features by layers, what has no test, document, plan or decision, and what belongs to no feature. */
export async function mapAnswer({ graph, args, offset }: GraphCall): Promise<Findings> {
  const maps = await graph.maps();
  const isOne = maps.length === 1;
  const rows = maps.flatMap(({ repository, map }) =>
    map.features.map((feature) => ({ repo: repository.provenance.repo, layers: map.layers, feature })),
  );
  const page = rows.slice(offset, offset + args.limit);
  return {
    total: rows.length,
    coverage: maps.map(({ repository, map }) => layersText(repository.provenance.repo, map, isOne)).join(' | '),
    rows: page.map(({ repo, layers, feature }) => {
      const counts = layers.flatMap(({ name }, at) =>
        (feature.layers[at] ?? 0) > 0 ? [`${name} ${feature.layers[at]}`] : [],
      );
      const lacks = lacksOf(feature);
      const shown = lacks.filter((kind) => EXPECTED.includes(kind));
      const line = `${feature.id}${isOne ? '' : ` (${repo})`} · ${counted(feature.files, 'file')} · ${counts.join(', ') || 'no layer'}${
        shown.length === 0 ? '' : ` · no ${shown.join(', no ')}`
      }`;
      const row = bodyOfRow(Feature, feature, {
        kind: 'feature',
        ...(!isOne && { repo }),
        layers: Object.fromEntries(layers.flatMap(({ name }, at) => [[name, feature.layers[at] ?? 0] as const])),
        uncovered: lacks,
      });
      return plainRow(feature.id, line, row);
    }),
    notes: [
      ...coverageNotes(rows.map(({ feature }) => feature)),
      ...maps.flatMap(({ repository, map }) => faultNotes(repository.provenance.repo, map, isOne)),
    ],
    hints: [BULK_NOTE],
    extra: {
      layers: maps.flatMap(({ repository, map }) =>
        map.layers.map((layer, rank) => ({
          ...layer,
          rank,
          ...(map.statedBy !== '' && { stated_by: map.statedBy }),
          ...(!isOne && { repo: repository.provenance.repo }),
        })),
      ),
      faults: maps.flatMap(({ repository, map }) =>
        map.faults.map((fault) => ({ ...fault, ...(!isOne && { repo: repository.provenance.repo }) })),
      ),
      ...(!isOne && { services: graph.requests() }),
    },
  };
}

function layersText(repo: string, { layers }: LayerMap, isOne: boolean): string {
  const named = layers.map(({ name, files }) => `${name} ${files}`).join(' > ');
  const whose = isOne ? '' : `${repo}: `;
  return named === '' ? `${whose}no layers: the code has one folder, or none` : `${whose}layers from the top: ${named}`;
}

/** Kinds that a feature has none of. */
function lacksOf({ files, tests, documents, plans, decisions, themes, competitors }: FeatureRow): string[] {
  const counts = {
    code: files,
    test: tests,
    document: documents,
    plan: plans,
    decision: decisions,
    theme: themes,
    competitor: competitors,
  };
  return Object.entries(counts).flatMap(([kind, count]) => (count === 0 ? [kind] : []));
}

/** Kinds of nodes that every feature should have, whoever wrote about it. */
const EXPECTED: readonly string[] = ['code', 'test', 'document'];

function coverageNotes(features: readonly FeatureRow[]): string[] {
  const without = (what: string): number => features.filter((feature) => lacksOf(feature).includes(what)).length;
  const some = ['code', 'test', 'document', 'plan', 'decision', 'theme', 'competitor'].flatMap((kind) =>
    without(kind) === 0 ? [] : [`${without(kind)} without a ${kind}`.replace('a code', 'code')],
  );
  return some.length === 0 ? [] : [`of ${features.length} features ${some.join(', ')}`];
}

function faultNotes(repo: string, { layers, faults, statedFault }: LayerMap, isOne: boolean): string[] {
  const whose = isOne ? '' : `${repo}: `;
  const unowned = layers.filter((layer) => layer.unowned > 0).map(({ name, unowned: count }) => `${name} ${count}`);
  const up = faults
    .slice(0, MOST_FAULTS)
    .map(({ from, to, files, fromPath, toPath }) => `${from} -> ${to} (${files}: ${fromPath} -> ${toPath})`);
  return [
    ...(statedFault === '' ? [] : [`${whose}${statedFault}`]),
    ...(unowned.length === 0 ? [] : [`${whose}files in no feature: ${unowned.join(', ')}`]),
    ...(up.length === 0
      ? []
      : [`${whose}imports go up between ${counted(faults.length, 'pair')} of layers: ${up.join('; ')}`]),
  ];
}
