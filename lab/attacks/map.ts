import { readFileSync } from 'node:fs';
import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

/** Functions, and how many others each calls: 290,000 lines and nine million references. */
const FUNCTIONS = 9_000;
const CALLS = 1_000;
const CALLS_A_LINE = 31;
const FUNCTIONS_A_FILE = 50;
const FILES_A_FOLDER = 20;
const FOLDER = 'src/part1';
const MEMORY_BYTES = 1024 ** 3;
const CALL_LIMIT_MS = 60_000;
const ROUNDS = 2;

const code = (args: object): Call => ({ tool: 'code-tool', args: { repo: 'dense', ...args } });
const graph = (args: object): Call => ({ tool: 'entity-analysis-tool', args: { repo: 'dense', ...args } });

interface Call {
  tool: string;
  args: Record<string, unknown>;
}

const ANSWERED: readonly Call[] = [
  code({ action: 'map' }),
  code({ action: 'map', path: FOLDER }),
  code({ action: 'outline' }),
  code({ action: 'outline', path: '.', kind: 'function' }),
  code({ action: 'smells' }),
  code({ action: 'smells', path: FOLDER, kind: 'duplicate' }),
  code({ action: 'dead_code' }),
  code({ action: 'comments' }),
  code({ action: 'usages', query: 'f4500' }),
  code({ action: 'impact', query: 'f4500' }),
  graph({ action: 'find', entity: 'f4500' }),
  graph({ action: 'neighbors', entity: 'file:src/part1/file20.c' }),
  graph({ action: 'path', entity: 'file:src/part1/file20.c', to: 'file:src/part2/file40.c' }),
  graph({ action: 'map' }),
];

/** A repository whose functions call a thousand others each: the calls about all of it. */
export const attack: Attack = {
  name: 'map',
  purpose: 'No question about a whole repository ends the service, waits for a first reading, or exceeds its memory.',
  minutes: 30,
  run: async (context) => {
    const service = await context.startService({ SVC_MEMORY: '1GB' });
    await context.addRepository(service, context.createRepository('dense', denseFiles()));
    for (let round = 1; round <= ROUNDS; round += 1)
      for (const call of ANSWERED) await ask(context, { service, call, round });
    const ready = await fetch(`${service.url}/readyz`);
    context.check('the service is ready', ready.status === 200, `status ${ready.status}`);
    const peak = peakBytes(service.pid);
    context.check('memory stays within SVC_MEMORY', peak <= MEMORY_BYTES, `${Math.round(peak / 1024 ** 2)} MB at most`);
  },
};

async function ask(
  context: AttackContext,
  { service, call: { tool, args }, round }: { service: Serving; call: Call; round: number },
): Promise<void> {
  context.signal.throwIfAborted();
  const { repo: _, ...shown } = args;
  const name = `${tool} ${Object.values(shown).join(' ')}, call ${round}`;
  const startMs = performance.now();
  try {
    const limit = AbortSignal.any([context.signal, AbortSignal.timeout(CALL_LIMIT_MS)]);
    const answer = await Promise.race([
      service.owner<{ total?: number }>('POST', `/v1/tools/${tool}`, args),
      ended(limit),
    ]);
    context.check(name, true, `${answer.total ?? '?'} rows after ${Math.round(performance.now() - startMs)} ms`);
  } catch (error) {
    context.check(name, false, String(error).slice(0, 300));
  }
}

async function ended(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(new Error('There was no answer in time.')), { once: true });
  return promise;
}

/** Most memory that a process held so far, of what is its own. */
function peakBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}

function denseFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  const names = Array.from({ length: FUNCTIONS }, (_, at) => `int f${at}(int x);`);
  files['src/all.h'] = `${names.join('\n')}\n`;
  for (let first = 0; first < FUNCTIONS; first += FUNCTIONS_A_FILE) {
    const file = first / FUNCTIONS_A_FILE;
    const bodies = Array.from({ length: FUNCTIONS_A_FILE }, (_, at) => denseFunction(first + at));
    files[`src/part${Math.floor(file / FILES_A_FOLDER)}/file${file}.c`] = `#include "../all.h"\n${bodies.join('')}`;
  }
  return files;
}

function denseFunction(number: number): string {
  const lines: string[] = [];
  for (let from = 0; from < CALLS; from += CALLS_A_LINE) {
    const count = Math.min(CALLS_A_LINE, CALLS - from);
    const calls = Array.from({ length: count }, (_, at) => `f${(number * 7 + 1 + (from + at) * 3) % FUNCTIONS}(x);`);
    lines.push(`  ${calls.join('')}`);
  }
  return `int f${number}(int x) {\n${lines.join('\n')}\n  return x;\n}\n`;
}
