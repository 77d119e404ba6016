import { z } from 'zod';
import type { Tools } from '../gather/tools.ts';
import type { Evidence } from '../ledger/ledger.ts';

const Hit = z.looseObject({ path: z.string(), line: z.number() });
const Read = z.looseObject({ body: z.string().default('') });

/** Characters of a line that are looked for: enough to tell it from others, and fewer than a line is cut at. */
const MOST_LOOKED_FOR = 120;
const LEAST_LOOKED_FOR = 8;

/** Evidence of documents that are files of a repository with the lines on which they stand, where these say it. Two calls each. */
export async function withLines(tools: Tools, evidence: readonly Evidence[]): Promise<Evidence[]> {
  return Promise.all(evidence.map(async (one) => ({ ...one, ...(await linesOf(tools, one)) })));
}

async function linesOf(
  tools: Tools,
  { kind, repo, path, text }: Evidence,
): Promise<{ lines: { start: number; end: number } } | undefined> {
  const lines = text.trim().split('\n');
  const first = (lines[0] ?? '').trim().slice(0, MOST_LOOKED_FOR);
  if (kind !== 'document' || path === undefined || first.length < LEAST_LOOKED_FOR) return undefined;
  const of = repo === '' ? {} : { repo };
  const query = first.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const found = await tools.ask('code-tool', { action: 'grep', query, path, limit: 2, ...of }, Hit);
  const [hit, other] = found?.rows.filter((row) => row.path === path) ?? [];
  if (hit === undefined || other !== undefined) return undefined;
  const range = { start: hit.line, end: hit.line + lines.length - 1 };
  const read = await tools.ask(
    'code-tool',
    { action: 'definition', query: `${path}:${range.start}-${range.end}`, ...of },
    Read,
  );
  return flat(read?.rows[0]?.body ?? '').includes(flat(text)) ? { lines: range } : undefined;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
