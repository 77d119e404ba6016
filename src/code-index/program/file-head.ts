import { DefinitionKind, type FileFacts } from '../../languages/facts/facts.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import type { Program } from './program.ts';

/** What a file of a package is to the others before any of them uses it: its package, and what it declares at its top. */
export interface FileHead {
  packageName: string;
  /** Local definitions but imports. */
  top: readonly TopDefinition[];
}

type TopDefinition = readonly [local: number, kind: number, name: string];

/** A file with the program-wide id of its first definition. */
interface HeadedFile {
  file: number;
  base: number;
  head: FileHead;
}

export function headOf({ packageName, definitions, strings }: FileFacts): FileHead {
  const top: TopDefinition[] = [];
  for (let local = 0; local < definitions.count; local += 1) {
    const kind = definitions.kind(local);
    if (definitions.scope(local) === 0 && kind !== DefinitionKind.import)
      top.push([local, kind, strings[definitions.name(local)] ?? '']);
  }
  return { packageName, top };
}

/** The heads of the files of some groups, in order. A program that grows loads none of them. */
export function* headsOf(program: Program, ...groups: readonly (LanguageGroup | undefined)[]): Generator<HeadedFile> {
  for (const [file, group] of program.groups.entries()) {
    if (group === undefined || !groups.includes(group)) continue;
    if (program.headOf !== undefined) {
      yield { file, ...program.headOf(file) };
      continue;
    }
    const unit = program.units[file];
    if (unit !== undefined) yield { file, base: unit.base, head: headOf(unit.facts) };
  }
}

export function packHead({ packageName, top }: FileHead): string {
  return JSON.stringify([packageName, ...top.flat()]);
}

export function unpackHead(text: string): FileHead {
  const [packageName, ...values] = JSON.parse(text) as [string, ...(number | string)[]];
  const top: TopDefinition[] = [];
  for (let at = 0; at < values.length; at += 3)
    top.push([Number(values[at]), Number(values[at + 1]), String(values[at + 2])]);
  return { packageName, top };
}
