import { expect, test } from 'vitest';
import { readPage } from '../page/read-page.ts';
import { compareBlocks } from './compare.ts';
import { stateChange } from './statements.ts';

/** Returns the statements for a page that changed from one state to another; `changes` are texts and their replacements. */
function state(html: string, ...changes: [from: string, to: string][]): string[] {
  const [before, after] = [html, changes.reduce((text, [from, to]) => text.replace(from, to), html)].map(
    (source) => readPage(`<main>${source}</main>`, { include: [], remove: [], ignore: [] }).blocks,
  ) as [ReturnType<typeof readPage>['blocks'], ReturnType<typeof readPage>['blocks']];
  return stateChange(before, after, compareBlocks(before, after)).map(({ text }) => text);
}

/** Plans as cards without headings, the price of each in boxes of its own. */
const CARDS = `<h1>Pricing</h1><div>${['Free 0', 'Pro 9', 'Ultimate 20']
  .map((plan) => {
    const [name = '', price = ''] = plan.split(' ');
    return `<div><div>${name}</div><div><div>$</div><div>${price}</div><div>a month</div></div>
      <ul><li>1,000 bookmarks in ${name}</li><li>Import and export</li></ul><a href="#">Start</a></div>`;
  })
  .join('')}</div><h2>Refunds</h2><p>Cancel at any time. We refund unused months within 30 days of the invoice.</p>`;

test('a price and a limit of a card are stated with their plan, before and after', () => {
  expect(
    state(CARDS, ['<div>20</div>', '<div>25</div>'], ['1,000 bookmarks in Free', '300 bookmarks in Free']),
  ).toEqual(['Ultimate: $ 20 to $ 25 a month', 'Free: 1,000 to 300 bookmarks in Free']);
});

/** Cards of plans. */
function cardsOf(...plans: string[]): string {
  return `<div>${plans.map((plan) => `<div>${plan}</div>`).join('')}</div>`;
}

test('a badge or number above the name of a card is not its name', () => {
  const free = '<p class="a">Free</p><p class="b">$0</p><p class="c">One board</p>';
  const badge = '<p class="d">Most popular</p><p class="a">Pro</p><p class="b">$9</p><p class="c">Ten boards</p>';
  const labels = ['Stage 1', 'Stage 2'].map(
    (label, at) =>
      `<p class="card-label">${label}</p><p class="card-name">${['Audit', 'Build'][at]}</p><p>From $${at + 1},000</p>`,
  );

  expect(state(cardsOf(free, badge), ['$9', '$12'])).toEqual(['Pro: $9 to $12']);
  expect(state(cardsOf(...labels), ['$2,000', '$3,000'])).toEqual(['Build, From: $2,000 to $3,000']);
});

test('a clause is stated with its section, by the words that differ', () => {
  expect(state(CARDS, ['within 30 days', 'within 14 days'])).toEqual([
    'Refunds: "…unused months within 30 days of the…" to "…unused months within 14 days of the…"',
  ]);
  expect(
    state(CARDS, ['We refund unused months within 30 days of the invoice.', 'Unused months are not refunded.']),
  ).toEqual(['Refunds: "We refund unused months within 30 days of the invoice." to "Unused months are not refunded."']);
});

test('a plan that comes, goes or is called something else is one statement', () => {
  expect(state(CARDS, ['<div>Pro</div>', '<div>Business</div>'])).toEqual(['Pro is now called Business']);
  const team = '<div><div>Team</div><div>$40</div><ul><li>Everything in Ultimate</li></ul></div>';
  expect(state(CARDS, ['<div><div>Free</div>', `${team}<div><div>Free</div>`])).toEqual(['Team: plan added, $40']);
  expect(state(CARDS.replace('<div><div>Free</div>', `${team}<div><div>Free</div>`), [team, ''])).toEqual([
    'Team: plan removed, $40',
  ]);
});

const TABLE = `<h1>Preise</h1><table><tr><th></th><th>Basis</th><th>Profi</th></tr>
  <tr><td>Preis im Monat</td><td>0 €</td><td>9,90 €</td></tr><tr><td>Lesezeichen</td><td>1.000</td><td>unbegrenzt</td></tr>
  <tr><td>Anmeldung über SSO</td><td>–</td><td>–</td></tr></table>`;

test('cells of a table are stated by their plan, whichever side the plans are on', () => {
  expect(
    state(TABLE, ['9,90 €', '12,90 €'], ['1.000', '300'], ['<td>–</td></tr></table>', '<td>✓</td></tr></table>']),
  ).toEqual([
    'Profi, Preis im Monat: 9,90 to 12,90 €',
    'Basis, Lesezeichen: 1.000 to 300',
    'Profi, Anmeldung über SSO: – to ✓',
  ]);
  const rows = `<table><tr><th>Plan</th><th>Price</th><th>RAM</th></tr><tr><td>Hobby</td><td>$5 / month</td><td>8 GB</td></tr>
    <tr><td>Pro</td><td>$20 / month</td><td>32 GB</td></tr></table>`;
  expect(state(rows, ['$20 / month', '$25 / month'], ['8 GB', '6 GB'])).toEqual([
    'Pro, Price: $20 to $25 / month',
    'Hobby, RAM: 8 to 6 GB',
  ]);
});

test('items of a list that name plans are stated by them, also where a table has the same price', () => {
  const list = `<h1>Plans</h1><ul><li><b>Free</b>: 1,000 bookmarks, $0</li><li><b>Plus</b> – $8 a month</li></ul>
    <table><tr><th>Plan</th><th>Monthly</th></tr><tr><td>Free</td><td>$0</td></tr><tr><td>Plus</td><td>$8</td></tr></table>`;
  expect(state(list, ['$8', '$9'], ['<td>$8', '<td>$9'], ['1,000', '300'])).toEqual([
    'Plus: $8 to $9 a month',
    'Free: 1,000 to 300 bookmarks, $0',
  ]);
});

test('the same change of several plans is stated once, and terms of definitions name what they define', () => {
  const plans = ['Team', 'Business']
    .map((name, at) => `<h2>${name}</h2><p>$${at + 2}0 a month</p><ul><li>5 seats in all plans</li></ul>`)
    .join('');
  expect(state(plans, ['5 seats', '8 seats'], ['5 seats', '8 seats'])).toEqual([
    'Team, Business: 5 to 8 seats in all plans',
  ]);
  expect(state('<dl><dt>Free</dt><dd>10 exports</dd><dt>Pro</dt><dd>99 exports</dd></dl>', ['10', '5'])).toEqual([
    'Free: 10 to 5 exports',
  ]);
});

test('the period of a price that each card has is a property and no plan; dates are no limits', () => {
  const cards = ['Pro 10 100', 'Team 20 200']
    .map((card) => {
      const [name, month, year] = card.split(' ');
      return `<section><h3>${name}</h3><div><h4>Monthly</h4><p>€${month}</p></div><div><h4>Yearly</h4><p>€${year}</p></div></section>`;
    })
    .join('');
  expect(state(cards, ['€200', '€220'])).toEqual(['Team, Yearly: €200 to €220']);
  expect(state('<h1>Terms</h1><p>Last updated: July 9, 2026</p>', ['July 9', 'July 10'])).toEqual([
    'Terms, Last updated: "July 9, 2026" to "July 10, 2026"',
  ]);
});
