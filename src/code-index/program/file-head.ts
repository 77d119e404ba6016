import type { FileFacts } from '../../languages/facts/facts.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import { holdsMembers, type Program } from './program.ts';

/** What a file of a package is to the others before any of them uses it: its package, and the types at its top. */
export interface FileHead {
  packageName: string;
  /** Local definitions with their names. */
  types: readonly (readonly [local: number, name: string])[];
}

/** A file with the program-wide id of its first definition. */
interface HeadedFile {
  file: number;
  base: number;
  head: FileHead;
}

export function headOf({ packageName, definitions, strings }: FileFacts): FileHead {
  const types: [number, string][] = [];
  for (let local = 0; local < definitions.count; local += 1)
    if (definitions.scope(local) === 0 && holdsMembers(definitions.kind(local)))
      types.push([local, strings[definitions.name(local)] ?? '']);
  return { packageName, types };
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

export function packHead({ packageName, types }: FileHead): string {
  return JSON.stringify([packageName, ...types.flat()]);
}

export function unpackHead(text: string): FileHead {
  const [packageName, ...values] = JSON.parse(text) as [string, ...(number | string)[]];
  const types: [number, string][] = [];
  for (let at = 0; at < values.length; at += 2) types.push([Number(values[at]), String(values[at + 1])]);
  return { packageName, types };
}
