import { excerpt } from '../../kernel/shown-values.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import { issueReferences, shortenOwn } from '../classify/trailers.ts';
import type { CommitMessage } from '../queries/store-ownership.ts';

/** Words with which people say why. */
const REASON =
  /\b(because|since|so that|in order to|otherwise|instead of|the reason|caused by|due to|which (?:breaks|broke|fails|failed)|to (?:avoid|prevent|allow|make sure)|why)\b/i;
const TRAILER = /^[\w-]+-by:|^change-id:|^signed-off/i;
const LONGEST_TEXT = 400;
/** Most commits listed for one range of lines. */
const MOST_COMMITS = 20;
/** A message of more is a list of what it took in; these are of its first lines. */
const MOST_ISSUES = 5;

/** A reason for lines, with its source. */
export interface Reason {
  kind: 'decision' | 'plan' | 'commit' | 'comment' | 'issue';
  /** A handle: `dec:12`, `plan:slug`, `c:<sha7>`, `path:line`, `#12`. */
  id: string;
  text: string;
  /** 0 to 1: how surely it tells why. */
  confidence: number;
  /** In seconds since 1970. */
  time: number;
}

/** A file of one of the caller's repositories. */
interface ReasonRequest {
  caller: Caller;
  repositoryId: string;
  path: string;
}

/** A reason for a file, or for what begins at one of its lines. */
export interface PlacedReason extends Reason {
  /** Absent: for the whole file. */
  line?: number;
}

/** Gives the reasons that another part of the product knows: decisions, plans. Asked once a file. */
export type ReasonSource = (file: ReasonRequest) => Promise<readonly PlacedReason[]>;

/** A comment that says why. */
export interface ReasonComment {
  line: number;
  tag: string;
  text: string;
}

/** Evidence for one range of lines. */
interface RangeEvidence {
  path: string;
  /** `owner/name` of its repository, when that is known. */
  fullName?: string | undefined;
  /** Commits that wrote or changed the lines. */
  commits: readonly CommitMessage[];
  comments: readonly ReasonComment[];
  /** Returns when a line was written last, in seconds since 1970; undefined where git cannot tell. */
  writtenAt: (line: number) => number | undefined;
}

/**
 * The reasons in commits, the issues they name, and comments, newest first. A message that explains counts more than one
 * that only tells what was done; comments count most, because they stand at the lines. Pure.
 */
export function reasonsOf({ path, fullName, commits, comments, writtenAt }: RangeEvidence): Reason[] {
  const newest = commits.toSorted((a, b) => b.time - a.time).slice(0, MOST_COMMITS);
  const issues = new Map<string, Reason>();
  const reasons: Reason[] = newest.map((commit) => {
    const named = shortenOwn(issueReferences(`${commit.subject}\n${commit.body}`), fullName);
    for (const issue of named.slice(0, MOST_ISSUES)) {
      const text = `named by ${commit.sha.slice(0, 7)} ${commit.subject}`;
      if (!issues.has(issue)) issues.set(issue, { kind: 'issue', id: issue, text, confidence: 0.5, time: commit.time });
    }
    return commitReason(commit);
  });
  for (const { line, tag, text } of comments) {
    const confidence = tag === 'WHY' ? 0.9 : 0.7;
    reasons.push({
      kind: 'comment',
      id: `${path}:${line}`,
      text: excerpt(text, LONGEST_TEXT),
      confidence,
      time: writtenAt(line) ?? 0,
    });
  }
  return sortReasons([...reasons, ...issues.values()]);
}

/** Newest first; at the same time the surer one, then by kind and id. */
export function sortReasons(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted(
    (a, b) => b.time - a.time || b.confidence - a.confidence || (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1),
  );
}

function commitReason({ sha, subject, body, time }: CommitMessage): Reason {
  const prose = body
    .split('\n')
    .filter((line) => !TRAILER.test(line.trimStart()))
    .join('\n')
    .trim();
  const explains = REASON.test(`${subject}\n${prose}`);
  const confidence = prose === '' ? (explains ? 0.5 : 0.3) : explains ? 0.8 : 0.6;
  const text = prose === '' ? subject : `${subject}\n${firstParagraphs(prose)}`;
  return { kind: 'commit', id: `c:${sha.slice(0, 7)}`, text: excerpt(text, LONGEST_TEXT), confidence, time };
}

/** The paragraph that gives the reason, else the first one. */
function firstParagraphs(body: string): string {
  const paragraphs = body.split(/\n[ \t]*\n/);
  return paragraphs.find((paragraph) => REASON.test(paragraph)) ?? paragraphs[0] ?? '';
}
