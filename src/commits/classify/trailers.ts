/** A line such as `Reviewed-by: Name <address>` at the end of a message. */
export interface Trailer {
  /** As written, for example `Co-authored-by`. */
  key: string;
  value: string;
}

const TRAILER = /^([A-Za-z][A-Za-z0-9-]*|BREAKING CHANGE):[ \t]+(\S.*)$/;
/** Cherry-picks add it without a key. */
const PICKED = /^\(cherry picked from commit ([0-9a-f]{7,64})\)$/;
/** Words that begin sentences more often than trailers. */
const PROSE = /^(?:https?|note|warning|todo|example|e\.g|i\.e|fixme|see|ps)$/i;

const REFERENCE = /(?<![\w/&-])(?:([\w.-]+\/[\w.-]+))?#(\d{1,7})\b|\b(?:gh|bpo|issue|pr)-(\d{1,7})\b/gi;
/** The owner and name before it, which a tracker that is no part of a host of repositories does not have. */
const LINK =
  /(?:(?<![\w.-]|\/\/)([\w.-]{1,100}\/[\w.-]{1,100})(?:\/-)?)?\/(?:issues|pull|pulls|merge_requests)\/(\d{1,7})\b/g;
/** Keys of trackers such as ABC-123; at least two letters, and no standards or encodings. */
const TRACKER_KEY =
  /(?<![\w/-])(?!(?:GH|PR|UTF|ISO|RFC|CVE|SHA|MD|ES|HTTP|TLS|PEP|CWE|AES|EC)-)[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,5}\b/g;

/** The trailers of a message body, in their order: those lines of its last paragraph that look like one. */
export function parseTrailers(body: string): Trailer[] {
  const last =
    body
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? '';
  const trailers: Trailer[] = [];
  for (const line of last.split('\n')) {
    const [, key, value] = TRAILER.exec(line) ?? [];
    const picked = PICKED.exec(line)?.[1];
    const before = trailers.at(-1);
    if (key !== undefined && value !== undefined && !PROSE.test(key)) trailers.push({ key, value: value.trimEnd() });
    else if (picked !== undefined) trailers.push({ key: 'cherry-picked-from', value: picked });
    // A value goes on in lines that begin with a space.
    else if (before !== undefined && /^[ \t]+\S/.test(line)) before.value += ` ${line.trim()}`;
  }
  return trailers;
}

/**
 * Issues and pull requests that a text names, in their order and each once: `#12` (also for `GH-12`), `owner/name#12` (also
 * for links), `ABC-123`.
 */
export function issueReferences(text: string): string[] {
  const references: [at: number, reference: string][] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [, repository = '', number = match[3] ?? ''] = match;
    references.push([match.index, `${repository}#${Number(number)}`]);
  }
  for (const match of text.matchAll(LINK)) references.push([match.index, `${match[1] ?? ''}#${Number(match[2])}`]);
  for (const match of text.matchAll(TRACKER_KEY)) references.push([match.index, match[0]]);
  return [...new Set(references.toSorted(([a], [b]) => a - b).map(([, reference]) => reference))];
}

/** References with those to a repository itself in short, each once: `#12` for `owner/name#12`. */
export function shortenOwn(references: readonly string[], fullName: string | undefined): string[] {
  const own = `${fullName?.toLowerCase()}#`;
  const short = references.map((reference) =>
    reference.toLowerCase().startsWith(own) ? reference.slice(own.length - 1) : reference,
  );
  return [...new Set(short)];
}

/** Commits that a message says it reverts, as it names them: 7 to 64 hexadecimal digits. */
export function revertedCommits(body: string): string[] {
  return [...body.matchAll(/\bthis reverts commit(?:s)? ([0-9a-f]{7,64})/gi)].map(([, sha = '']) => sha.toLowerCase());
}
