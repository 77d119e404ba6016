import { SafeFolder } from '../platform/safe-folder.ts';

const BEGIN = '<!-- svc:begin -->';
const END = '<!-- svc:end -->';

/** Text that an agent reads at the start of each session: at most 300 tokens, the commands that save most first. */
export const AGENTS_BLOCK = `${BEGIN}
## Product context: \`svc\`

Use these commands before you grep or read files; \`--help\` lists their options.

- \`svc usages Class/method\`, \`svc definition src/a.ts:12:5\`: by compiler, across re-exports
- \`svc impact Class/method\`, \`svc tests ..\`: what a change reaches, and its tests (\`..\`: what is not committed)
- \`svc semantic-search "words"\`: code by what it does; \`svc search "words"\`: also history, documents, signals, plans, decisions
- \`svc ask "how does …?"\`: the lines and commits that answer
- \`svc outline src/a.ts\`, \`svc map src\`: what is in a file or folder
- \`svc commits "words"\`, \`svc compare v1..v2\`, \`svc rationale src/a.ts:12\`: what changed, and why
- \`svc ownership src/a.ts\`: whose it is
- \`svc themes\`: what customers ask for

\`svc sync\` refreshes \`.svc/\`: \`work-items.json\` (report with \`svc work-item set wi:12 --status doing\`), \`plans/\`, \`graph.json\`.
${END}
`;

/** Files of instructions that agents read, by folder. `AGENTS.md` is made when it is missing, the others are only changed. */
const INSTRUCTIONS: Readonly<Record<string, readonly string[]>> = {
  '': ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.cursorrules'],
  '.github': ['copilot-instructions.md'],
};

const DESCRIPTION =
  'Usages, callers, definitions, tests, impact, history and owners of code, and what customers say, from the index of this repository. Use it before grep and before reading files, in subagents too.';

/** A file of its own, which a client loads when its description fits the task. */
interface OwnFile {
  /** From the root; it is made where the first of them exists, that is where somebody uses the client here. */
  folders: readonly string[];
  name: string;
  /** The front matter that the client reads first. */
  head: string;
}

const OWN_FILES: readonly OwnFile[] = [
  // Agent Skills: Claude Code, and VS Code and Cursor, which look here too.
  {
    folders: ['.claude', 'skills', 'svc'],
    name: 'SKILL.md',
    head: `---\nname: svc\ndescription: ${DESCRIPTION}\n---\n\n`,
  },
  // A rule that the agent asks for: `AGENTS.md` is in every conversation already.
  {
    folders: ['.cursor', 'rules'],
    name: 'svc.mdc',
    head: `---\ndescription: ${DESCRIPTION}\nglobs:\nalwaysApply: false\n---\n\n`,
  },
];

/** Names of the files that got the block, and of those that are links. */
interface AgentsReport {
  written: string[];
  links: string[];
}

/**
 * Puts the block into `AGENTS.md`, which is made when it is missing, into other files of instructions that exist, and into a
 * skill or rule of clients that have a folder here. The text around it is not changed. A link is left alone: it may lead out of the checkout, or to another of the files.
 */
export function writeAgentsBlock(root: string): AgentsReport {
  using folder = SafeFolder.open(root);
  const reports = Object.entries(INSTRUCTIONS).map(([name, files]): AgentsReport => {
    if (name === '') return writeBlockIn(folder, files, '');
    if (folder.isLink(name)) return { written: [], links: [name] };
    using inner = folder.enter(name);
    return inner === undefined ? { written: [], links: [] } : writeBlockIn(inner, files, `${name}/`);
  });
  reports.push(...OWN_FILES.map((file) => writeOwnFile(folder, file)));
  return { written: reports.flatMap(({ written }) => written), links: reports.flatMap(({ links }) => links) };
}

function writeOwnFile(root: SafeFolder, { folders, name, head }: OwnFile): AgentsReport {
  const nothing = { written: [], links: [] };
  if (root.kindOf(folders[0] ?? '') === undefined) return nothing;
  using opened = new DisposableStack();
  let folder = root;
  for (const [at, part] of folders.entries()) {
    if (folder.isLink(part)) return { written: [], links: [folders.slice(0, at + 1).join('/')] };
    folder = opened.use(folder.make(part));
  }
  const path = [...folders, name].join('/');
  if (folder.isLink(name)) return { written: [], links: [path] };
  const before = folder.read(name)?.toString('utf8');
  const after = withBlock(before ?? head);
  if (after === before) return nothing;
  folder.write(name, after);
  return { written: [path], links: [] };
}

function writeBlockIn(folder: SafeFolder, names: readonly string[], prefix: string): AgentsReport {
  const links = names.filter((name) => folder.isLink(name));
  const written = names.filter((name) => {
    if (links.includes(name)) return false;
    const before = folder.read(name)?.toString('utf8');
    if (before === undefined && name !== 'AGENTS.md') return false;
    const after = withBlock(before ?? '');
    if (after === before) return false;
    folder.write(name, after);
    return true;
  });
  return { written: written.map((name) => prefix + name), links: links.map((name) => prefix + name) };
}

/** The text with the block in the place of a former one, or at its end. */
export function withBlock(text: string): string {
  const end = text.lastIndexOf(END);
  // The last one before it: a marker without its end must not remove the text behind it.
  const start = end === -1 ? -1 : text.lastIndexOf(BEGIN, end);
  const lines = text.includes('\r\n') ? AGENTS_BLOCK.replaceAll('\n', '\r\n') : AGENTS_BLOCK;
  if (start !== -1) {
    const textAfter = text.slice(end + END.length);
    return `${text.slice(0, start)}${lines.trimEnd()}${textAfter === '' ? '\n' : textAfter}`;
  }
  if (text === '') return lines;
  const gap = /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${lines.includes('\r\n') ? gap.replaceAll('\n', '\r\n') : gap}${lines}`;
}
