/** The types of commits, as Conventional Commits and its common dialects define them. */
export const COMMIT_TYPES = [
  'feat',
  'fix',
  'docs',
  'refactor',
  'test',
  'chore',
  'perf',
  'build',
  'ci',
  'style',
  'revert',
] as const;
export type CommitType = (typeof COMMIT_TYPES)[number];

/** Other spellings that projects use for a type. */
const SPELLINGS = new Map<string, CommitType>([
  ...COMMIT_TYPES.map((type) => [type, type] as const),
  ['feature', 'feat'],
  ['features', 'feat'],
  ['feats', 'feat'],
  ['bugfix', 'fix'],
  ['hotfix', 'fix'],
  ['fixes', 'fix'],
  ['doc', 'docs'],
  ['tests', 'test'],
  ['performance', 'perf'],
  ['refact', 'refactor'],
  ['deps', 'build'],
  ['release', 'chore'],
  ['chores', 'chore'],
  ['reverts', 'revert'],
]);

/** Commit types of the signs of gitmoji.dev that mean one of ours. Without the variation selector. */
const SIGNS = new Map<string, CommitType>([
  ['✨', 'feat'],
  [':sparkles:', 'feat'],
  ['🐛', 'fix'],
  [':bug:', 'fix'],
  ['🚑', 'fix'],
  [':ambulance:', 'fix'],
  ['🩹', 'fix'],
  ['🔒', 'fix'],
  [':lock:', 'fix'],
  ['📝', 'docs'],
  [':memo:', 'docs'],
  ['♻', 'refactor'],
  [':recycle:', 'refactor'],
  ['⚡', 'perf'],
  [':zap:', 'perf'],
  ['✅', 'test'],
  [':white_check_mark:', 'test'],
  ['🎨', 'style'],
  [':art:', 'style'],
  ['👷', 'ci'],
  [':construction_worker:', 'ci'],
  ['💚', 'ci'],
  [':green_heart:', 'ci'],
  ['⬆', 'build'],
  [':arrow_up:', 'build'],
  ['📌', 'build'],
  ['🔧', 'chore'],
  [':wrench:', 'chore'],
  ['🔖', 'chore'],
  [':bookmark:', 'chore'],
  ['⏪', 'revert'],
  [':rewind:', 'revert'],
]);

const HEADER = /^([a-z]+)\s*(?:\(([^()]*)\))?(!)?\s*:\s*(\S.*)$/is;
const SIGN = /^(:[a-z_]+:|\p{Extended_Pictographic})\uFE0F?\s*(\S.*)$/isu;
/** `net/http: …`, as in Go and Linux: a place, not a type. Prose before a colon has blanks. */
const PATH_SCOPE = /^([a-z][\w./@-]*(?:,\s?[a-z][\w./@-]*)*):\s+(\S.*)$/i;
const REVERT = /^revert\s+"?(\S.*?)"?(?:\s+\(#\d+\))?$/is;
const BREAKING_FOOTER = /^BREAKING[ -]CHANGES?\s*(?::|#|$)/m;
const BREAKING_SUBJECT = /^\[?(?:breaking|BREAKING)(?: change)?(?:\]|:)|^(?:💥|:boom:)/i;

/** The author's own classification of a commit in its message. */
interface CommitHeader {
  /** Absent where no convention is followed. */
  type?: CommitType;
  scope?: string;
  breaking: boolean;
  /** The subject without type, scope and sign. */
  description: string;
}

/**
 * Reads `type(scope)!: description`, a gitmoji, git's `Revert "…"`, or `place: description`, from which only the scope is
 * known. A breaking change is told by `!`, by a footer `BREAKING CHANGE:`, or by a subject that begins with the word.
 */
export function parseHeader(subject: string, body: string): CommitHeader {
  const breaking = BREAKING_FOOTER.test(body) || BREAKING_SUBJECT.test(subject);
  const [, sign, afterSign] = SIGN.exec(subject) ?? [];
  const text = afterSign ?? subject;
  const [, name = '', scope, mark, description] = HEADER.exec(text) ?? [];
  const type = SPELLINGS.get(name.toLowerCase());
  if (type !== undefined && description !== undefined)
    return {
      type,
      ...(scope !== undefined && scope.trim() !== '' && { scope: scope.trim() }),
      breaking: breaking || mark !== undefined,
      description,
    };
  const reverted = REVERT.exec(text)?.[1];
  if (reverted !== undefined && text.includes('"')) return { type: 'revert', breaking, description: reverted };
  const signed = sign === undefined ? undefined : SIGNS.get(sign.toLowerCase());
  if (signed !== undefined) return { type: signed, breaking, description: text };
  const [, pathScope, statement] = PATH_SCOPE.exec(text) ?? [];
  if (pathScope !== undefined && statement !== undefined) return { scope: pathScope, breaking, description: statement };
  return { breaking, description: text };
}
