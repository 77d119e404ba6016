import { afterAll, beforeAll } from 'vitest';
import type { ModelUsage } from '../answers/model/model-usage.ts';
import { recordDecision } from '../decisions/decisions.ts';
import type { ModelProvider } from '../platform/language-model.ts';
import { savePlan } from '../plans/plans.ts';
import { allOperations } from './all-operations.ts';
import { openSearchBench, type SearchBench } from './search.ts';

/** The code of the shop, by path. */
export const REFUND_FILES = {
  'src/refund.ts': `import { bookTransfer } from './bank.ts';

/** Pays the money of an order back to the card that was charged. */
export function issueRefund(order: string, cents: number): string {
  // The bank pays a transfer back once, whatever is booked twice.
  const receipt = bookTransfer(order, cents);
  return receipt.trim();
}
`,
  'src/bank.ts': `import { auditTrail } from './audit.ts';

export type Money = number;

/** Books a transfer at the bank and returns its receipt. */
export function bookTransfer(order: string, cents: number): string {
  return auditTrail(order) + cents;
}
`,
  'src/audit.ts': `import type { Money } from './bank.ts';

/** Writes down who moved money. */
export function auditTrail(order: string): string {
  return order;
}
`,
  'src/shop.ts': `import { issueRefund } from './refund.ts';

/** Cancels an order and gives the customer the money back. */
export function cancelOrder(order: string): string {
  return issueRefund(order, 100);
}
`,
  'src/gateway.py': `class Gateway:
    def settle(self):
        pass


class CardGateway(Gateway):
    def settle(self):
        pass


def settle_all(one: Gateway):
    one.settle()
`,
  'lib/weather/forecast.ts': `/** Whether rain is likely tomorrow. */
export function isRainLikely(clouds: number): boolean {
  return clouds > 6;
}
`,
  'lib/garden/water.ts': `import { isRainLikely } from '../weather/forecast.ts';

/** Waters the beds unless rain does. */
export function waterBeds(clouds: number): boolean {
  return !isRainLikely(clouds);
}
`,
};

/** A shop that pays refunds: code, a plan, a decision and what two customers say. Close it after use. */
export async function openRefundBench(): Promise<SearchBench> {
  const bench = await openSearchBench();
  const { plans, account } = bench;
  await bench.commitAndIndex({ files: REFUND_FILES, message: 'feat: pay refunds' });
  await savePlan(plans, account, {
    text: '# Refunds in one day\n\n## Goal\n\nA refund arrives on the card within a day.\n',
    actor: account.actor,
  });
  await recordDecision(plans, account, {
    wanted: { title: 'Refunds by card', decision: 'Refunds go to the card that was charged. See `issueRefund`.' },
    actor: account.actor,
  });
  await bench.addSignals([
    { text: 'The refund never came', customer: 'Online shop', source: 'support' },
    { text: 'Please tell me when my refund is paid', customer: 'Marketplace', source: 'survey' },
  ]);
  return bench;
}

/** One such bench for the tests of a file. */
export function useRefundBench() {
  // Opened before the first test.
  const shop = { bench: undefined as unknown as SearchBench };
  beforeAll(async () => {
    shop.bench = await openRefundBench();
  });
  afterAll(() => shop.bench.close());
  return {
    shop,
    ask: (agent: string, message: string, options: Parameters<typeof askAgent>[3] = {}) =>
      askAgent(shop.bench, agent, message, options),
  };
}

/** Fields of an agent's answer that tests check. */
export interface AgentAnswer {
  engine: string;
  answer: string;
  sources: { n: number; id: string; path?: string; lines?: string; text: string }[];
  confidence: string;
  gaps: string[];
  next: string[];
}

/** Asks an agent as a client does, with a model or without one. */
async function askAgent(
  bench: SearchBench,
  agent: string,
  message: string,
  { model, modelUsage, ...more }: Record<string, unknown> & { model?: ModelProvider; modelUsage?: ModelUsage } = {},
) {
  const tools = allOperations(bench, model, modelUsage);
  const tool = tools.find(({ name }) => name === agent);
  if (tool === undefined) throw new Error(`There is no ${agent}.`);
  const { text, json } = await bench.call(tool, { message, question: message, ...more });
  return { text, json: json as unknown as AgentAnswer };
}
