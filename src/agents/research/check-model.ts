import { termsOf } from '../../kernel/terms.ts';
import { modelText } from '../../answers/model/model.ts';
import { citationRule, readSentence, textsOf } from '../llm/read-answer.ts';
import type { Entry } from '../ledger/ledger.ts';
import { parseQuestion } from '../question/question.ts';
import type { Claim } from './claims.ts';
import type { CitedFinding, Research } from './research.ts';

const MOST_PARTS = 4;
const LONGEST_PART = 300;
/** They begin every question and are the subject of none. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(['how', 'what', 'why', 'where']);

/** What a model says about evidence, by the numbers of the evidence. */
export interface GivenWeighing {
  findings: { claim: string; sources: number[] }[];
  contradictions: { a: number; b: number; why: string }[];
}

/**
 * The parts that a model split a question into, when they are parts of it: each speaks of something that the question does, and
 * together they have all its names. Undefined when they are not.
 */
export function checkParts(parts: readonly string[], question: string): string[] | undefined {
  const asked = new Set(termsOf(question).filter((term) => !QUESTION_WORDS.has(term)));
  const clean = [...new Set(parts.map((part) => modelText(part, [question])))]
    .filter((part) => part !== '')
    .slice(0, MOST_PARTS);
  const isPart = (part: string): boolean =>
    part.length <= LONGEST_PART && termsOf(part).some((term) => asked.has(term));
  const hasNames = parseQuestion(question).names.every((name) => clean.some((part) => part.includes(name)));
  return clean.length > 0 && clean.every(isPart) && hasNames ? clean : undefined;
}

/** A research with what a model made of it, and how much of that fell. */
interface CheckedResearch extends Research {
  fallen: number;
  /** Whether anything that the model said is in it. */
  isModelled: boolean;
}

/**
 * Puts the findings and contradictions of a model in front of those that were found without it. A finding must cite evidence that
 * there is, name nothing that no evidence has, and give no number that its own evidence does not. A contradiction must be one
 * between two voices. Findings whose evidence the model did not use follow. Pure.
 */
export function addModelled(research: Research, given: GivenWeighing, question: string): CheckedResearch {
  const { ledger, claims } = research;
  const rule = citationRule(ledger, question);
  const ownerOf = (entry: Entry): Claim | undefined =>
    claims.find(({ evidence }) =>
      evidence.some(({ id, repo, section }) => id === entry.id && repo === entry.repo && section === entry.section),
    );
  const findings = given.findings.flatMap(({ claim: said, sources: numbers }): CitedFinding[] => {
    const { text, sources } = readSentence(`${said.trim()} [${numbers.join(', ')}]`, rule);
    const [owner, ...others] = sources.flatMap((entry) => ownerOf(entry) ?? []);
    if (owner === undefined || !hasNumbers(sources, text)) return [];
    const claim: Claim = { ...owner, text, said: text, evidence: [...sources] };
    const voices = new Map(others.map((other) => [other.voice, other]));
    voices.delete(owner.voice);
    return [{ claim, supported: [...voices.values()], sentence: { text, sources }, corroboration: voices.size }];
  });
  const opposed = given.contradictions.flatMap(({ a, b, why }): Research['contradictions'] => {
    const [firstEntry, secondEntry] = [ledger.get(a), ledger.get(b)];
    const [first, second] = [firstEntry && ownerOf(firstEntry), secondEntry && ownerOf(secondEntry)];
    if (firstEntry === undefined || secondEntry === undefined || first === undefined || second === undefined) return [];
    if (first.voice === second.voice || !hasNumbers([firstEntry, secondEntry], why)) return [];
    const said = modelText(why, [firstEntry, secondEntry].flatMap(textsOf));
    const found = { a: first, b: second, why: said.replace(/\.$/, '') };
    return [
      { found, a: { text: first.text, sources: [firstEntry] }, b: { text: second.text, sources: [secondEntry] } },
    ];
  });
  const used = new Set(findings.flatMap(({ sentence }) => sentence.sources.map(({ number }) => number)));
  const left = research.findings.filter(({ sentence }) => !sentence.sources.some(({ number }) => used.has(number)));
  const isNew = ({ found }: Research['contradictions'][number]): boolean =>
    !opposed.some(({ found: { a, b } }) => [a, b].includes(found.a) && [a, b].includes(found.b));
  return {
    ...research,
    findings: [...findings, ...left],
    contradictions: [...opposed, ...research.contradictions.filter(isNew)],
    fallen: given.findings.length - findings.length + (given.contradictions.length - opposed.length),
    isModelled: findings.length > 0,
  };
}

/** Whether every number of a sentence stands in the evidence that it cites. */
function hasNumbers(sources: readonly Entry[], text: string): boolean {
  const there = new Set(
    sources.flatMap(({ text: said, title = '', date = '', id }) => numbersIn(`${said} ${title} ${date} ${id}`)),
  );
  return numbersIn(text.replaceAll(/`[^`]*`/g, ' ')).every((number) => there.has(number));
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:\.\d+)?/g) ?? [];
}
