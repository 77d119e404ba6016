import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { readBytes } from '../platform/memory.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

interface QuotasJson {
  quotas: { quota: string; used: number; limit: number | null; default: number | null }[];
}

interface QuotaFlags {
  product?: string;
  requests?: string;
  storage?: string;
  runs?: string;
  modelCost?: string;
}

const NAMES: Record<string, string> = {
  requests: 'requests a minute',
  storage: 'bytes of uploads and indexes',
  runs: 'runs of agents today',
  model_cost: 'cost of the model today',
};

/** `svc quotas`. */
export function addQuotasCommand<Flags>(
  program: Command,
  { common, withClient, show }: Pick<PlanCommandTools<Flags>, 'common' | 'withClient' | 'show'>,
): void {
  common(program.command('quotas'))
    .description('Show or change what a product may use; the word default stands for what the settings say')
    .option('--product <product>', 'name or id; default: the first')
    .option('--requests <most>', 'requests a minute of all its API keys together, in each process that serves')
    .option('--storage <most>', 'uploads and indexes, such as 20GB')
    .option('--runs <most>', 'runs of agents a day (UTC)')
    .option('--model-cost <most>', 'cost of the language model a day (UTC), in the currency of SVC_LLM_PRICE')
    .action((flags: Flags & QuotaFlags) =>
      withClient(flags, async (client) => {
        const path = `/v1/quotas${flags.product === undefined ? '' : `?product=${encodeURIComponent(flags.product)}`}`;
        const changes = changesOf(flags);
        const quotas = await (Object.keys(changes).length === 0
          ? client.send<QuotasJson>('GET', path)
          : client.send<QuotasJson>('PATCH', path, changes));
        show(flags, quotas, () => quotasText(quotas));
      }),
    );
}

function changesOf({ requests, storage, runs, modelCost }: QuotaFlags): Record<string, number | null> {
  const given = { requests, storage, runs, model_cost: modelCost };
  return Object.fromEntries(
    Object.entries(given).flatMap(([quota, text]) => (text === undefined ? [] : [[quota, mostOf(quota, text)]])),
  );
}

function mostOf(quota: string, text: string): number | null {
  if (text === 'default') return null;
  const most = quota === 'storage' ? (readBytes(text) ?? Number.NaN) : Number(text.trim() || 'nothing');
  if (Number.isFinite(most)) return most;
  const example = quota === 'storage' ? '20GB' : '100';
  throw new ServiceError('bad_argument', `--${quota.replace('_', '-')} "${text}" is not a limit.`, {
    fix: `Give a number such as ${example}, or default.`,
  });
}

function quotasText({ quotas }: QuotasJson): string {
  const rows = quotas.map(({ quota, used, limit, default: setting }) => [
    NAMES[quota] ?? quota,
    used.toLocaleString('en-US'),
    limit === null ? 'no limit' : limit.toLocaleString('en-US'),
    limit === setting
      ? ''
      : setting === null
        ? 'no limit by the settings'
        : `${setting.toLocaleString('en-US')} by the settings`,
  ]);
  return table(['of the product', 'used', 'at most', ''], rows);
}
