/** What lines of code a question wants to see: those that give a value, decide, fail, or read the environment. */
const WANTED = ['environment', 'value', 'error', 'condition'] as const;
export type WantedLine = (typeof WANTED)[number];

/** Ways to ask for such lines. */
const ASKED: Record<WantedLine, RegExp> = {
  environment: /\b(?:which|what|list|all)\b[^?]*\benv(?:ironment)?[ -]?var(?:iable)?s?\b/i,
  value:
    /\b(?:by default|its defaults?|default value|how (?:many|much|long|often|large|big|wide|far|deep)|what(?:'s| is| are) the (?:maximum|minimum|max|min|largest|longest|biggest|smallest|limit))\b|\b(?:what|which) (?:\w+ ){0,2}(?:ports?|hosts?|hostname|address|url|exit code|status code|permissions?|separator|delimiter)\b|\bwhat\b[^?]*\bdefault\b/i,
  error: /\b(?:which|what) (?:\w+ ){0,2}(?:errors?|exceptions?)\b|\b(?:errors?|exceptions?) (?:is|are|does|do|can)\b/i,
  condition:
    /\bwhat happens\b|\bwhat (?:does|do|is|are)\b.*\b(?:if|when)\b|\bwhen (?:does|do|is|are)\b|\bin which cases?\b/i,
};

/** Lines that give it, in any language. */
const LINES: Record<WantedLine, RegExp> = {
  environment:
    /\b(?:getenv|Getenv|LookupEnv|GetEnvironmentVariable|environ|process\.env|env::vars?(?:_os)?|ENV)\b[^\w]*(?:get|fetch)?[^\w]*([A-Z_][A-Z\d_]{2,})\b/,
  value:
    /[\w"'\])]\s*(?::=|\|\|=|=>|(?<!:):(?!:)|(?<![=!<>])=(?!=)|\?\?|\|\|)\s*(?:-?\d|["']|true\b|false\b|True\b|False\b|:\w)|\breturn\s+(?:-?\d|["'])|(?:\b|_)or\w*\([^)]*\d|\*\*|\b[Dd]efault\b.*\d/,
  error:
    /\b(?:raise|throws?|rescue|catch|except|panic!?|bail!|Err\(|[Ee]rrors?\.(?:New|Is|As)|[Ee]rrorf|ensure!|reject)\b/,
  condition:
    /^\s*[})]*\s*(?:if|elif|else|elsif|unless|when|case|match|switch|catch|rescue|except|raise|throw|return|while|until|guard)\b|\b(?:panic!?|bail!|ensure!|Err\()|\b\w*(?:ERR(?:OR)?_|Err[A-Z]|[Ee]rror\b)/,
};

/** What a question wants to see, the most definite first. */
export function wantedLinesOf(words: string): WantedLine[] {
  return WANTED.filter((wanted) => ASKED[wanted].test(words));
}

/** Whether a line of code gives what is wanted. */
export function givesWanted(line: string, wanted: WantedLine): boolean {
  return LINES[wanted].test(line);
}

/** The environment variable that a line of code reads; undefined when it reads none by its name. */
export function environmentVariableIn(line: string): string | undefined {
  return LINES.environment.exec(line)?.[1];
}

/** What finds such lines in any file. */
export const READS_ENVIRONMENT = LINES.environment.source;
