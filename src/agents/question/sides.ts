/** Whether one thing depends on another, as a question asks it. */
export interface Sides {
  from: string;
  to: string;
  /** Whether it asks that the one does not depend on the other: `is the core free of the web code?` */
  isApart: boolean;
}

const DEPENDS = String.raw`depends?(?: up)?on|depends? (?:up)?on|rel(?:y|ies) on|imports?|uses?|make use of|makes use of|knows?(?: about| of)?|calls?(?: into)?|reach(?:es)?(?: into| to)?|needs?|refers? to|access(?:es)?`;
const APART = String.raw`independent (?:of|from)|(?:kept |well |cleanly )?(?:isolated|separated?|apart|decoupled) from|free (?:of|from)|(?:be )?(?:used|built|run|compiled|shipped|imported|tested|work|works|loaded) without`;
const MEANWHILE = String.raw`(?:(?:ever|directly|also|still|only|somewhere|somehow|really|actually|kept|not)\s+)*`;

const ASKED = new RegExp(
  String.raw`(?:^\W*(?:why\s+)?|\b(?:or|and)\s+)(?:does|do|is|are|can|could|will|would)(?<negated>n[’']t)?\s+(?!there\b|any\b)(?<from>[^?,]+?)\s+(?<between>${MEANWHILE})(?:(?<apart>${APART})|${DEPENDS})\s+(?<to>[^?,]+?)(?=\s*(?:[?,]|$|\s(?:or does|or is|and by|and if|and how|and over|and where|anywhere|somewhere|at all|directly)\b))`,
  'gi',
);
/** What stands for the first side of the question before. */
const PRONOUN = /^(?:it|they|that|this|either)$/i;

/** The pairs of things of which a question asks whether the first depends on the second, in its order. */
export function sidesOf(question: string): Sides[] {
  const sides: Sides[] = [];
  for (const { groups = {} } of question.matchAll(ASKED)) {
    const { from = '', to = '', apart, negated, between = '' } = groups;
    const first = PRONOUN.test(from.trim()) ? (sides.at(-1)?.from ?? '') : from.trim();
    const isNot = negated !== undefined || /\bnot\b/i.test(between);
    if (first !== '' && to.trim() !== '')
      sides.push({ from: first, to: to.trim(), isApart: (apart !== undefined) !== isNot });
  }
  return sides;
}

/** What a question asks the dependents of, in its words. */
const OF =
  /\b(?:depend(?:s|ing|ent)? (?:up)?on|rel(?:y|ies) on|us(?:es?|ing)|imports?|importing|calls?|calling|needs?)\s+(?<of>[^?,;]+)/i;

/** The same where it asks what a change would do: `if the parser changed`, `when I remove the parser`. */
const CHANGED =
  /\b(?:if|when|by)\s+(?:(?:i|we|you|one)\s+(?:change|remove|delete|rename|break|touch|drop)\s+|(?:changing|removing)\s+|(?:a )?changes? (?:in|to|of)\s+)?(?<of>[^?,;]+?)(?:\s+(?:changed|changes|breaks|broke|(?:is|was|were) \w+))?\s*(?:[?,;]|$)/i;

/** The words of what a question asks the dependents of; undefined when it does not say so. */
export function dependedOn(question: string): string | undefined {
  return (OF.exec(question) ?? CHANGED.exec(question))?.groups?.['of']?.trim();
}
