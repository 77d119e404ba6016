import { roundTo } from '../../kernel/shown-values.ts';
import type { SuspectFile, SuspectFunction } from '../../code/code.ts';
import type { ReportHistory } from '../../commits/commits.ts';
import type { Indexes } from '../../indexes/indexes.ts';
import { type LocaliseRequest, localiseReport } from '../../localise/localise.ts';
import type { CallContext } from '../../platform/operation/operation.ts';
import type { SimilarFix, Suspect } from './analysis.ts';
import { fileEvidence, functionEvidence } from './evidence.ts';
import { similarFixes } from './similar-fixes.ts';

export interface Located {
  /** Functions, then files, each likeliest first. */
  suspects: Suspect[];
  similarFixes: SimilarFix[];
  ownFrames: number;
  knownNames: number;
  commits: number;
}

/** The functions and files that a report points at: two queries in reader threads. */
export async function locate(
  indexes: Pick<Indexes, 'readers' | 'rebuild'>,
  context: Pick<CallContext, 'caller' | 'signal'>,
  request: LocaliseRequest,
): Promise<Located> {
  const localised = await localiseReport(indexes, context, request);
  const { past, ownFrames, knownNames, commits } = localised;
  return {
    suspects: [
      ...localised.functions.map((suspect) => toFunctionSuspect(suspect, past)),
      ...localised.files.map((file) => toFileSuspect(file, past)),
    ],
    similarFixes: similarFixes(past.commits),
    ownFrames,
    knownNames,
    commits,
  };
}

function toFunctionSuspect(suspect: SuspectFunction, { commits }: ReportHistory): Suspect {
  const { file, symbol, line, end, score } = suspect;
  return {
    path: file.path,
    symbol,
    lines: [line, end],
    score: roundTo(3, score),
    likelihood: roundTo(3, file.likelihood),
    evidence: functionEvidence(suspect, commits),
  };
}

function toFileSuspect(file: SuspectFile, { commits }: ReportHistory): Suspect {
  const line = file.frames.find((frame) => frame.line !== undefined)?.line ?? file.literals[0]?.line ?? 1;
  return {
    path: file.path,
    symbol: '',
    lines: [line, line],
    score: roundTo(3, file.score),
    likelihood: roundTo(3, file.likelihood),
    evidence: fileEvidence(file, commits),
  };
}
