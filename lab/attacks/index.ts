import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Attack, Check } from './attack.ts';
import { runAttack } from './context.ts';

const USAGE = `node lab/attacks/index.ts [--only abort,…] [--json] [--list]

Attacks services of its own, on loopback and on folders of its own, and prints what held. Ends with code 1 when something
did not. An attack is the export \`attack\` of a file of this folder.`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  const attacks = await selectAttacks(values.only?.split(','));
  if (values.list) {
    for (const { name, purpose } of attacks) console.log(`${name}: ${purpose}`);
    return;
  }
  const results: { attack: string; purpose: string; checks: Check[] }[] = [];
  for (const attack of attacks) {
    if (!values.json) console.log(`${attack.name}: ${attack.purpose}`);
    const checks = await runAttack(attack);
    results.push({ attack: attack.name, purpose: attack.purpose, checks });
    if (!values.json) for (const check of checks) console.log(lineOf(check));
  }
  if (values.json) console.log(JSON.stringify(results, undefined, 2));
  if (results.some(({ checks }) => checks.length === 0 || checks.some(({ held }) => !held))) process.exitCode = 1;
}

/** The attacks of this folder, by name. */
async function selectAttacks(names: readonly string[] | undefined): Promise<Attack[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => /(?<!\.d)\.ts$/.test(file) && file !== 'index.ts');
  const modules = await Promise.all(
    // Each file of this folder either is an attack or helps them.
    files.map((file) => import(join(import.meta.dirname, file)) as Promise<{ attack?: Attack }>),
  );
  const attacks = modules.flatMap(({ attack }) => (attack === undefined ? [] : [attack]));
  const unknown = names?.find((name) => !attacks.some((attack) => attack.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no attack "${unknown}": ${attacks.map(({ name }) => name).join(', ')}`);
  return attacks.filter(({ name }) => names?.includes(name) ?? true);
}

function lineOf({ held, name, detail }: Check): string {
  return `  ${held ? 'held    ' : 'NOT HELD'} ${name}${detail === '' ? '' : ` · ${detail}`}`;
}
