/** Accounts of hosting services end in `[bot]`, those of translation services in `(bot)`; the others are tools whose names no person has. */
const NAME =
  /\[bot\]$|^(dependabot|renovate|greenkeeper|snyk|pyup|pre-commit-ci|github-actions|semantic-release|allcontributors|imgbot|codecov|mergify|bors|weblate|transifex|release-please|changesets?)(?:[ -]?(?:bot|preview|io|release))*$|[ -]\(?bot\)?$/i;
const EMAIL =
  /\[bot\]@|^(bot|support\+?|noreply\+?)?@?(renovateapp|dependabot|greenkeeper|snyk|pyup)\b|\b(?:bot|renovate|dependabot|action)@/i;

/** Accounts of programs that write code when somebody orders it, by their names on hosting services. */
const AGENT =
  /^(?:google-labs-jules|copilot(?:-swe-agent)?|devin-ai-integration|claude|cursor|openai-codex|chatgpt-codex-connector|gemini-code-assist|amazon-q-developer|sweep-ai)\[bot\]$/i;

/** Whether commits of this author are written by a program, judged by name and address. */
export function isBot(name: string, email: string): boolean {
  return NAME.test(name.trim()) || EMAIL.test(email);
}

/**
 * Whether a program made a commit by itself. One that carries over somebody's commit, as programs for backports do, or that
 * names a person as co-author, is that person's; what a coding agent wrote was ordered, and reviewed, like any other change.
 */
export function isBotCommit(commit: { authorName: string; authorEmail: string; body: string }): boolean {
  if (!isBot(commit.authorName, commit.authorEmail) || AGENT.test(commit.authorName.trim())) return false;
  if (/^\(cherry picked from commit /m.test(commit.body)) return false;
  const others = commit.body.matchAll(/^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>]*)>/gim);
  return !Array.from(others).some(([, name = '', email = '']) => !isBot(name, email));
}
