/**
 * Names of programs by their form: accounts of hosting services end in `[bot]`, those of translation services in `(bot)`, others
 * in a word of their own (`fluxcd-bot`, `k8s-ci-robot`, `Drone CI`). `CI` counts in capitals or after a hyphen: people are
 * called Ci.
 */
const FORM =
  /\[bot\]$|(?:^|[ ._-])\(?(?:ro)?bot\)?(?:$|[ ._-](?:account|user|service)$)|(?:-|^)ci$|(?:^|[ _-])CI(?:$|[ _-])/;

/**
 * Programs whose names have no such form. Each is an account in the list of the bot services of the 1,000 most starred
 * repositories (Wang, Wang and Redmiles, IEEE Software 39(5), 2022; github.com/zhendow/GitHub_Bot_Usage), but for GitHub Actions,
 * Greenkeeper, Homu and Imgbot, which wrote 463 commits of ten of 68 public repositories under these names.
 */
const PROGRAM =
  /^(?:hosted[ -])?(?:dependabot|renovate|depfu|snyk|pyup|azure[ -]pipelines|jenkins|appveyor|semantic-release|changesets?|all-?contributors|codecov|mergify|bors|weblate|scala[ -]steward|copybara(?:-service)?|github[ -]actions?|greenkeeper|homu|imgbot)(?:[ -]?(?:bot|ci|user|preview|io|release|app|commenter))*$/i;

/**
 * Addresses of programs: those of GitHub Apps and of access tokens and service accounts of GitLab, as the hosts document them;
 * mailboxes called bot or robot; and those that dependency services write from.
 */
const EMAIL =
  /\[bot\]@|^(?:project|group)_\d+_bot\w*@noreply\.|^service_account_\w+@noreply\.|(?:^|[._+-])(?:(?:ro)?bot|renovate|dependabot)@|^(?:bot|support)@(?:renovateapp|dependabot|greenkeeper|pyup)\b|^actions?@github\.com$/i;

/** GitHub Apps that write code when somebody orders it (`github.com/apps/<name>`). */
const AGENT =
  /(?:^|\+)(?:google-labs-jules|copilot(?:-swe-agent)?|devin-ai-integration|claude|cursor|openai-codex|chatgpt-codex-connector|gemini-code-assist|amazon-q-developer|sweep-ai)\[bot\](?:@|$)/i;

/** True if commits of this author are written by a program, judged by name and address. */
export function isBot(name: string, email: string): boolean {
  const plain = name.trim();
  return FORM.test(plain) || FORM.test(plain.toLowerCase()) || PROGRAM.test(plain) || EMAIL.test(email.trim());
}

/**
 * True if a program made a commit by itself. A commit that carries over a person's commit, as programs for backports do, or
 * that names a person as co-author, is that person's; work of a coding agent was ordered, and reviewed, like any other change.
 */
export function isBotCommit(commit: { authorName: string; authorEmail: string; body: string }): boolean {
  if (!isBot(commit.authorName, commit.authorEmail)) return false;
  if (AGENT.test(commit.authorName.trim()) || AGENT.test(commit.authorEmail.trim())) return false;
  if (/^\(cherry picked from commit /m.test(commit.body)) return false;
  const others = commit.body.matchAll(/^co-authored-by:[ \t]*(.*?)[ \t]*<([^<>]*)>/gim);
  return !Array.from(others).some(([, name = '', email = '']) => !isBot(name, email));
}
