import { execFileSync, fork } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf, shiftedNumbersOf } from './mutate.ts';
import type { MutantReport, Work } from './run.ts';
import { type Target, TARGETS } from './targets.ts';

const USAGE = `node lab/mutants/index.ts [--sample 100] [--seed 1] [--only <part of a name>] [--near] [--list]

Puts faults into the code that decides orders and verdicts, one at a time, and tells which of them its tests notice. The
sample is spread evenly over the targets, and the same seed gives the same one. With --near the faults are numbers that
are a fifth too high or too low, counts one. Works in a copy of the sources.`;

const ROOT = join(import.meta.dirname, '../..');
/** A fault that makes the tests run for ever is noticed as well. */
const HANGS_MS = 300_000;

type Placed = Mutant & { file: string };
type Outcome = 'caught' | 'hung' | 'survived';

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    near: { type: 'boolean' },
    list: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) console.log(USAGE);
else await measure(TARGETS.filter(({ name }) => name.includes(values.only)));

async function measure(targets: readonly Target[]): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
  try {
    copySources(root);
    const totals = { caught: 0, tried: 0 };
    const random = randomOf(Number(values.seed));
    const faultsIn = values.near === true ? shiftedNumbersOf : mutantsOf;
    console.log('| what decides | faults possible | tried | caught |\n| --- | --: | --: | --: |');
    for (const [index, target] of targets.entries()) {
      const all = target.files.flatMap((file) =>
        faultsIn(file, readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({ ...mutant, file })),
      );
      const count = Math.round(((index + 1) * Number(values.sample)) / targets.length) - totals.tried;
      const mutants = sampleOf(all, count, random);
      const outcomes = values.list === true ? [] : await tryAll(root, target, mutants);
      const caught = outcomes.filter((outcome) => outcome !== 'survived').length;
      totals.caught += caught;
      totals.tried += mutants.length;
      console.log(`| ${target.name} | ${all.length} | ${mutants.length} | ${caught} |`);
      for (const [at, mutant] of mutants.entries())
        if (outcomes[at] !== undefined && outcomes[at] !== 'caught')
          console.error(`${outcomes[at]}: ${describe(mutant)}`);
    }
    console.log(`| together | | ${totals.tried} | ${totals.caught} |`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Copies the files that git tracks, as they are in the working tree, and links the installed packages and the encoder. */
function copySources(root: string): void {
  const files = execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'src', 'fixtures', 'migrations', 'grammars'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  );
  for (const file of [...files.trim().split('\n'), 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(ROOT, file), join(root, file));
  for (const folder of ['node_modules', 'models']) symlinkSync(join(ROOT, folder), join(root, folder));
}

async function tryAll(root: string, target: Target, mutants: readonly Placed[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  while (outcomes.length < mutants.length) {
    const tried = await tryUntilOneHangs({ root, tests: target.tests, mutants: mutants.slice(outcomes.length) });
    outcomes.push(...tried);
  }
  return outcomes;
}

/** Ends the process of tests with all its own when it sent nothing for long, and puts back what it had changed. */
async function tryUntilOneHangs(work: Work): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const child = fork(join(import.meta.dirname, 'run.ts'), [JSON.stringify(work)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true,
  });
  let timer: NodeJS.Timeout | undefined;
  let fault: string | undefined;
  const kill = (): void => void process.kill(-(child.pid ?? 0), 'SIGKILL');
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      outcomes.push('hung');
      kill();
    }, HANGS_MS);
  };
  wait();
  child.on('message', (report: MutantReport) => {
    wait();
    if ('green' in report && !report.green) {
      fault = `The tests of ${work.tests.join(', ')} fail without any fault put in.`;
      kill();
    } else if ('caught' in report) outcomes.push(report.caught ? 'caught' : 'survived');
  });
  await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (fault !== undefined) throw new Error(fault);
  // A fault that ends the process of the tests is noticed as well.
  if (outcomes.length === 0 || (outcomes.length < work.mutants.length && outcomes.at(-1) !== 'hung'))
    outcomes.push('hung');
  for (const { file } of work.mutants) writeFileSync(join(work.root, file), readFileSync(join(ROOT, file)));
  return outcomes;
}

/** So many of them, none twice, in their order. */
function sampleOf(all: readonly Placed[], count: number, random: () => number): Placed[] {
  const drawn = all.map((mutant, index) => ({ mutant, index, key: random() })).toSorted((a, b) => a.key - b.key);
  return drawn
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ mutant }) => mutant);
}

/** Numbers from 0 to 1, the same for the same seed: a linear congruential generator. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
}

function describe({ file, line, start, end, replacement }: Placed): string {
  const was = readFileSync(join(ROOT, file), 'utf8').slice(start, end);
  return `${file}:${line} "${shortenText(was)}" as "${shortenText(replacement)}"`;
}

function shortenText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 80);
}
