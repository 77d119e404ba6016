import { shorten } from '../../kernel/shown-values.ts';
import type { Row } from '../../kernel/answer.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';
import { symbolHandle } from './rows.ts';
import type { SymbolMatch } from './find-symbols.ts';

/** One of the symbols that a name means. */
export interface Meaning {
  /** The symbol as it is shown; absent when the name means this one only. */
  shown?: SymbolMatch;
}

const MOST_SIGNATURE = 60;

/**
 * Answers for each symbol that a name means: the rows of one after those of the other, each under its definition. Of one alone
 * the answer stays as it is.
 */
export async function answerEach<One extends Meaning>(
  call: ActionCall,
  meanings: readonly One[],
  answer: (call: ActionCall, meaning: One) => Promise<Findings>,
): Promise<Findings> {
  const [only, other] = meanings;
  if (only !== undefined && other === undefined) return answer(call, only);
  const rows: Row[] = [];
  const counts: Record<string, number> = {};
  const notes: string[] = [];
  const definitions: Record<string, unknown>[] = [];
  let [total, isCut] = [0, false];
  for (const meaning of meanings) {
    const offset = Math.max(0, call.offset - total);
    const limit = Math.max(0, call.args.limit - rows.length);
    const findings = await answer({ ...call, offset, args: { ...call.args, limit } }, meaning);
    const { id, text, json } = definitionOf(meaning);
    rows.push(
      ...findings.rows.map((row) => ({
        ...row,
        heading: `${text} · ${findings.total}`,
        json: { ...row.json, definition: id },
      })),
    );
    for (const [name, count] of Object.entries(findings.counts ?? {})) counts[name] = (counts[name] ?? 0) + count;
    notes.push(...(findings.notes ?? []).map((note) => `${text}: ${note}`));
    definitions.push({ ...json, total: findings.total, ...findings.extra });
    total += findings.total;
    isCut ||= findings.isCut === true;
  }
  const first = definitionOf(meanings[0] ?? {}).id;
  return {
    total,
    isCut,
    counts,
    rows,
    notes: [`${meanings.length} symbols have this name, each answered by itself; for one: query="${first}"`, ...notes],
    extra: { definitions },
  };
}

function definitionOf({ shown }: Meaning): { id: string; text: string; json: Record<string, unknown> } {
  if (shown === undefined) return { id: '', text: '', json: {} };
  const { repository, symbol } = shown;
  const { path, line, kind, qualified } = symbol;
  const id = symbolHandle(symbol);
  const where = `${path}:${line}`;
  const text = shorten(`${kind} ${qualified} ${where}`, MOST_SIGNATURE + where.length);
  return { id, text, json: { id, path, line, kind, name: qualified, repo: repository.provenance.repo } };
}
