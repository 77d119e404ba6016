/**
 * Names of programs by their form: accounts of hosting services end in `[bot]`, those of translation services in `(bot)`, others
 * in a word of their own (`fluxcd-bot`, `k8s-ci-robot`, `Drone CI`). `CI` counts in capitals or after a hyphen: people are
 * called Ci.
 */
const FORM =
  /\[bot\]$|(?:^|[ ._-])\(?(?:ro)?bot\)?(?:$|[ ._-](?:account|user|service)$)|(?:-|^)ci$|(?:^|[ _-])CI(?:$|[ _-])/;

/** Programs whose names have no such form: dependency updates, continuous integration, releases, translations. */
const PROGRAM =
  /^(?:hosted[ -])?(?:dependabot|renovate|greenkeeper|depfu|snyk|pyup|pre-commit|github[ -]actions?|azure[ -](?:pipelines|devops)|jenkins|travis|circleci|teamcity|buildkite|appveyor|codeship|semaphore|concourse|semantic-release|release-please|changesets?|all-?contributors|imgbot(?:app)?|codecov|mergify|bors|homu|weblate|transifex|crowdin|scala[ -]steward|copybara(?:-service)?)(?:[ -]?(?:bot|ci|user|preview|io|release|app))*$/i;

const EMAIL =
  /\[bot\]@|^(?:bot|support\+?|noreply\+?)?@?(?:renovateapp|dependabot|greenkeeper|snyk|pyup)\b|(?:^|[._+-])(?:(?:ro)?bot|renovate|dependabot)@|^actions?@github\.com$|@(?:travis-ci|circleci)\.(?:org|com)$/i;

/** Accounts of programs that write code when somebody orders it, by their names on hosting services. */
const AGENT =
  /^(?:google-labs-jules|copilot(?:-swe-agent)?|devin-ai-integration|claude|cursor|openai-codex|chatgpt-codex-connector|gemini-code-assist|amazon-q-developer|sweep-ai)\[bot\]$/i;

/** Whether commits of this author are written by a program, judged by name and address. */
export function isBot(name: string, email: string): boolean {
  const plain = name.trim();
  return FORM.test(plain) || FORM.test(plain.toLowerCase()) || PROGRAM.test(plain) || EMAIL.test(email.trim());
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
