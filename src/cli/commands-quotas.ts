import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import { findKey } from './key.ts';
import { readBytes } from '../platform/memory.ts';
import type { PlanCommandTools } from './commands-plan.ts';
import { table } from './table.ts';

interface QuotaJson {
  quota: string;
  used: number;
  limit: number | null;
  default: number | null;
}

interface QuotasJson {
  quotas: QuotaJson[];
}

interface QuotaFlags {
  product?: string;
  requests?: string;
  storage?: string;
  runs?: string;
  modelCost?: string;
}

type QuotaTools<Flags> = Pick<PlanCommandTools<Flags>, 'common' | 'withClient' | 'show'>;

const NAMES: Record<string, string> = {
  requests: 'requests a minute',
  storage: 'bytes of uploads and indexes',
  runs: 'runs of agents today',
  model_cost: 'cost of the model today',
};
const KEY_NAMES: Record<string, string> = { ...NAMES, model_cost: 'cost of the model this month' };

/** `svc quotas`. */
export function addQuotasCommand<Flags>(program: Command, { common, withClient, show }: QuotaTools<Flags>): void {
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
        show(flags, quotas, () => quotasText(quotas.quotas, 'of the product', NAMES));
      }),
    );
}

/** `svc key limit`. */
export function addKeyLimitCommand<Flags>(key: Command, { common, withClient, show }: QuotaTools<Flags>): void {
  common(key.command('limit'))
    .argument('<key>', 'name or id')
    .description('Show or change what one key may use; the word default stands for no limit of its own')
    .option('--requests <most>', 'requests a minute, in each process that serves')
    .option('--runs <most>', 'runs of agents a day (UTC)')
    .option('--model-cost <most>', 'cost of the language model a month (UTC), in the currency of SVC_LLM_PRICE')
    .action((name: string, flags: Flags & QuotaFlags) =>
      withClient(flags, async (client) => {
        const { id } = await findKey(client, name);
        const limits = changesOf(flags);
        if (Object.keys(limits).length > 0) await client.send('PATCH', `/v1/api-keys/${id}`, { limits });
        const detail = await client.send<{ name: string; limits: QuotaJson[] }>('GET', `/v1/api-keys/${id}`);
        show(flags, { id, name: detail.name, limits: detail.limits }, () =>
          quotasText(detail.limits, 'of the key', KEY_NAMES),
        );
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

function quotasText(quotas: readonly QuotaJson[], heading: string, names: Record<string, string>): string {
  const rows = quotas.map(({ quota, used, limit, default: setting }) => [
    names[quota] ?? quota,
    used.toLocaleString('en-US'),
    limit === null ? 'no limit' : limit.toLocaleString('en-US'),
    limit === setting
      ? ''
      : setting === null
        ? 'no limit by the settings'
        : `${setting.toLocaleString('en-US')} by the settings`,
  ]);
  return table([heading, 'used', 'at most', ''], rows);
}
