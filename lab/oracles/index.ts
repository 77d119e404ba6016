import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOut, type Source, sourceAt } from '../source.ts';
import type { OracleAccount } from './account.ts';
import { type Comparison, compare, type Tally } from './compare.ts';
import { indexOf } from './our-index.ts';
import { pythonAccount } from './python-oracle.ts';
import { rustAccount } from './rust-oracle.ts';

const USAGE = `node lab/oracles/index.ts --oracle <name> [--tools <folder>] [--exact] [--differences <count>] [--work <folder>]
  <git repository> ...

Compares our index of each repository (at HEAD) with what a compiler or language server says of the same files.
Oracles: typescript (TypeScript 5.9 in node_modules of --tools), python (scip-python there), clang (libclang for
ORACLE_PYTHON), rust (rustdoc, for a crate without dependencies at the root or in ORACLE_CRATE). --exact also runs our
exact pass, --differences prints some of them, --work keeps what an oracle said for the next run. Oracles run over a
checkout without packages; nothing of the repository is run.`;

const ORACLES: Record<string, Oracle> = {
  clang: { account: clangAccount, hasFamilies: true },
  python: { account: (checkout, output) => pythonAccount(checkout, output, values.tools), hasFamilies: false },
  rust: { account: rustAccount, hasFamilies: true },
  typescript: { account: typescriptAccount, hasFamilies: true },
};

interface Oracle {
  /** Writes what the oracle says of a checkout to a file. */
  account: (checkout: string, output: string) => void;
  hasFamilies: boolean;
}

const { values, positionals } = parseArgs({
  options: {
    oracle: { type: 'string' },
    tools: { type: 'string', default: 'node_modules' },
    exact: { type: 'boolean', default: false },
    differences: { type: 'string', default: '0' },
    /** Keeps accounts, which need not be made again for the same commit. */
    work: { type: 'string' },
  },
  allowPositionals: true,
});
const chosen = ORACLES[values.oracle ?? ''];
if (chosen === undefined || positionals.length === 0) {
  console.log(USAGE);
  process.exitCode = 1;
} else await main(chosen);

async function main(oracle: Oracle): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../../node_modules/.cache/compile');
  const folder = values.work ?? mkdtempSync(join(tmpdir(), 'svc-oracles-'));
  try {
    for (const path of positionals) await run(oracle, sourceAt(path), folder);
  } finally {
    if (values.work === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function run(oracle: Oracle, source: Source, folder: string): Promise<void> {
  const workspace = join(folder, `${values.oracle}-${source.name}-${source.commit.slice(0, 12)}`);
  const output = join(workspace, 'account.json');
  console.log(`## ${source.name} ${source.commit.slice(0, 12)}`);
  if (!existsSync(output)) {
    const checkout = join(workspace, 'checkout');
    mkdirSync(checkout, { recursive: true });
    await checkOut(source, checkout);
    oracle.account(checkout, output);
  }
  // Written by the program of the oracle just now.
  const account = JSON.parse(readFileSync(output, 'utf8')) as OracleAccount;
  for (const isExact of values.exact ? [false, true] : [false]) {
    const index = await indexOf(source, workspace, isExact);
    report(isExact ? 'exact' : 'resolved', compare(account, index, oracle));
  }
}

function clangAccount(checkout: string, output: string): void {
  const python = process.env['ORACLE_PYTHON'] ?? 'python3';
  execFileSync(python, [join(import.meta.dirname, 'clang-oracle.py'), checkout, output], { stdio: 'inherit' });
}

function typescriptAccount(checkout: string, output: string): void {
  const types = dirname(dirname(createRequire(import.meta.url).resolve('@types/node/package.json')));
  const program = join(import.meta.dirname, 'typescript-oracle.mjs');
  execFileSync(process.execPath, ['--max-old-space-size=8000', program, values.tools, checkout, types, output], {
    stdio: 'inherit',
  });
}

function report(
  title: string,
  { definitions, definitionsApart, usages, calls, unknown, differences }: Comparison,
): void {
  const total = [...usages.values()].reduce(
    (sum, tally) => ({
      right: sum.right + tally.right,
      wrong: sum.wrong + tally.wrong,
      missed: sum.missed + tally.missed,
    }),
    { right: 0, wrong: 0, missed: 0 },
  );
  console.log(`${title}: definitions ${rates(definitions)}; in other files ${rates(definitionsApart)}`);
  console.log(`${title}: usages ${rates(total)}`);
  for (const [kind, tally] of usages) console.log(`  ${kind.padEnd(10)} ${rates(tally)}`);
  if (calls.right + calls.missed > 0) console.log(`${title}: calls to other files ${rates(calls)}`);
  console.log(`${title}: symbols of the oracle that are not there: ${unknown}`);
  const most = Number(values.differences);
  for (const [what, list] of Map.groupBy(differences, (difference) => difference.what)) {
    console.log(`  ${what}: ${list.length}`);
    const step = Math.max(1, Math.floor(list.length / most));
    for (const [at, { kind, location, about }] of list.entries())
      if (most > 0 && at % step === 0 && at / step < most) console.log(`    ${kind} ${location} <- ${about}`);
  }
}

function rates({ right, wrong, missed }: Tally): string {
  const [precision, recall] = [right / Math.max(1, right + wrong), right / Math.max(1, right + missed)];
  const f = (2 * precision * recall) / Math.max(1e-9, precision + recall);
  return `P ${percent(precision)} R ${percent(recall)} F1 ${percent(f)} (${right} right, ${wrong} wrong, ${missed} missed)`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
