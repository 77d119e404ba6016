import { parseJson } from '../../kernel/json.ts';
import { z } from 'zod';
import type { BuildFile } from './repository-graph.ts';

/** File in which a repository states its layers, from the top down. */
const LAYER_FILE = 'svc.json';

const MOST_LAYERS = 40;

const Stated = z.object({
  layers: z
    .array(z.object({ name: z.string().trim().min(1).max(80), paths: z.array(z.string().min(1)).min(1) }))
    .min(1)
    .max(MOST_LAYERS)
    .optional(),
});

/** A layer as the repository says it. */
export interface StatedLayer {
  name: string;
  /** Folders and files. */
  paths: string[];
}

/** Source of the layers that people set in the service. */
const SETTING = 'layers of the product';

/** Layers that somebody states, from the top down; undefined when there is no statement. */
interface Statement {
  layers: StatedLayer[] | undefined;
  /** Source of the statement. */
  source: string;
  /** Fault in the statement; '' for none. */
  fault: string;
}

/** The layers that people set for the repository, or else those that it says it has itself. */
export function readStatedLayers(
  files: readonly BuildFile[],
  read: (file: number) => string,
  set?: readonly StatedLayer[],
): Statement {
  if (set !== undefined) return statementOf(SETTING, set, files);
  const none = { layers: undefined, source: LAYER_FILE };
  const file = files.find(({ path }) => path === LAYER_FILE);
  if (file === undefined) return { ...none, fault: '' };
  const given = parseJson(read(file.id));
  if (given === undefined) return { ...none, fault: `${LAYER_FILE} is no JSON` };
  const { data, error } = Stated.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (data === undefined) {
    const place = issue?.path.join('.') ?? '';
    return { ...none, fault: `${LAYER_FILE}: ${place === '' ? '' : `${place}: `}${issue?.message ?? ''}` };
  }
  return data.layers === undefined ? { ...none, fault: '' } : statementOf(LAYER_FILE, data.layers, files);
}

function statementOf(source: string, stated: readonly StatedLayer[], files: readonly BuildFile[]): Statement {
  const layers = stated.map(({ name, paths }) => ({ name, paths: paths.map(cleanPath) }));
  const empty = layers.find(({ paths }) => !files.some(({ path }) => paths.some((folder) => isAt(path, folder))));
  const fault = empty === undefined ? '' : `${source}: no file matches the paths of "${empty.name}"`;
  return { layers, source, fault };
}

/** Files by the layer whose path is nearest to each; of equally near ones the upper layer. What no layer names is in none. */
export function filesOfLayers(files: readonly BuildFile[], layers: readonly StatedLayer[]): BuildFile[][] {
  const filesByLayer: BuildFile[][] = layers.map(() => []);
  for (const file of files) {
    const near = layers.map(({ paths }) =>
      Math.max(-1, ...paths.flatMap((path) => (isAt(file.path, path) ? [path.length] : []))),
    );
    const best = Math.max(...near);
    if (best >= 0) filesByLayer[near.indexOf(best)]?.push(file);
  }
  return filesByLayer;
}

function isAt(path: string, place: string): boolean {
  return place === '' || path === place || path.startsWith(`${place}/`);
}

/** `./src/http/` is `src/http`, `.` the whole repository. */
function cleanPath(path: string): string {
  return path.replaceAll(/^(?:\.?\/)+|\/+$/g, '').replace(/^\.$/, '');
}
