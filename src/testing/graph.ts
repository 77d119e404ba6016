import { insertCompetitor, insertPage, updateChecked } from '../competitors/store/store.ts';
import { insertChange, upsertCapture } from '../competitors/store/store-changes.ts';
import { recordDecision } from '../decisions/decisions.ts';
import { type Graph, openGraph } from '../graph/graph.ts';
import { savePlan } from '../plans/plans.ts';
import { placeSignal } from '../signals/signals.ts';
import { uuidv7 } from '../kernel/ids.ts';
import { NOW } from './plans.ts';
import { openSearchBench, type SearchBench } from './search.ts';

/** A small shop in layers, with a plan, a decision, a theme and an upload that name it. */
export interface GraphBench extends SearchBench {
  graph: Graph;
  /** A competitor with a page of these lines, headings marked; some came with a change. Returns the id of the change. */
  addCompetitor: (name: string, lines: readonly string[], added?: readonly string[]) => Promise<string>;
}

const FILES: Record<string, string> = {
  'package.json': '{ "name": "shop", "main": "src/main.ts" }\n',
  'README.md': '# Shop\n\n## Checkout\n\nPays what is in the cart.\n',
  'src/main.ts': "import { startServer } from './http/server.ts';\nstartServer();\n",
  'src/http/server.ts': `import { checkoutRoute } from './checkout-route.ts';
import { searchRoute } from './search-route.ts';
export function startServer(): void {
  checkoutRoute();
  searchRoute();
}
`,
  'src/http/checkout-route.ts': `import { payCart } from '../checkout/pay-cart.ts';
export function checkoutRoute(): number {
  return payCart([1, 2]);
}
`,
  'src/http/search-route.ts': `import { findOrders } from '../data/orders.ts';
export function searchRoute(): string[] {
  return findOrders('');
}
`,
  'src/checkout/pay-cart.ts': `import { saveOrder } from '../data/orders.ts';
import { rounded } from '../util/money.ts';
/** Pays all that is in a cart. */
export function payCart(cents: number[]): number {
  const sum = rounded(cents.reduce((all, one) => all + one, 0));
  saveOrder(String(sum));
  return sum;
}
export class CartTotals {
  total(cents: number[]): number {
    return rounded(cents.length);
  }
}
`,
  'src/data/orders.ts': `import { rounded } from '../util/money.ts';
const orders: string[] = [];
export function saveOrder(order: string): void {
  orders.push(order + rounded(1));
}
export function findOrders(text: string): string[] {
  return orders.filter((order) => order.includes(text));
}
`,
  // The one import that goes up.
  'src/util/money.ts':
    "import type { CartTotals } from '../checkout/pay-cart.ts';\nexport function rounded(cents: number, _totals?: CartTotals): number {\n  return Math.round(cents);\n}\n",
  'test/pay-cart.test.ts':
    "import { payCart } from '../src/checkout/pay-cart.ts';\nif (payCart([1]) !== 1) throw new Error('wrong');\n",
};

const PLAN = `# Pay by voucher

## Goal

\`payCart\` in \`src/checkout/pay-cart.ts\` takes vouchers.

## Tasks

- [ ] T1 Take vouchers in \`payCart\` (Files: src/checkout/pay-cart.ts)
- [ ] T2 Show vouchers (Files: src/http/checkout-route.ts) (depends on T1)
`;

/** About two seconds. */
export async function openGraphBench(): Promise<GraphBench> {
  const bench = await openSearchBench();
  const { plans, account, parts } = bench;
  await bench.commitAndIndex({ files: FILES });
  await savePlan(plans, account, { text: PLAN, actor: account.actor });
  const decision = {
    title: 'Round once',
    decision: 'Only `rounded` in `src/util/money.ts` rounds.',
    links: ['plan:pay-by-voucher'],
  };
  await recordDecision(plans, account, { wanted: decision, actor: account.actor });
  const [signal = ''] = await bench.addSignals([{ text: 'I cannot pay with my voucher', customer: 'Shop' }]);
  await placeSignal(parts.signals, account, { id: signal, label: 'Vouchers' });
  await bench.addDocument('vouchers.md', '# Voucher rules\n\nOne voucher for each cart.\n');
  const { indexes, documents, signals } = parts;
  return {
    ...bench,
    graph: openGraph({ indexes, plans, documents, signals }),
    addCompetitor: (name, lines, added = []) => addCompetitor(bench, { name, lines, added }),
  };
}

async function addCompetitor(
  { account }: SearchBench,
  { name, lines, added }: { name: string; lines: readonly string[]; added: readonly string[] },
): Promise<string> {
  const { db } = account;
  const [competitorId, pageId, captureId] = [uuidv7(NOW), uuidv7(NOW), uuidv7(NOW)];
  const made = { createdAt: NOW, createdBy: account.actor };
  await insertCompetitor(db, account, { id: competitorId, name, domain: '', ...made });
  const settings = { include: [], remove: [], ignore: [], headers: {}, render: 'none' as const };
  const url = `https://${name}.example/features`;
  const page = { id: pageId, competitorId, url, kind: 'feature' as const, settings, everyMinutes: 60, dueAt: NOW };
  await insertPage(db, account, { ...page, createdAt: NOW });
  const capture = { id: captureId, pageId, hash: 'h', title: name, text: lines.join('\n'), httpStatus: 200 };
  await upsertCapture(db, account, { ...capture, fetchedAt: NOW });
  const checked = { id: pageId, status: 'new' as const, detail: '', failures: 0, checkedAt: NOW, dueAt: NOW };
  await updateChecked(db, account, { ...checked, allowedAt: NOW, hasChanged: false, captureId });
  const changeId = uuidv7(NOW);
  const judged = { kind: 'feature' as const, severity: 'medium' as const, summary: 'news', reasons: [] };
  const texts = { added: [...added], removed: [], statements: [], beforeId: null, afterId: captureId };
  if (added.length > 0)
    await insertChange(db, account, { id: changeId, competitorId, pageId, at: NOW, ...judged, ...texts });
  return changeId;
}

interface Step {
  id: string;
  relation?: string;
  grade?: string;
}

/** A row of `entity-analysis-tool`, whatever its action. */
export interface GraphRow {
  id: string;
  kind: string;
  relation: string;
  direction: string;
  hop: number;
  via?: string;
  grade: string;
  source: string;
  degree: number;
  path: Step[];
}
