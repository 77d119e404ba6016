import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../measure.ts';
import { install, measureRun } from '../peers/run.ts';
import { type Row, tableOf } from '../report.ts';
import { startService } from '../service-child.ts';
import { sourceAt } from '../source.ts';
import { type JobArguments, jobsAt, spent } from './jobs.ts';

const USAGE = `node lab/jobs/commands.ts [--scratch <folder>] <clone of a repository of jobs.json> ...

Does the jobs as an agent without MCP would: svc is packed and installed into a scratch folder (which stays if it is given),
a fresh clone gets \`svc init --agents\`, and each job is done by commands in it, beside a running service. Shows what was
right, whether AGENTS.md names the commands, and the processor time of each in the process of the command.`;

const { values, positionals } = parseArgs({
  options: { scratch: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.help === true || positionals.length === 0) console.log(USAGE);
else
  for (const path of positionals) {
    const { name, commit } = sourceAt(path);
    console.log(tableOf(`${name} ${commit.slice(0, 12)} by commands`, await doByCommands(path, commit)));
  }

async function doByCommands(path: string, commit: string): Promise<Row[]> {
  const jobs = jobsAt(commit);
  if (jobs === undefined) throw new Error(`${path} is at none of the commits of jobs.json.`);
  const work = mkdtempSync(join(tmpdir(), 'svc-commands-'));
  const { program } = install({ name: 'svc', packages: { own: true }, program: 'svc' }, values.scratch ?? work);
  const clone = join(work, 'clone');
  execFileSync('git', ['clone', '--quiet', path, clone]);
  execFileSync('git', ['-C', clone, '-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit]);
  const service = await startService(clone, [program]);
  const rows: Row[] = [];
  const seconds: number[] = [];
  try {
    const beside = ['--data-dir', service.dataDir];
    execFileSync(program, ['init', '--agents', ...beside], { cwd: clone });
    const instructions = readFileSync(join(clone, 'AGENTS.md'), 'utf8');
    for (const { question, calls, needs } of jobs) {
      const exchanges: [string, string][] = [];
      const names: string[] = [];
      for (const [tool, args] of calls) {
        const command = commandOf(tool, args);
        const { output, cpuSeconds } = await measureRun(program, [...command, ...beside], clone);
        exchanges.push([command.join(' '), output]);
        names.push(command[0] ?? '');
        if (cpuSeconds !== undefined) seconds.push(cpuSeconds);
      }
      const { lacks, tokens } = spent({ needs }, exchanges);
      const unnamed = names.filter((name) => !instructions.includes(`svc ${name}`));
      const notes = [
        ...lacks.map((need) => `lacks ${need}`),
        ...unnamed.map((name) => `AGENTS.md does not name ${name}`),
      ];
      rows.push({ topic: question, name: names.join(', '), value: tokens, unit: 'tokens', note: notes.join('; ') });
    }
  } finally {
    await service.stop();
    rmSync(work, { recursive: true, force: true });
  }
  const right = rows.filter(({ note = '' }) => !note.includes('lacks')).length;
  const topic = 'all';
  return [
    ...rows,
    { topic, name: 'right', value: right, unit: `of ${jobs.length} jobs` },
    { topic, name: 'a command, median', value: median(seconds), unit: 'processor s', goal: '<= 0.1' },
  ];
}

/** A call as a command: `svc search` for `commit-tool search` is `commits`, other actions are commands of their name. */
function commandOf(tool: string, { action, query, ...options }: JobArguments): string[] {
  const name = tool === 'commit-tool' && action === 'search' ? 'commits' : action.replaceAll('_', '-');
  // Of an outline the path is what it is about.
  const { path, ...others } = options;
  const subject = name === 'outline' ? path : query;
  const flags = Object.entries(name === 'outline' ? others : options).flatMap(([key, value]) =>
    [value].flat().flatMap((one) => [`--${key.replaceAll('_', '-')}`, String(one)]),
  );
  return [name, ...(subject === undefined ? [] : [subject]), ...flags];
}
