import { compareTexts } from '../../kernel/text-order.ts';
import { readTable } from '../../kernel/toml.ts';
import { baseName, SCRIPT_TABLES } from './manifests.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import { packageMains } from '../dependencies/store-entry-points.ts';
import { symbolsOf } from '../files/store-files.ts';
import { folderOf, purposeOf } from './folders.ts';
import type { MapFile } from './map.ts';

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

const STARTING_IN_CLASSES = JSON.stringify([...namesOfLanguages(({ startsInClass }) => startsInClass === true)]);

/** Start of code from outside: a script that a manifest names, a main function, the main file of a package. */
export interface EntryFileRow {
  path: string;
  line: number;
  /** '' for a whole file. */
  symbol: string;
  reason: string;
}

const REASONS = ['script', 'main', 'package'];

/** Entry points among files: scripts and programs first, then what packages offer, the outermost file first. */
export function entryRows(db: ShardDatabase, files: readonly MapFile[], read: (id: number) => string): EntryFileRow[] {
  const byId = new Map(files.map((file) => [file.id, file] as const));
  const entries = [...scriptRows(db, files, read), ...mainRows(db, byId), ...packageFiles(db, byId)];
  const visited = new Set<string>();
  return entries
    .toSorted((a, b) => rank(a) - rank(b) || compareTexts(a.path, b.path) || a.line - b.line)
    .filter(({ path, symbol }) => {
      const key = `${path} ${symbol}`;
      return !visited.has(key) && visited.add(key).has(key);
    });
}

/** `flask = "flask.cli:main"` of a manifest: the file of the module, in the folder of the manifest if it is there, and the function in it. */
function scriptRows(db: ShardDatabase, files: readonly MapFile[], read: (id: number) => string): EntryFileRow[] {
  const select = db.prepare('select line from symbol where id >= ? and id < ? and qualified = ? order by id limit 1');
  return files
    .filter(({ path }) => namesScripts(path))
    .flatMap(({ id, path: manifest }) =>
      scriptsOf(manifest, read(id)).flatMap(({ name, module, symbol }): EntryFileRow[] => {
        const file = moduleFile(files, module, folderOf(manifest));
        if (file === undefined) return [];
        const { first, end } = symbolsOf(db, file.id);
        const { line = 1 } = (select.get(first, end, symbol) as { line: number } | undefined) ?? {};
        return [{ path: file.path, line, symbol, reason: `script ${name}` }];
      }),
    );
}

/** The file of a module by its name: of several the one nearest to the folder of its manifest. */
function moduleFile(files: readonly MapFile[], module: string, folder: string): MapFile | undefined {
  const path = module.replaceAll('.', '/');
  const outside = ({ path: file }: MapFile): number => (folder === '' || file.startsWith(`${folder}/`) ? 0 : 1);
  return files
    .filter((file) => [`/${path}.py`, `/${path}/__init__.py`].some((end) => `/${file.path}`.endsWith(end)))
    .toSorted((a, b) => outside(a) - outside(b) || a.path.length - b.path.length)[0];
}

/** Functions called main that are outermost; methods where programs of the language start in one; modules that are run by name. */
function mainRows(db: ShardDatabase, files: ReadonlyMap<number, MapFile>): EntryFileRow[] {
  const rows = db
    .prepare(
      // The index of names does not tell capitals from small letters.
      `select s.file, s.line, s.qualified from symbol s join name n on n.id = s.name join file f on f.id = s.file left join symbol p on p.id = s.parent
        where n.text = 'main' collate nocase and n.text in ('main', 'Main') and p.parent is null and (s.parent is null and s.kind = 'function'
          or s.kind in ('function', 'method') and p.kind in ('class', 'struct', 'interface', 'object', 'enum')
            and f.language in (select value from json_each(?))) order by s.id`,
    )
    .all(STARTING_IN_CLASSES) as { file: number; line: number; qualified: string }[];
  const functions = rows.flatMap(({ file, line, qualified }): EntryFileRow[] => {
    const path = files.get(file)?.path;
    return path === undefined ? [] : [{ path, line, symbol: qualified, reason: 'main' }];
  });
  const modules = [...files.values()].filter(({ path }) => /(?:^|\/)__main__\.py$/.test(path));
  return [...functions, ...modules.map(({ path }) => ({ path, line: 1, symbol: '', reason: 'main' }))];
}

function packageFiles(db: ShardDatabase, files: ReadonlyMap<number, MapFile>): EntryFileRow[] {
  const mains = db.derived('named_package_mains', () => packageMains(db, { patterns: false }));
  return [...mains].flatMap((file) => {
    const path = files.get(file)?.path;
    return path === undefined ? [] : [{ path, line: 1, symbol: '', reason: 'package' }];
  });
}

/** Examples, tests and tools last; scripts, programs, packages; the outermost file first, of these the one that bears a main file's name. */
function rank({ path, reason }: EntryFileRow): number {
  const aside = purposeOf(folderOf(path)) === undefined ? 0 : 1;
  const isNamed = /(?:^|\/)(?:index|main|mod|lib|__init__)\.\w+$/.test(path);
  const sort = REASONS.indexOf(reason.split(' ')[0] ?? '');
  return aside * 10_000 + sort * 1_000 + path.split('/').length * 2 + (isNamed ? 0 : 1);
}
