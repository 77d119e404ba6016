/** Calls that load what their argument names, up to the argument. */
const LOADS = /\b(?:import|require(?:\.resolve)?|importModule|loadModule)\(\s*/g;
/** A text that ends in, or holds, what only a run tells: `` `./x/${name}.ts` ``, `'./x/' + name`. */
const TEMPLATE = /^`(\.{1,2}\/[^`\n]*\$\{[^`\n]*)`/;
const SUM = /^(["'])(\.{1,2}\/[^"'\n]*)\1\s*\+\s*[^)\n]*?(?:(["'])([^"'\n]*)\3)?\s*[,)]/;
const GLOB = /\bimport\.meta\.glob(?:Eager)?(?:<[^>(]*>)?\(\s*(\[[^\]]*\]|["'`][^"'`\n]+["'`])/g;
const CONTEXT = /\brequire\.context\(\s*["'`]([^"'`\n]+)["'`]/g;
/** A path that may be given to a call by name: `const server = '../server'; require(server)`. */
const CONSTANT = /\bconst\s+([\w$]{1,60})\s*=\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/** A folder that is listed: `readdirSync(join(__dirname, 'jobs'))`. */
const LISTED =
  /\b(?:readdir(?:Sync)?|opendir(?:Sync)?|glob(?:Sync)?|walk(?:Sync)?)\(\s*(?:path\.)?(?:join|resolve)?\(?\s*(?:__dirname|import\.meta\.dirname)\s*((?:,\s*["'`][^"'`\n]+["'`]\s*)*)/g;

/**
 * Globs of the files that a script loads by names that are put together when it runs, relative to its folder: templates and
 * sums in `import()` and `require()`, `import.meta.glob`, `require.context`, and folders that it lists and loads from.
 */
export function loadedFiles(text: string): string[] {
  const globs: string[] = [];
  let loadsAnything = false;
  const given = new Set<string>();
  for (const { index, 0: call } of text.matchAll(LOADS)) {
    const argument = text.slice(index + call.length, index + call.length + 300);
    const template = TEMPLATE.exec(argument)?.[1];
    const [, , before, , after = ''] = SUM.exec(argument) ?? [];
    if (template !== undefined) globs.push(template.replaceAll(/\$\{[^}]*\}/g, '**'));
    else if (before !== undefined) globs.push(`${before}**${after}`);
    else if (/^[^"'`)\s]/.test(argument)) {
      loadsAnything = true;
      given.add(/^([\w$]{1,60})\s*[,)]/.exec(argument)?.[1] ?? '');
    }
  }
  for (const [, name = '', path = ''] of loadsAnything ? text.matchAll(CONSTANT) : [])
    if (given.has(name)) globs.push(path);
  for (const [, patterns = ''] of text.matchAll(GLOB))
    for (const [, pattern = ''] of patterns.matchAll(/["'`]([^"'`\n]+)["'`]/g)) globs.push(pattern);
  for (const [, folder = ''] of text.matchAll(CONTEXT)) globs.push(`${folder.replace(/\/$/, '')}/**`);
  for (const [, parts = ''] of loadsAnything ? text.matchAll(LISTED) : []) {
    const folders = [...parts.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, part = '']) => part);
    globs.push(`./${[...folders, '**'].join('/')}`);
  }
  return globs;
}

/** A pattern for the paths, without their endings, of what a glob means that stands in a file of a folder (`''`, or with `/` at the end). */
export function globbedPaths(folder: string, glob: string): RegExp | undefined {
  const parts = glob.startsWith('.') ? folder.split('/').slice(0, -1) : [];
  for (const part of glob.replace(/^[/~@]+\/?/, '').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  // A glob of everything says nothing.
  if (parts.every((part) => /^\*+$/.test(part)) && !glob.startsWith('.')) return undefined;
  const whole = parts.join('/').replace(/\.[cm]?[jt]sx?$/, '');
  const pattern = whole.replaceAll(/\*\*\/|\*+|\{[^{}]*\}|[.+^$()|[\]\\?{}]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '{}' || !part.startsWith('{')) return `\\${part}`;
    return `(?:${part
      .slice(1, -1)
      .split(',')
      .map((choice) => choice.replaceAll(/[.+^$()|[\]\\?*]/g, String.raw`\$&`))
      .join('|')})`;
  });
  return new RegExp(`^${pattern}(?:/index)?$`);
}
