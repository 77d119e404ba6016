import { roundTo } from '../../kernel/shown-values.ts';
import { z } from '@hono/zod-openapi';
import { counted } from '../../kernel/counted.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import {
  type LinkOrigin,
  selectAskingCustomers,
  selectAskingThemes,
  selectThemeNamed,
  stateLink,
} from './store-links.ts';

export { deleteLinks } from './store-links.ts';

/** Customers of an answer; all are counted. */
const MOST_CUSTOMERS = 50;
/** Customers that a line of text names. */
const MOST_NAMED = 5;

/** Customers who asked for something, and the themes through which they did. */
interface Askers {
  themes: { id: string; label: string; signals: number; customers: number; origin: LinkOrigin; score: number }[];
  /** Of highest value first, at most 50. */
  customers: { customer: string; segment: string; value: number | null; signals: number; newest: Date }[];
  /** All of them. */
  total: number;
}

export const AskersBody = z.object({
  themes: z.array(
    z.object({
      id: z.string(),
      label: z.string(),
      signals: z.int(),
      customers: z.int(),
      origin: z.enum(['stated', 'computed']).describe('By a person, or from the words of the signals'),
      score: z.number().describe('1 where stated'),
    }),
  ),
  customers: z
    .array(
      z.object({
        customer: z.string(),
        segment: z.string(),
        value: z.number().nullable(),
        signals: z.int(),
        newest: z.string(),
      }),
    )
    .describe('Of highest value first, at most 50'),
  total_customers: z.int(),
});

/**
 * Finds the customers who asked for what some handles stand for: their themes are linked to one of them. Two queries.
 *
 * @param targets handles of plans, decisions, changes, or functions of code (`sym:Class/method@path`).
 */
export async function findAskers(db: Db, tenant: Tenant, targets: readonly string[]): Promise<Askers> {
  const themes = targets.length === 0 ? [] : await selectAskingThemes(db, tenant, targets);
  if (themes.length === 0) return { themes, customers: [], total: 0 };
  const ids = themes.map(({ id }) => id);
  const customers = await selectAskingCustomers(db, tenant, ids);
  return { themes, customers: customers.slice(0, MOST_CUSTOMERS), total: customers.length };
}

export function askersBody({ themes, customers, total }: Askers): z.output<typeof AskersBody> {
  return {
    themes: themes.map((theme) => ({ ...theme, score: roundTo(2, theme.score) })),
    customers: customers.map((customer) => ({ ...customer, newest: customer.newest.toISOString() })),
    total_customers: total,
  };
}

/** The themes of askers beside plans and decisions, each with its customers in place of a status; of one theme they are named. */
export function themesOfAskers(askers: Askers): { id: string; title: string; status: string }[] {
  return askers.themes.map(({ label, customers }) => {
    const names = askers.themes.length === 1 ? nameCustomers(askers) : '';
    return { id: `theme:${label}`, title: label, status: `${counted(customers, 'customer')}${names}` };
  });
}

/** The askers in one line: `3 customers by Vouchers: Acme, Shop, Zoo`; empty where nobody asked. */
export function describeAskers(askers: Askers): string {
  const { themes, total } = askers;
  if (themes.length === 0) return '';
  const labels = themes.map(({ label, origin }) => (origin === 'stated' ? label : `${label} (?)`)).join(', ');
  return `${counted(total, 'customer')} by ${labels}${nameCustomers(askers)}`;
}

/** `: Acme, Shop, 4 more`; empty where the signals name none. */
function nameCustomers({ customers, total }: Askers): string {
  const names = customers.slice(0, MOST_NAMED).map(({ customer }) => customer);
  const more = total > names.length ? [`${total - names.length} more`] : [];
  return names.length === 0 ? '' : `: ${[...names, ...more].join(', ')}`;
}

/**
 * Links a theme to what answers it, for good. Gives the id of the theme.
 *
 * @param theme id or label.
 * @throws ServiceError `unknown_id` when the product has no such theme.
 */
export async function linkTheme(
  db: Db,
  tenant: Tenant,
  { theme, target, title, now }: { theme: string; target: string; title: string; now: Date },
): Promise<string> {
  const themeId = await themeNamedBy(db, tenant, theme);
  const kind = target.startsWith('dec:') ? 'decision' : 'plan';
  await stateLink(db, tenant, { themeId, kind, target, title, now });
  return themeId;
}

/** Returns the id of the theme with this id or label. @throws ServiceError `unknown_id`. */
export async function themeNamedBy(db: Db, tenant: Tenant, reference: string): Promise<string> {
  const themeId = await selectThemeNamed(db, tenant, reference.replace(/^theme:/, ''));
  if (themeId !== undefined) return themeId;
  throw new ServiceError('unknown_id', `There is no theme "${reference.slice(0, 80)}".`, {
    fix: 'Use the id or the label of a theme, as GET /v1/themes lists them.',
  });
}
