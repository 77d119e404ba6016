import { identifierParts, stem } from '../../kernel/terms.ts';
import type { AskedQuestion } from '../question/question.ts';
import { coverage, type TermWeights } from '../question/term-weights.ts';
import { rootOf } from '../question/word-forms.ts';
import { isType, lastPart } from './around.ts';
import type { CodePlace } from './code.ts';
import { isAccessor, isConstructor } from './prefer.ts';

/** Questions about what is done, not about what something is. */
const ASKS_FOR_WORK: ReadonlySet<AskedQuestion['intent']> = new Set(['explain', 'why', 'locate']);
/** Places among which the member is looked for. */
const NEAR_FIRST = 12;
/** A member with less of what is asked of its type is about something else. */
const LEAST_COVERAGE = 0.3;

/**
 * Places with the member of a type in front that does what is asked of the type: `How does a Form collect its values?` is answered by
 * `Form.collectValues`. As they are where the question names no type, or asks nothing further of it.
 */
export function leadWithMember(
  places: readonly CodePlace[],
  { weights, question: { intent } }: { weights: TermWeights; question: Pick<AskedQuestion, 'intent'> },
): CodePlace[] {
  const [first] = places;
  if (first === undefined || !first.isNamed || !isType(first) || !ASKS_FOR_WORK.has(intent)) return [...places];
  const name = lastPart(first.symbol);
  const own = new Set([name.toLowerCase(), ...identifierParts(name)].map((part) => rootOf(stem(part))));
  const asked = new Map([...weights].filter(([term]) => !own.has(term)));
  const member = places
    .slice(0, NEAR_FIRST)
    .find(
      (place) =>
        isWorkOf(first, place) && coverage(asked, [`${place.symbol} ${place.doc} ${place.body}`]) >= LEAST_COVERAGE,
    );
  if (member === undefined) return [...places];
  return [{ ...member, isNamed: true }, ...places.filter((place) => place !== member)];
}

function isWorkOf(type: CodePlace, { path, symbol, kind }: CodePlace): boolean {
  return (
    path === type.path &&
    symbol.startsWith(`${type.symbol}/`) &&
    /^(?:function|method)$/.test(kind) &&
    !isConstructor(symbol) &&
    !isAccessor(symbol)
  );
}
