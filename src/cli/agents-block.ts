import { SafeFolder } from '../platform/safe-folder.ts';

const BEGIN = '<!-- svc:begin -->';
const END = '<!-- svc:end -->';

/** Text that an agent reads at the start of each session: at most 300 tokens, the commands that save most first. */
export const AGENTS_BLOCK = `${BEGIN}
## Product context: \`svc\`

Use these commands before you grep or read files; \`--help\` lists their options.

- \`svc usages Class/method\`, \`svc definition src/a.ts:12:5\`: by compiler, across re-exports
- \`svc impact Class/method\`, \`svc tests ..\`: what a change reaches, and its tests (\`..\`: what is not committed)
- \`svc search "words"\`: code, history, documents, signals, plans, decisions
- \`svc ask "how does …?"\`: the lines and commits that answer
- \`svc outline src/a.ts\`, \`svc map src\`: what is in a file or folder
- \`svc commits "words"\`, \`svc rationale src/a.ts:12\`: why code is as it is
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

/** Names of the files that got the block, and of those that are links. */
interface AgentsReport {
  written: string[];
  links: string[];
}

/**
 * Puts the block into `AGENTS.md`, which is made when it is missing, and into other files of instructions that exist. The text
 * around it is not changed. A link is left alone: it may lead out of the checkout, or to another of the files.
 */
export function writeAgentsBlock(root: string): AgentsReport {
  using folder = SafeFolder.open(root);
  const reports = Object.entries(INSTRUCTIONS).map(([name, files]): AgentsReport => {
    if (name === '') return writeBlockIn(folder, files, '');
    if (folder.isLink(name)) return { written: [], links: [name] };
    using inner = folder.enter(name);
    return inner === undefined ? { written: [], links: [] } : writeBlockIn(inner, files, `${name}/`);
  });
  return { written: reports.flatMap(({ written }) => written), links: reports.flatMap(({ links }) => links) };
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
