import { SafeFolder } from '../platform/safe-folder.ts';

const BEGIN = '<!-- svc:begin -->';
const END = '<!-- svc:end -->';

/** What an agent is told at the start of each session: at most 200 tokens. */
export const AGENTS_BLOCK = `${BEGIN}
## Product context: \`.svc/\`

Read these files before you explore; \`svc sync\` refreshes them.

- \`.svc/work-items.json\`: plans and their tasks. Report with \`svc work-item set wi:12 --status doing\`.
- \`.svc/plans/<slug>.md\`: the plans.
- \`.svc/graph.json\`: features, layers, code, tests, and what links them.
- \`svc ownership <file>\`, \`svc rationale <file>\`: whose a file is, why it is as it is.

Ask the MCP server for what must be exact or fresh: usages, definitions, impact, history, search.
${END}
`;

/** Names of the files that got the block, and of those that are links. */
interface AgentsReport {
  written: string[];
  links: string[];
}

/**
 * Puts the block into `AGENTS.md`, which is made when it is missing, and into `CLAUDE.md` where that exists. What stands
 * around the block stays. A link is left alone: it may lead out of the checkout, or to the other of the two.
 */
export function writeAgentsBlock(root: string): AgentsReport {
  using folder = SafeFolder.open(root);
  const names = ['AGENTS.md', 'CLAUDE.md'];
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
  return { written, links };
}

/** The text with the block in the place of a former one, or at its end. */
export function withBlock(text: string): string {
  const end = text.lastIndexOf(END);
  // The last one before it: a marker without its end must not take what stands behind it away.
  const start = end === -1 ? -1 : text.lastIndexOf(BEGIN, end);
  const lines = text.includes('\r\n') ? AGENTS_BLOCK.replaceAll('\n', '\r\n') : AGENTS_BLOCK;
  if (start !== -1) {
    const rest = text.slice(end + END.length);
    return `${text.slice(0, start)}${lines.trimEnd()}${rest === '' ? '\n' : rest}`;
  }
  if (text === '') return lines;
  const gap = /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${lines.includes('\r\n') ? gap.replaceAll('\n', '\r\n') : gap}${lines}`;
}
