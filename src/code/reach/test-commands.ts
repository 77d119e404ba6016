import { type BuildFile, definitionOf, type TestCommand } from '../../languages/languages.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { pathOf, TextReader } from '../files/store-files.ts';
import { folderOf } from '../map/folders.ts';
import { saysTasks, tasksOf } from '../map/tasks.ts';

/** Tests of one runner that a command names; of more it runs their files. */
const MOST_TARGETS = 6;
/** Lines of a file that are read for what it says about tests. */
const MOST_LINES = 2_000;

interface TestToRun {
  file: number;
  /** -1 for the whole file. */
  symbol: number;
  isExample: boolean;
}

/** Says how tests are run, by what the files around them say. */
export class TestCommands {
  readonly #db: ShardDatabase;
  readonly #text: TextReader;
  readonly #folders = new Map<string, { id: number; name: string }[]>();
  readonly #texts = new Map<number, string>();
  readonly #made: { file: number; command: TestCommand }[] = [];

  constructor(db: ShardDatabase) {
    this.#db = db;
    this.#text = new TextReader(db);
  }

  /** The command that runs one test; `symbol` is its function, or -1. Undefined where the repository does not say how. */
  of({ file, symbol, isExample }: TestToRun): string | undefined {
    const command = this.#command({ file, symbol, isExample });
    if (command === undefined) return undefined;
    this.#made.push({ file, command });
    return written(command, [command.target]);
  }

  #command({ file, symbol, isExample }: TestToRun): TestCommand | undefined {
    const path = pathOf(this.#db, file);
    return (
      definitionOf(path)?.tests?.command({
        path,
        symbol: symbol === -1 ? '' : this.#qualified(symbol),
        text: this.#read(file),
        isExample,
        upward: (name) => this.#upward(path, name),
      }) ?? this.#task(path)
    );
  }

  /** The commands that were made so far, those of one runner joined. */
  joined(): string[] {
    const commands = groupsOf(this.#made).flatMap((group) => {
      if (new Set(group.map(({ command }) => command.target)).size <= MOST_TARGETS) return [group];
      const whole = [...new Set(group.map(({ file }) => file))].flatMap((file) => {
        const command = this.#command({ file, symbol: -1, isExample: false });
        return command === undefined ? [] : [{ file, command }];
      });
      return groupsOf(whole);
    });
    return commands.flatMap((group) => {
      const [first] = group;
      const targets = new Set(group.map(({ command }) => command.target));
      return first === undefined ? [] : [written(first.command, [...targets])];
    });
  }

  /** Command that runs all tests, as a file around states it. */
  #task(path: string): TestCommand | undefined {
    for (const { folder, name, text } of this.#upward(path, /./, saysTasks)) {
      const beside = new Set(this.#filesIn(folder).map((file) => file.name));
      const task = tasksOf(joined(folder, name), text, beside).find((one) => one.task === 'test');
      // What a script runs stands behind its name.
      if (task !== undefined) return { folder, start: task.command.replace(/ {2}\(.*\)$/, ''), target: '' };
    }
    return undefined;
  }

  #upward(path: string, name: RegExp, isMeant: (path: string) => boolean = () => true): BuildFile[] {
    const buildFiles: BuildFile[] = [];
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      for (const file of this.#filesIn(folder))
        if (name.test(file.name) && isMeant(joined(folder, file.name)))
          buildFiles.push({ folder, name: file.name, text: this.#read(file.id) });
      if (folder === '') return buildFiles;
    }
  }

  #filesIn(folder: string): { id: number; name: string }[] {
    const cached = this.#folders.get(folder);
    if (cached !== undefined) return cached;
    const start = folder === '' ? '' : `${folder}/`;
    const rows = this.#db
      .prepare(
        "select id, substr(path, ?2) as name from file where path >= ?1 and path < ?3 and instr(substr(path, ?2), '/') = 0",
      )
      .all(start, start.length + 1, folder === '' ? '\u{10ffff}' : `${folder}0`) as { id: number; name: string }[];
    this.#folders.set(folder, rows);
    return rows;
  }

  #read(file: number): string {
    const text = this.#texts.get(file) ?? this.#text.lines(file, 1, MOST_LINES).join('\n');
    this.#texts.set(file, text);
    return text;
  }

  #qualified(symbol: number): string {
    const row = this.#db.prepare('select qualified from symbol where id = ?').get(symbol) as { qualified: string };
    return row.qualified;
  }
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function written({ folder, start, join = ' ', end = '' }: TestCommand, targets: readonly string[]): string {
  const command = `${start}${targets.join(join)}${end}`.trim();
  return folder === '' ? command : `cd ${folder} && ${command}`;
}

/** Commands that differ in their targets only. */
function groupsOf<Made extends { command: TestCommand }>(made: readonly Made[]): Made[][] {
  const keyOf = ({ command: { folder, start, join, end } }: Made): string => JSON.stringify([folder, start, join, end]);
  return [...Map.groupBy(made, keyOf).values()];
}
