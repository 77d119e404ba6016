import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Serving } from '../serving.ts';
import type { Attack, AttackContext } from './attack.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Folders of this checkout that become small repositories. */
const FOLDERS = ['src/commits', 'src/graph', 'src/languages', 'web'] as const;
const MEMORY_BYTES = 1024 ** 3;
/** The calls of an hour at three a second. */
const CALLS = 3 * 3_600;
/** Set by SVC_SOAK_MINUTES: the same calls, sooner or later. */
const MINUTES = Number(process.env['SVC_SOAK_MINUTES'] ?? 10);
const MOST_AT_A_TIME = 40;
const SAMPLE_MS = 30_000;
const TICK_MS = 5;
const SYMBOLS = 100;

interface Subject {
  repo: string;
  symbols: { name: string; path: string }[];
}

type Call = readonly [tool: string, args: Record<string, unknown>];

/** Questions of all kinds about small repositories, as many as come in an hour. */
export const attack: Attack = {
  name: 'soak',
  purpose: 'An hour of calls keeps the memory of the service within SVC_MEMORY.',
  minutes: MINUTES + 20,
  run: async (context) => {
    const service = await context.startService({ SVC_MEMORY: '1GB' });
    const subjects: Subject[] = [];
    for (const folder of FOLDERS) {
      const repo = folder.replace('/', '-');
      await context.addRepository(service, context.createRepository(repo, filesOf(folder)));
      subjects.push({ repo, symbols: await symbolsOf(service, repo) });
    }
    const statuses = await makeCalls(context, service, subjects);
    const failed = [...statuses].filter(([status]) => status === 0 || status >= 500);
    context.check('no call fails by a fault of the service', failed.length === 0, JSON.stringify([...statuses]));
  },
};

/** Makes calls at a fixed rate whatever answers take, and checks the memory on the way: the curve. */
async function makeCalls(
  context: AttackContext,
  service: Serving,
  subjects: readonly Subject[],
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const running = new Set<Promise<void>>();
  const startMs = performance.now();
  let nextSampleMs = 0;
  for (let made = 0; made < CALLS; await setTimeout(TICK_MS)) {
    context.signal.throwIfAborted();
    const passedMs = performance.now() - startMs;
    const due = Math.min(CALLS, (passedMs / (MINUTES * 60_000)) * CALLS);
    for (; made < due && running.size < MOST_AT_A_TIME; made += 1) {
      const call = countCall(service, chooseCall(subjects, context.random), statuses);
      running.add(call);
      void call.finally(() => running.delete(call));
    }
    if (passedMs < nextSampleMs) continue;
    nextSampleMs += SAMPLE_MS;
    checkMemory(context, service, `after ${Math.round(passedMs / 1000)} s and ${made} calls`);
  }
  await Promise.all(running);
  checkMemory(context, service, `after all ${CALLS} calls`);
  return statuses;
}

function checkMemory({ check }: AttackContext, { pid }: Serving, name: string): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytesOf = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  const [now, peak] = [bytesOf('VmRSS'), bytesOf('VmHWM')];
  check(name, peak <= MEMORY_BYTES, `${Math.round(now / 1024 ** 2)} MB, ${Math.round(peak / 1024 ** 2)} MB at most`);
}

/** Counts the status of an answer: 0 when there was none. A refusal (an ambiguous name, for one) is an answer. */
async function countCall(service: Serving, [tool, args]: Call, statuses: Map<number, number>): Promise<void> {
  let status = 200;
  try {
    await service.owner('POST', `/v1/tools/${tool}`, args);
  } catch (error) {
    status = Number(/ answered with (\d+)/.exec(String(error))?.[1] ?? 0);
  }
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

function chooseCall(subjects: readonly Subject[], random: () => number): Call {
  // Lists to pick from are not empty, and the index is within them.
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
  const { repo, symbols } = pick(subjects);
  const { name, path } = pick(symbols);
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const code = (args: object): Call => ['code-tool', { repo, ...args }];
  const commits = (args: object): Call => ['commit-tool', { repo, ...args }];
  const graph = (args: object): Call => ['entity-analysis-tool', { repo, ...args }];
  const question = `how does ${name} work with ${pick(symbols).name}`;
  return pick<Call>([
    ...(['usages', 'definition', 'implementations', 'impact', 'dependencies'] as const).map((action) =>
      code({ action, query: name }),
    ),
    code({ action: 'search_symbols', query: name.slice(0, 4) }),
    code({ action: 'grep', query: `${name}\\b` }),
    code({ action: 'semantic_search', query: question }),
    code({ action: 'outline', path }),
    ...(['map', 'smells', 'dead_code', 'comments'] as const).map((action) => code({ action, path: folder })),
    graph({ action: 'find', entity: name }),
    graph({ action: 'neighbors', entity: `file:${path}`, depth: 2 }),
    graph({ action: 'map' }),
    commits({ action: 'search', query: name }),
    commits({ action: 'hotspots' }),
    commits({ action: 'changelog' }),
    ['search-tool', { query: question }],
    ['document-search-tool', { action: 'search', query: name }],
    ['ask_codeIntelligenceAgent', { message: question, repo }],
    ['ask_architectureInvestigationAgent', { message: `what depends on ${folder}`, repo }],
  ]);
}

async function symbolsOf(service: Serving, repo: string): Promise<Subject['symbols']> {
  const symbols: Subject['symbols'] = [];
  for (const letter of 'abcdefghijklmnopqrstuvwxyz') {
    const args = { action: 'search_symbols', query: `${letter}*`, repo, limit: SYMBOLS, max_tokens: 20_000 };
    const { rows } = await service.owner<{ rows: Subject['symbols'] }>('POST', '/v1/tools/code-tool', args);
    symbols.push(...rows.map(({ name, path }) => ({ name, path })));
  }
  return symbols;
}

function filesOf(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    const path = join(ROOT, folder, name);
    if (/\.(?:ts|tsx|css|md)$/.test(name) && statSync(path).isFile()) files[name] = readFileSync(path, 'utf8');
  }
  return files;
}
