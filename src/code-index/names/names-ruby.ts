import { type NameRules, pathEnds } from './names-rules.ts';
import { dirnameOf, joinPath } from '../program/paths.ts';
import type { Program } from '../program/program.ts';

/** Where a library of Ruby keeps what `require` names, from the folder of the library. */
const RUBY_ROOTS = ['lib', 'app', 'spec', 'test', ''];

/** Constants go by full name over all files; a method sees the methods of its class, and what the top level defines. */
export function rubyRules(program: Program): NameRules {
  const ends = pathEnds(program, '.rb');
  return {
    separator: '::',
    spaceOf: () => '',
    module: ({ path }, source, at) => {
      const file = source.endsWith('.rb') ? source : `${source}.rb`;
      if (/^\.{1,2}\//.test(source)) return program.fileIds.get(joinPath(dirnameOf(path), file)) ?? -1;
      for (const root of RUBY_ROOTS) {
        const found = program.fileIds.get(joinPath(root, file));
        if (found !== undefined) return found;
      }
      return ends(`lib/${file}`) ?? at(source);
    },
    hasBareMembers: true,
    isClosed: true,
    hasSides: true,
    fallback: 'global',
  };
}
