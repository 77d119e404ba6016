import type { NameRules } from './names-rules.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import type { Program } from '../program/program.ts';

/** Classes and functions go by name space and import; members need `$this`, `self` or a type. */
export function phpRules(program: Program): NameRules {
  return {
    separator: '\\',
    spaceOf: ({ facts }) => facts.packageName,
    module: ({ path }, source, at) => {
      if (!source.includes('/') && !source.endsWith('.php')) return at(source);
      const file = source.replace(/^\//, '');
      return program.fileIds.get(joinPath(dirnameOf(path), file)) ?? program.fileIds.get(file) ?? -1;
    },
    hasBareMembers: false,
    isClosed: true,
    hasSides: false,
    fallback: 'global',
  };
}
