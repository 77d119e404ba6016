/** The change of a commit to one file, line by line. */
export interface FilePatch {
  /** '' of a new file. */
  oldPath: string;
  newPath: string;
  /** Object ids; '' where there is none. */
  oldBlob: string;
  newBlob: string;
  removed: string[];
  added: string[];
}

/** Words after which a name is declared, in the languages that are parsed. */
const DECLARED =
  /\b(?:function\*?|class|interface|type|enum|const|let|var|def|func|fn|struct|trait|mod|module|static|object|val|union|record|namespace|protocol|macro_rules!|define)\s+([\p{L}_$][\p{L}\p{N}_$]*)/gu;
/** Lines that hand names on: every word of them may be one. */
const HANDS_ON = /^\s*(?:export\b|pub\s+use\b|from\b|import\b|module\.exports|exports\.|__all__)/;
/**
 * A name alone, as lists of exports and groups of constants have it: `  name,`, `Name = 1`, `name as other,`. No two parts
 * of it can share a word: on a line of half a million characters that would take minutes.
 */
const LISTED =
  /^[ \t]{0,4}(?:type\s+)?["']?([\p{L}_$][\p{L}\p{N}_$]*)["']?(?:\s+as\s+([\p{L}_$][\w$]*))?(?:\s*(?:[,=:]|$)|(?:\s+|\.)[\w.]+\s*=)/u;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Begins a commit. Every line of a file has a sign before it, so none can look like one. */
const MARK = '\n\u0001';
const NO_OBJECT = /^0+$/;

/** Names that some lines seem to declare or hand on: a guess that reads no syntax and misses little. */
export function declaredNames(lines: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const line of lines) {
    for (const [, name = ''] of line.matchAll(DECLARED)) names.add(name);
    if (HANDS_ON.test(line)) for (const [word] of line.matchAll(WORD)) names.add(word);
    const [, name, other] = LISTED.exec(line) ?? [];
    if (name !== undefined) names.add(name);
    if (other !== undefined) names.add(other);
  }
  return names;
}

/** Reads `git log -p --unified=0 --full-index --format=%x01%H`: the changed files of each commit by object id. */
export function readPatches(output: string): Map<string, FilePatch[]> {
  const commits = new Map<string, FilePatch[]>();
  for (const part of `\n${output}`.split(MARK).slice(1)) {
    const end = part.indexOf('\n');
    const sha = end === -1 ? part : part.slice(0, end);
    commits.set(sha, end === -1 ? [] : part.slice(end).split('\ndiff --git ').slice(1).map(readFile));
  }
  return commits;
}

function readFile(text: string): FilePatch {
  const file: FilePatch = { oldPath: '', newPath: '', oldBlob: '', newBlob: '', removed: [], added: [] };
  let isHead = true;
  for (const line of text.split('\n')) {
    if (isHead) {
      const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(line) ?? [];
      if (before !== undefined && after !== undefined) {
        file.oldBlob = NO_OBJECT.test(before) ? '' : before;
        file.newBlob = NO_OBJECT.test(after) ? '' : after;
      } else if (line.startsWith('--- a/')) file.oldPath = line.slice(6);
      else if (line.startsWith('+++ b/')) file.newPath = line.slice(6);
      else if (line.startsWith('@@')) isHead = false;
    } else if (line.startsWith('-')) file.removed.push(line.slice(1));
    else if (line.startsWith('+')) file.added.push(line.slice(1));
  }
  // Git puts a tab behind paths with blanks.
  file.oldPath = file.oldPath.replace(/\t$/, '');
  file.newPath = file.newPath.replace(/\t$/, '');
  if (file.newPath === '') file.newPath = file.oldPath;
  return file;
}
