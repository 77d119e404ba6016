import { filePlace, readSymbol } from '../gather/code.ts';
import { dependingLine } from '../gather/depending-line.ts';
import { type EdgeRow } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import type { Sentence } from '../prose/prose.ts';
import { stepSentence } from '../prose/structure.ts';
import type { Inquiry } from './inquiry.ts';

export const AT_RUN_TIME = 'dependencies made at run time, by name or by configuration are not detected';

/** Each step of a way with the line that makes it. */
export async function stepsOf({ tools, cite }: Inquiry, repo: string, way: readonly EdgeRow[]): Promise<Sentence[]> {
  return Promise.all(way.map((edge) => stepSentence(cite, edge, (place) => lineOf(tools, repo, place))));
}

/** Two of the sources of some steps. */
export function sourcesOf(steps: readonly Sentence[]): Sentence['sources'] {
  return [...new Set(steps.flatMap(({ sources }) => sources))].slice(0, 2);
}

/** The line that makes one thing depend on another: an import, or the head of what depends. */
async function lineOf(tools: Tools, repo: string, { from, to }: { from: string; to: string }) {
  const [, symbol = '', path = ''] = /^sym:(.*)@([^@]+)$/.exec(from) ?? [];
  const place = symbol === '' ? undefined : await readSymbol(tools, { repo, symbol, path });
  if (place !== undefined) return { place, line: place.start };
  const found = await dependingLine(tools, from, to);
  if (found === undefined) return undefined;
  const { path: file, line, text } = found;
  return { place: filePlace(repo, file, line, text), line };
}
