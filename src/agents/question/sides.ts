/** Whether one thing depends on another, as a question asks it. */
export interface Sides {
  from: string;
  to: string;
  /** Whether it asks that the one does not depend on the other: `is the core free of the web code?` */
  isApart: boolean;
  /** What a way from the one to the other must not go through; '' when it may go anywhere. */
  avoided: string;
}

const DEPENDS = String.raw`depends?(?: up)?on|depends? (?:up)?on|rel(?:y|ies) on|imports?|uses?|make use of|makes use of|knows? (?:anything|something) (?:about|of)|knows?(?: about| of)?|calls?(?: into)?|reach(?:es)?(?: into| to)?|needs?|refers? to|access(?:es)?`;
const APART = String.raw`independent (?:of|from)|(?:kept |well |cleanly )?(?:isolated|separated?|apart|decoupled) from|free (?:of|from)|(?:be )?(?:used|built|run|compiled|shipped|imported|tested|work|works|loaded) without`;
const MEANWHILE = String.raw`(?:(?:ever|directly|also|still|only|somewhere|somehow|really|actually|kept|not)\s+)*`;

const ASKED = new RegExp(
  String.raw`(?:^\W*(?:why\s+)?|\b(?:or|and)\s+)(?:does|do|is|are|can|could|will|would)(?<negated>n[’']t)?\s+(?!there\b|any\b)(?<from>[^?,]+?)\s+(?<between>${MEANWHILE})(?:(?<apart>${APART})|${DEPENDS})\s+(?<to>[^?,]+?)(?=\s*(?:[?,]|$|\s(?:or does|or is|or do|or only|and by|and if|and how|and over|and where|anywhere|somewhere|at all|directly|in order|to work|that|through)\b))`,
  'gi',
);
/** What stands for the first side of the question before. */
const PRONOUN = /^(?:it|they|that|this|either)$/i;
/** What stands for any of several things. */
const ANY = /^(?:which|what|whom|each other|one another|others?|another|any|them|each)\b/i;

/** What ends the words for a side. */
const END = String.raw`(?=\s*(?:[?,;.]|$)|\s+(?:that|which|avoiding|bypassing|without|in order|so that|or|and|but)\b)`;
/** `Is there a way from the storage to the views?` */
const WAY = new RegExp(
  String.raw`\b(?:ways?|paths?|routes?|chains?|get|go|lead|come)\b[^?]*?\bfrom\s+(?<from>[^?,]+?)\s+(?:in)?to\s+(?<to>[^?,]+?)${END}`,
  'i',
);
/** What a way must not go through. */
const AVOIDED = new RegExp(
  String.raw`\b(?:avoid(?:s|ing)?|bypass(?:es|ing)?|not (?:go(?:es|ing)?|pass(?:es|ing)?|lead(?:s|ing)?) (?:through|via|over)|without (?:going|passing|using|touching)(?: (?:through|via|over|by))?|around)\s+(?<avoided>[^?,;]+?)${END}`,
  'i',
);

/** The pairs of things of which a question asks whether the first depends on the second, in its order. */
export function sidesOf(question: string): Sides[] {
  const { avoided = '' } = AVOIDED.exec(question)?.groups ?? {};
  const asked = avoided === '' ? question : question.replace(AVOIDED, ' ').replaceAll(/\s+(?=\?|\s)/g, '');
  const sides: Sides[] = [];
  for (const { groups = {}, index, 0: match } of asked.matchAll(ASKED)) {
    const rest = asked.slice(index + match.length);
    const { from = '', to = '', apart, negated, between = '' } = groups;
    const first = PRONOUN.test(from.trim()) ? (sides.at(-1)?.from ?? '') : from.trim();
    const isApart = (apart !== undefined) !== (negated !== undefined || /\bnot\b/i.test(between));
    if (first === '' || to.trim() === '' || ANY.test(first) || ANY.test(to.trim())) continue;
    for (const second of [...to.trim().split(EITHER), ...alternativesIn(rest)])
      sides.push({ from: first, to: second, isApart, avoided });
  }
  const { from = '', to = '' } = sides.length > 0 ? {} : (WAY.exec(asked)?.groups ?? {});
  return from === '' || to === '' ? sides : [{ from, to, isApart: false, avoided }];
}

/** `the templates or the writing of pages` are two things. */
const EITHER = /\s+or\s+(?=(?:the|our|an?)\s)/i;

/** `Does the client depend on the server, or on the store?`: what else the first side may depend on. */
const ALTERNATIVE = /^\s*,?\s*or\s+on\s+(?<other>[^?,;]+)/i;

function alternativesIn(rest: string): string[] {
  const { other } = ALTERNATIVE.exec(rest)?.groups ?? {};
  return other === undefined ? [] : [other.trim()];
}

/** What a question asks the dependents of, in its words. */
const OF =
  /\b(?:depend(?:s|ing|ent)? (?:up)?on|rel(?:y|ies) on|buil(?:t|ds?) on(?: top of)?|us(?:es?|ing)|imports?|importing|calls?|calling|needs?)\s+(?<of>[^?,;]+)/i;

/** The same where it asks what a change would do: `if the parser changed`, `when I remove the parser`. */
const CHANGED =
  /\b(?:if|when|by)\s+(?:(?:i|we|you|one)\s+(?:changed?|removed?|deleted?|renamed?|break|broke|touch(?:ed)?|drop(?:ped)?)\s+|(?:changing|removing)\s+|(?:a )?changes? (?:in|to|of)\s+)?(?<of>[^?,;]+?)(?:\s+(?:changed|changes|breaks|broke|(?:is|was|were) \w+))?\s*(?:[?,;]|$)/i;

/** The words of what a question asks the dependents of; undefined when it does not say so. */
export function dependedOn(question: string): string | undefined {
  const of = (OF.exec(question) ?? CHANGED.exec(question))?.groups?.['of']?.trim();
  return of === undefined || ANY.test(of) ? undefined : of;
}
