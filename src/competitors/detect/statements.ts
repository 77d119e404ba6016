import { type Block, subtractItems, pageWords } from '../page/page-text.ts';
import { amountsOf } from './amounts.ts';
import { type Difference, likeness, wordDifference } from './compare.ts';
import { type Fact, readFacts } from './page-facts.ts';
import { comparePhrases } from './phrase-pair.ts';
import { matchPlans, nameKey, type Plan, plansOf, withoutNumbers } from './plans.ts';
import { describePair, type Statement, STATEMENT_KINDS, statementOf } from './statement.ts';

/** Two texts of one subject that have so much in common, numbers aside, are one that was changed. */
const SAME_TEXT = 0.5;
/** Of another subject they need more. */
const SAME_ELSEWHERE = 0.6;
const SAME_SENTENCE = 0.4;
/** Another number counts like as many words. */
const NUMBER_WEIGHT = 20;
/** A value with a year is a date and no limit. */
const YEAR = /\b(?:19|20)\d\d\b/;
const MOST_STATEMENTS = 40;
/** Longer pages are compared by their blocks alone. */
const MOST_FACTS = 600;

interface Sides {
  removed: Fact[];
  added: Fact[];
}

/**
 * States a change in the words of the page: the plan, limit or clause, before and after. The weightiest statement comes first.
 */
export function stateChange(before: readonly Block[], after: readonly Block[], difference: Difference): Statement[] {
  const [old, next] = [readFacts(before), readFacts(after)];
  const plans = { before: plansOf(old), after: plansOf(next) };
  const matches = matchPlans(plans.before, plans.after);
  const renamed = new Map([...matches].map(([plan, former]) => [nameKey(plan.name), nameKey(former.name)]));
  const subjectOf = ({ subject }: Fact): string => renamed.get(nameKey(subject)) ?? nameKey(subject);
  const sides = differingFacts({ old, next }, difference, subjectOf);
  if (sides.removed.length + sides.added.length > MOST_FACTS) return [];
  const ofPlans = statePlans(plans, matches, { old, next });
  const rest = withoutSubjects(sides, ofPlans);
  const sections = stateSections(rest, [...plans.before, ...plans.after]);
  const lines = stateFacts(withoutSections(rest, sections), subjectOf);
  return groupStatements([...ofPlans, ...sections, ...lines])
    .map((statement) => ({ statement, rank: STATEMENT_KINDS.indexOf(statement.kind), weight: weightOf(statement) }))
    .toSorted((a, b) => a.rank - b.rank || b.weight - a.weight)
    .slice(0, MOST_STATEMENTS)
    .map(({ statement }) => statement);
}

/**
 * Returns the weight of a statement: clauses and wordings with other numbers weigh most, then those with more different words.
 * Others stay in the order of the page.
 */
function weightOf({ kind, before, after }: Statement): number {
  if (kind !== 'clause' && kind !== 'wording') return 0;
  const { added, removed } = wordDifference([after ?? ''], [before ?? '']);
  const words = [...added, ...removed];
  return words.length + (words.some((word) => /^\p{Sc}?\d/u.test(word)) ? NUMBER_WEIGHT : 0);
}

/** Facts of one side that the other one does not have, of the blocks that differ. */
function differingFacts(
  { old, next }: { old: readonly Fact[]; next: readonly Fact[] },
  difference: Difference,
  subjectOf: (fact: Fact) => string,
): Sides {
  const keyOf = (fact: Fact): string => `${subjectOf(fact)}\n${nameKey(fact.label)}\n${textKey(fact.text)}`;
  const [gone, come] = [difference.removed, difference.added].map((blocks) => new Set(blocks.map(({ text }) => text)));
  return {
    removed: subtractItems(old, next, keyOf).filter(({ block }) => gone?.has(block)),
    added: subtractItems(next, old, keyOf).filter(({ block }) => come?.has(block)),
  };
}

/** A text as it is compared: by its words, by its signs where it has none, such as the tick of a table. */
function textKey(text: string): string {
  const words = nameKey(text);
  return words === '' ? text : words;
}

function priceOf({ prices: [price] }: Plan): string {
  return price === undefined ? '' : [price.text, price.unit].filter((part) => part !== '').join(' ');
}

/** Plans that came, went, or are called something else. */
function statePlans(
  plans: { before: readonly Plan[]; after: readonly Plan[] },
  matches: ReadonlyMap<Plan, Plan>,
  { old, next }: { old: readonly Fact[]; next: readonly Fact[] },
): Statement[] {
  const [subjects, later] = [old, next].map((facts) => new Set(facts.map(({ subject }) => nameKey(subject))));
  const formerPlans = new Set(matches.values());
  const plan = { kind: 'plan', attribute: '' } as const;
  return [
    ...plans.after
      .filter((one) => !matches.has(one) && subjects?.has(nameKey(one.name)) === false)
      .map((one) => statementOf({ ...plan, subject: one.name, before: null, after: priceOf(one) })),
    ...plans.before
      .filter((one) => !formerPlans.has(one) && later?.has(nameKey(one.name)) === false)
      .map((one) => statementOf({ ...plan, subject: one.name, before: priceOf(one), after: null })),
    ...[...matches]
      .filter(([one, other]) => nameKey(one.name) !== nameKey(other.name))
      .map(([one, other]) => statementOf({ ...plan, subject: one.name, before: other.name, after: one.name })),
  ];
}

/** Returns both sides without the plans that came or went as a whole, and without their new names. */
function withoutSubjects({ removed, added }: Sides, plans: readonly Statement[]): Sides {
  const names = (isWhole: (statement: Statement) => boolean): Set<string> =>
    new Set(plans.filter(isWhole).map(({ subject }) => nameKey(subject)));
  const [come, gone] = [names(({ before }) => before === null), names(({ after }) => after === null)];
  const renamed = new Set(plans.flatMap(({ before, after }) => [before, after].map((name) => nameKey(name ?? ''))));
  const isLeft = (whole: ReadonlySet<string>, { subject, role, block }: Fact): boolean => {
    const isName = role === 'heading' && (renamed.has(nameKey(block)) || whole.has(nameKey(block)));
    return !isName && !whole.has(nameKey(subject));
  };
  return {
    removed: removed.filter((fact) => isLeft(gone, fact)),
    added: added.filter((fact) => isLeft(come, fact)),
  };
}

/** Sections that came or went: headings that none of the other side is another wording of. */
function stateSections({ removed, added }: Sides, plans: readonly Plan[]): Statement[] {
  const planNames = new Set(plans.map(({ name }) => nameKey(name)));
  const lone = (facts: readonly Fact[], others: readonly Fact[]): string[] =>
    facts
      .filter(({ role, text }) => role === 'heading' && !planNames.has(nameKey(text)))
      .filter(
        ({ text }) => !others.some((other) => other.role === 'heading' && likeness(text, other.text) >= SAME_TEXT),
      )
      .map(({ text }) => text);
  const section = { kind: 'section', attribute: '' } as const;
  return [
    ...lone(added, removed).map((text) => statementOf({ ...section, subject: text, before: null, after: text })),
    ...lone(removed, added).map((text) => statementOf({ ...section, subject: text, before: text, after: null })),
  ];
}

function withoutSections({ removed, added }: Sides, sections: readonly Statement[]): Sides {
  const texts = (side: 'before' | 'after'): Set<string | null> => new Set(sections.map((statement) => statement[side]));
  const [gone, come] = [texts('before'), texts('after')];
  return {
    removed: removed.filter((fact) => !isOfSection(gone, fact)),
    added: added.filter((fact) => !isOfSection(come, fact)),
  };
}

function isOfSection(names: ReadonlySet<string | null>, { role, text, section }: Fact): boolean {
  return role === 'heading' ? names.has(text) : role !== 'price' && names.has(section);
}

/** States the changed, added and removed single lines, prices and clauses. */
function stateFacts({ removed, added }: Sides, subjectOf: (fact: Fact) => string): Statement[] {
  const pairs = pairFacts({ removed, added }, subjectOf);
  const [gone, come] = [new Set(pairs.map(([old]) => old)), new Set(pairs.map(([, next]) => next))];
  return [
    ...pairs.flatMap(([old, next]) => statePair(old, next)),
    ...added.filter((fact) => !come.has(fact)).map((fact) => stateSingle(fact, 'after')),
    ...removed.filter((fact) => !gone.has(fact)).map((fact) => stateSingle(fact, 'before')),
  ];
}

function pairFacts({ removed, added }: Sides, subjectOf: (fact: Fact) => string): [Fact, Fact][] {
  const candidates = removed.flatMap((old) =>
    added.flatMap((next) => {
      const score = likenessOfFacts(old, next, subjectOf(old) === subjectOf(next));
      return score === 0 ? [] : [{ old, next, score }];
    }),
  );
  const [taken, pairs] = [new Set<Fact>(), [] as [Fact, Fact][]];
  for (const { old, next } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (taken.has(old) || taken.has(next)) continue;
    pairs.push([old, next]);
    taken.add(old).add(next);
  }
  return [...pairs, ...pairLoneProse({ removed, added }, taken, subjectOf)];
}

/** The paragraph of a section that went and the one that came in its stead, where each is the only one. */
function pairLoneProse(
  { removed, added }: Sides,
  taken: ReadonlySet<Fact>,
  subjectOf: (fact: Fact) => string,
): [Fact, Fact][] {
  const isLoose = (fact: Fact): boolean => fact.role === 'prose' && !taken.has(fact);
  const come = Map.groupBy(added.filter(isLoose), subjectOf);
  return [...Map.groupBy(removed.filter(isLoose), subjectOf)].flatMap(([subject, [old, ...others]]) => {
    const [next, ...more] = come.get(subject) ?? [];
    const isOnly = others.length + more.length === 0;
    return old !== undefined && next !== undefined && isOnly ? [[old, next] satisfies [Fact, Fact]] : [];
  });
}

/** Returns the similarity of two wordings: above 0 for two of one fact, more for more similar ones. */
function likenessOfFacts(old: Fact, next: Fact, isSameSubject: boolean): number {
  const isHeading = old.role === 'heading';
  if (isHeading !== (next.role === 'heading')) return 0;
  const common = likeness(withoutNumbers(old.text), withoutNumbers(next.text));
  if (!isSameSubject || isHeading) return common >= SAME_ELSEWHERE && old.role === next.role ? common : 0;
  if (old.role === 'price' && next.role === 'price')
    return 1 + common + Number(nameKey(old.label) === nameKey(next.label));
  if (old.label !== '' && nameKey(old.label) === nameKey(next.label)) return 1 + common;
  return common >= SAME_TEXT ? common : 0;
}

function statePair(old: Fact, next: Fact): Statement[] {
  const base = { subject: subjectText(next), attribute: next.label };
  if (textKey(old.text) === textKey(next.text)) return [];
  if (old.role === 'prose' || next.role === 'prose') return stateSentences(old, next);
  const [from, to] = [old.text, next.text].map((text) =>
    amountsOf(text).map(({ value, currency }) => `${value} ${currency}`),
  );
  const isPrice = old.role === 'price' || next.role === 'price';
  if (isPrice && from?.join() !== to?.join()) return [describePair({ ...base, kind: 'price' }, old.text, next.text)];
  const { before, after } = comparePhrases(old.text, next.text);
  const isDate = [old.text, next.text].some((text) => YEAR.test(text));
  const isLimit = !isDate && next.role !== 'heading' && [before, after].some((part) => /\d/.test(part));
  return [describePair({ ...base, kind: isLimit ? 'limit' : 'wording' }, old.text, next.text)];
}

/** Sentences of two wordings of a paragraph that differ, each beside the one that it takes the place of. */
function stateSentences(old: Fact, next: Fact): Statement[] {
  const base = { kind: 'clause', subject: subjectText(next), attribute: '' } as const;
  const [before, after] = [old.text, next.text].map(sentencesOf) as [string[], string[]];
  const [gone, come] = [subtractItems(before, after, nameKey), subtractItems(after, before, nameKey)];
  const rest = new Set(gone);
  const paired = come.map((sentence) => {
    const isOnly = gone.length === 1 && come.length === 1;
    const best = [...rest].toSorted((a, b) => likeness(b, sentence) - likeness(a, sentence))[0];
    if (best === undefined || (!isOnly && likeness(best, sentence) < SAME_SENTENCE))
      return statementOf({ ...base, before: null, after: sentence });
    rest.delete(best);
    return describePair(base, best, sentence);
  });
  return [...paired, ...[...rest].map((sentence) => statementOf({ ...base, before: sentence, after: null }))];
}

function sentencesOf(text: string): string[] {
  const segments = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text);
  return Array.from(segments, ({ segment }) => segment.trim()).filter((sentence) => pageWords(sentence).length > 0);
}

function stateSingle(fact: Fact, side: 'before' | 'after'): Statement {
  const kinds = { price: 'price', line: 'item', prose: 'clause', heading: 'section' } as const;
  const base = { kind: kinds[fact.role], subject: subjectText(fact), attribute: fact.label };
  const other = side === 'before' ? 'after' : 'before';
  return statementOf({ ...base, [side]: fact.text, [other]: null } as Omit<Statement, 'text'>);
}

function subjectText({ subject, role, text }: Fact): string {
  return role === 'heading' && subject === text ? '' : subject;
}

/** Merges equal statements about several subjects into one. */
function groupStatements(statements: readonly Statement[]): Statement[] {
  const keys = statements.map(priceKey);
  const distinct = statements.filter((_, at) => keys[at] === undefined || keys.indexOf(keys[at]) === at);
  const groups = Map.groupBy(distinct, ({ kind, attribute, before, after }) =>
    JSON.stringify(kind === 'plan' || kind === 'section' ? [kind, before, after] : [kind, attribute, before, after]),
  );
  return [...groups.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length === 1 || first.kind === 'plan') return all;
    const subjects = [...new Set(all.map(({ subject }) => subject).filter((subject) => subject !== ''))];
    const { text: _text, ...base } = { ...first, subject: subjects.join(', ') };
    return [
      first.before === null || first.after === null ? statementOf(base) : describePair(base, first.before, first.after),
    ];
  });
}

/** The same step of a price of one plan, which a page may name in a card and in a table. */
function priceKey({ kind, subject, before, after }: Statement): string | undefined {
  if (kind !== 'price') return undefined;
  const amounts = [before, after].map((text) =>
    amountsOf(text ?? '').map(({ value, currency }) => `${value} ${currency}`),
  );
  return JSON.stringify([nameKey(subject), amounts]);
}
