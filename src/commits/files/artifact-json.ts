import { dayOfSeconds } from '../../kernel/time.ts';
import { roundTo } from '../../kernel/shown-values.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { indexJson } from '../../kernel/freshness.ts';
import type { FileOwnership, FileRationale } from './file-facts.ts';

/** Pieces of the file that are listed for one author. */
const MOST_RANGES = 200;

/** `ownership` as REST and the command-line tool show it: see `docs/history.md`. */
export function ownershipJson(ownership: FileOwnership): Record<string, unknown> {
  const { owners, busFactor, likelyNext, reviewers, codeowners, agrees, gaps } = ownership;
  return {
    path: ownership.path,
    ...sourceJson(ownership.repository),
    bus_factor: busFactor,
    owners: owners.map((owner) => ({
      author: owner.author,
      email: owner.email,
      lines: owner.lines,
      lines_pct: owner.linesPercent,
      commits: owner.commits,
      commits_decayed_pct: owner.decayedPercent,
      last: owner.lastAt === 0 ? null : dayOfSeconds(owner.lastAt),
      ranges: owner.ranges.slice(0, MOST_RANGES),
    })),
    reviewers: reviewers.map(({ name, reviews }) => ({ reviewer: name, reviews })),
    likely_next: likelyNext.map(({ author, email, score, file, folder, repository, idleDays }) => ({
      author,
      email,
      score: roundTo(3, score),
      file: roundTo(3, file),
      folder: roundTo(3, folder),
      repository: roundTo(3, repository),
      idle_days: Math.round(idleDays),
    })),
    codeowners: codeowners === undefined ? null : { ...codeowners, agrees: agrees ?? null },
    notes: gaps,
  };
}

/** `rationale` as REST and the command-line tool show it: see `docs/history.md`. */
export function rationaleJson({ repository, path, ranges, gaps }: FileRationale): Record<string, unknown> {
  return {
    path,
    ...sourceJson(repository),
    ranges: ranges.map(({ start, end, symbol, reasons }) => ({
      start,
      end,
      ...(symbol !== undefined && { symbol }),
      reasons: reasons.map(({ kind, id, text, confidence, time }) => ({
        kind,
        id,
        text,
        confidence,
        date: time === 0 ? null : dayOfSeconds(time),
      })),
    })),
    notes: gaps,
  };
}

function sourceJson({ provenance }: IndexedRepository): Record<string, unknown> {
  const { repo, ref, commit, index } = provenance;
  return { repo, ref, commit, index: indexJson(index) };
}
