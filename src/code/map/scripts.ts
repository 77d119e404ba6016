import { readTable } from '../../kernel/toml.ts';
import { baseName, SCRIPT_TABLES } from './manifests.ts';

/** A command that installing a package makes: its name, and the module and function that it starts. */
interface Script {
  name: string;
  /** `shop.main`. */
  module: string;
  /** '' when the module itself is run. */
  symbol: string;
}

const READERS: readonly [RegExp, (text: string) => Script[]][] = [
  [/^pyproject\.toml$/, ofPyproject],
  [/^setup\.cfg$/, ofSetupCfg],
  [/^setup\.py$/, ofSetup],
];

/** True if a file may name commands of a Python package. */
export function namesScripts(path: string): boolean {
  return READERS.some(([pattern]) => pattern.test(baseName(path)));
}

/** The commands that a manifest names as text; a list that is computed has none. */
export function scriptsOf(path: string, text: string): Script[] {
  const [, read] = READERS.find(([pattern]) => pattern.test(baseName(path))) ?? [];
  return read?.(text) ?? [];
}

function ofPyproject(text: string): Script[] {
  return SCRIPT_TABLES.flatMap((table) =>
    [...(readTable(text, table) ?? [])].flatMap(([name, value]) => {
      const target = /["']([^"']+)["']/.exec(value)?.[1] ?? '';
      return readScript(`${name} = ${target}`);
    }),
  );
}

/** `console_scripts =` with a command a line. */
function ofSetupCfg(text: string): Script[] {
  const lists = text.matchAll(/^[ \t]*(?:console|gui)_scripts[ \t]*=(.*(?:\n[ \t]+\S.*)*)/gm);
  return [...lists].flatMap(([, list = '']) => list.split('\n').flatMap(readScript));
}

/** `"console_scripts": ["shop = shop.main:run"]`. */
function ofSetup(text: string): Script[] {
  const lists = text.matchAll(/\b(?:console|gui)_scripts["']?\s*[:=]\s*(\[[^\]]*\]|"[^"]*"|'[^']*')/g);
  return [...lists].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].flatMap(([, double, single]) => readScript(double ?? single ?? '')),
  );
}

/** `shop = shop.main:run`, with or without the optional parts that it needs behind it. */
function readScript(line: string): Script[] {
  const [, name, module, symbol = ''] =
    /^\s*([\w.-]+)\s*=\s*([\w.]+)(?:\s*:\s*([\w.]+))?\s*(?:\[[^\]]*\])?\s*$/.exec(line) ?? [];
  return name === undefined || module === undefined ? [] : [{ name, module, symbol: symbol.replaceAll('.', '/') }];
}
