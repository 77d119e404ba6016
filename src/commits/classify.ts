import type { CommitText } from './classify-features.ts';
import { type CommitType, parseHeader } from './classify-header.ts';
import { pathKind } from './classify-paths.ts';

/** What a commit is about, who says so, and how sure that is. */
export interface CommitClass {
  type: CommitType | 'unclassified';
  /** From `!`, a footer or the subject. Exports that were removed without a word are not seen here. */
  breaking: boolean;
  scope?: string;
  /** 0 to 1. 1 where the author says it. */
  confidence: number;
  /** `author`: the message follows a convention. `rule`: the paths decide. `model`: learnt from other projects. */
  labelSource: 'author' | 'rule' | 'model';
  /** Of an unclassified commit: the two likeliest types, best first. */
  best?: [string, string];
}

/**
 * Tells what a commit is about: by what its author says, else by what all of its files are, else by its words.
 *
 * Pure and deterministic.
 */
export function classifyCommit(commit: CommitText): CommitClass {
  const { type, scope, breaking, description } = parseHeader(commit.subject, commit.body);
  const told = { breaking, ...(scope !== undefined && { scope }) };
  if (type !== undefined) return { type, ...told, confidence: 1, labelSource: 'author' };
  const ruled = typeByPaths(commit);
  if (ruled !== undefined) return { type: ruled, ...told, confidence: 0.9, labelSource: 'rule' };
  return { ...typeByWords(description), ...told };
}

/** The type, where all files are of a kind that leaves no other. */
function typeByPaths({ files }: CommitText): CommitType | undefined {
  const kinds = new Set(files.map((file) => pathKind(file.path)));
  const [kind] = kinds;
  if (kinds.size !== 1) return undefined;
  return kind === 'ci' || kind === 'docs' || kind === 'test' ? kind : undefined;
}

const WORDS: readonly (readonly [CommitType, RegExp])[] = [
  ['fix', /\b(fix(es|ed)?|bug|crash|prevent|avoid|correct|wrong|regression|leak|missing|broken)\b/i],
  ['perf', /\b(perf|performance|faster|speed|optimi[sz]e|cache)\b/i],
  ['docs', /\b(docs?|readme|documentation|typo|comments?)\b/i],
  ['test', /\b(tests?|coverage|specs?)\b/i],
  ['refactor', /\b(refactor|rename|move|extract|simplify|clean ?up|remove|rewrite|replace)\b/i],
  ['style', /\b(lint|format|prettier|whitespace|indent)\b/i],
  ['build', /\b(deps|dependenc(y|ies)|bump|upgrade|bundle)\b/i],
  ['feat', /\b(add(s|ed)?|support|implement|introduce|allow|expose|enable|new)\b/i],
];

function typeByWords(description: string): Pick<CommitClass, 'type' | 'confidence' | 'labelSource' | 'best'> {
  const found = WORDS.filter(([, pattern]) => pattern.test(description)).map(([type]) => type);
  const [first] = found;
  if (first === undefined)
    return { type: 'unclassified', confidence: 0.3, labelSource: 'model', best: ['fix', 'feat'] };
  return { type: first, confidence: found.length === 1 ? 0.7 : 0.6, labelSource: 'model' };
}
