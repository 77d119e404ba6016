import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { ownCommand } from './own-command.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

/** Fields that the commands read of `/v1/layers`. */
interface LayersJson {
  repo: string;
  stated_by: 'setting' | 'svc.json' | 'imports';
  layers: { name: string; files: number }[];
  faults: { kind: string; from: string; to: string; files: number; from_path: string; to_path: string }[];
  problem: string | null;
}

interface LayerFlags {
  repo?: string;
}

const REPO = ['--repo <name>', 'name or id; default: the one of the checkout, or the only one'] as const;
/** Faults that are listed; `--json` has all. */
const MOST_FAULTS = 10;

/** `svc layers list|set|reset`. */
export function addLayerCommands<Flags>(
  layers: Command,
  { common, repositoryHere, withClient, show }: PlanCommandTools<Flags>,
): void {
  const ask = (flags: Flags & LayerFlags, method: 'GET' | 'PUT' | 'DELETE', body?: object): Promise<void> =>
    withClient(flags, async (client) => {
      const repo = await repositoryHere(client, { repo: flags.repo, isNeeded: true });
      const query = repo === undefined ? '' : `?${new URLSearchParams({ repo }).toString()}`;
      const result = await client.send<LayersJson>(method, `/v1/layers${query}`, body);
      show(flags, result, () => describeLayers(result));
    });
  common(layers.command('list'))
    .option(...REPO)
    .description('List the layers of a repository from the top down, and the imports that go up')
    .action((flags: Flags & LayerFlags) => ask(flags, 'GET'));
  common(layers.command('set'))
    .argument('<layers...>', 'from the top down, each with its folders and files: http=src/http,src/web')
    .option(...REPO)
    .description('Set the layers of a repository; they win over its svc.json')
    .action((given: string[], flags: Flags & LayerFlags) => ask(flags, 'PUT', { layers: given.map(layerOf) }));
  common(layers.command('reset'))
    .option(...REPO)
    .description('Take back the layers that were set: svc.json or the imports of the code decide again')
    .action((flags: Flags & LayerFlags) => ask(flags, 'DELETE'));
}

function layerOf(text: string): { name: string; paths: string[] } {
  const at = text.indexOf('=');
  const paths = text
    .slice(at + 1)
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  if (at > 0 && paths.length > 0) return { name: text.slice(0, at).trim(), paths };
  throw new ServiceError('bad_argument', `"${text}" does not say which paths a layer has.`, {
    fix: `Write the layers from the top down: ${ownCommand('layers set http=src/http,src/web storage=src/db')}`,
  });
}

const STATED_BY = {
  setting: 'set with svc layers set',
  'svc.json': 'as its svc.json says',
  imports: 'found by its imports',
} as const;

function describeLayers({ repo, stated_by: by, layers, faults, problem }: LayersJson): string {
  const faultLines = faults
    .slice(0, MOST_FAULTS)
    .map(({ from, to, files, from_path: path, to_path: used }) => `${from} -> ${to} (${files}: ${path} -> ${used})`);
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
  const body =
    layers.length === 0
      ? ['It has none: its code has one folder, or none.']
      : [
          table(
            ['LAYER', 'FILES'],
            layers.map(({ name, files }) => [name, String(files)]),
          ),
        ];
  return [
    visible(`Layers of ${repo}, ${STATED_BY[by]}, from the top down:`),
    ...body,
    ...(problem === null ? [] : [visible(`Problem: ${problem}`)]),
    ...(faultLines.length === 0
      ? []
      : ['Imports that go up:', ...faultLines.map((line) => `  ${visible(line)}`), ...more]),
  ].join('\n');
}
