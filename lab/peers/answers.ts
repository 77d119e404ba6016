import type { EvalInput } from '../eval/answers.ts';
import type { JobArguments } from '../jobs/jobs.ts';
import { type Installed, runProgram, type Subject } from './run.ts';

/** A use of a name. The line is absent where a program names files or functions alone. */
export interface Use {
  path: string;
  line?: number;
}

export interface ChangelogEntry {
  section: string;
  refs?: number[];
  shas?: string[];
}

/** What a program answers of the cases of the graders; absent is what it cannot. */
export interface PeerAnswers {
  usages?: (input: EvalInput) => Promise<Use[]>;
  deadCode?: () => Promise<{ path: string; name: string; line?: number }[]>;
  changelog?: (from: string, to: string) => Promise<ChangelogEntry[]>;
  /** The text for a call of `lab/jobs`; undefined where the program has nothing like it. */
  job?: (call: JobArguments) => Promise<string | undefined>;
  close?: () => Promise<void>;
}

type Start = (subject: Subject, installed: Installed) => Promise<PeerAnswers>;

export const ripgrepAnswers: Start = async ({ tree }, { program }) => ({
  usages: async ({ name = '' }) => {
    const { output } = await runProgram(program, ['--word-regexp', '--line-number', '--no-heading', name, '.'], tree);
    return output.split('\n').flatMap((row) => {
      const [, path = '', line] = /^(?:\.\/)?([^:]+):(\d+):/.exec(row) ?? [];
      return path === '' ? [] : [{ path, line: Number(line) }];
    });
  },
});

/** Callers are functions: their files count, not the line where they begin. */
export const codegraphAnswers: Start = async ({ tree }, { program }) => {
  const ask = async (...args: string[]): Promise<string> => (await runProgram(program, args, tree)).output;
  return {
    usages: async ({ name = '', path = '' }) => {
      const output = await ask('callers', name, '--file', path, '--limit', '500', '--json');
      const { definitions = [] } = parseFrom(output) as { definitions?: { callers: { filePath: string }[] }[] };
      return definitions.flatMap(({ callers }) => callers.map(({ filePath }) => ({ path: filePath })));
    },
    job: async ({ action, query = '', path = '', depth = 1 }) => {
      const name =
        query
          .replace(/^sym:|@.*$/g, '')
          .split(/[./:]+/)
          .at(-1) ?? '';
      if (action === 'definition') return ask('node', name);
      if (action === 'usages') return ask('callers', name);
      if (action === 'impact') return ask('impact', name, '--depth', String(depth));
      if (action === 'outline') return ask('node', '--file', path, '--symbols-only');
      if (action === 'semantic_search') return ask('explore', query);
      if (action === 'search_symbols') return ask('query', query);
      return action === 'map' ? ask('files') : undefined;
    },
  };
};

/** Its default settings in the checkout, without the packages of the project. */
export const knipAnswers: Start = async ({ tree }, { program }) => ({
  deadCode: async () => {
    const args = ['--no-exit-code', '--no-progress', '--reporter', 'json', '--include', 'exports,types'];
    const { issues = [] } = parseFrom((await runProgram(program, args, tree)).output) as {
      issues?: { file: string; exports?: { name: string; line: number }[]; types?: { name: string; line: number }[] }[];
    };
    return issues.flatMap(({ file, exports = [], types = [] }) =>
      [...exports, ...types].map(({ name, line }) => ({ path: file, name, line })),
    );
  },
});

const CLIFF_SECTIONS = [
  ['feature', /feat/i],
  ['fix', /fix|bug/i],
  ['perf', /perf/i],
  ['docs', /doc/i],
] as const;

export const gitCliffAnswers: Start = async ({ tree }, { program }) => ({
  changelog: async (from, to) => {
    const { output } = await runProgram(program, ['--context', `${from}..${to}`], tree);
    const releases = parseFrom(output, '[') as { commits: { id: string; group?: string; breaking?: boolean }[] }[];
    return releases.flatMap(({ commits }) =>
      commits.map(({ id, group = '', breaking }) => {
        const section = CLIFF_SECTIONS.find(([, pattern]) => pattern.test(group))?.[0] ?? 'internal';
        return { section: breaking === true ? 'breaking' : section, shas: [id] };
      }),
    );
  },
});

/** The JSON in an output, which may have lines before it. */
function parseFrom(output: string, start = '{'): unknown {
  const at = output.indexOf(start);
  return JSON.parse(at === -1 ? `${start}${start === '{' ? '}' : ']'}` : output.slice(at));
}
