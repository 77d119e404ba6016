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
const LINK = /\/(?:issues|pull|pulls|merge_requests|-\/issues)\/(\d{1,7})\b/g;
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
 * Issues and pull requests that a text names, in their order and each once: `#12` (also for `GH-12` and links), `owner/name#12`,
 * `ABC-123`.
 */
export function issueReferences(text: string): string[] {
  const found: [at: number, reference: string][] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [, repository = '', number = match[3] ?? ''] = match;
    found.push([match.index, `${repository}#${Number(number)}`]);
  }
  for (const match of text.matchAll(LINK)) found.push([match.index, `#${Number(match[1])}`]);
  for (const match of text.matchAll(TRACKER_KEY)) found.push([match.index, match[0]]);
  return [...new Set(found.toSorted(([a], [b]) => a - b).map(([, reference]) => reference))];
}

/** Commits that a message says it reverts, as it names them: 7 to 64 hexadecimal digits. */
export function revertedCommits(body: string): string[] {
  return [...body.matchAll(/\bthis reverts commit(?:s)? ([0-9a-f]{7,64})/gi)].map(([, sha = '']) => sha.toLowerCase());
}
