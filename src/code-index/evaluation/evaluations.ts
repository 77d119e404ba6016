import {
  type BuiltinTypes,
  cppTypes,
  csharpTypes,
  goTypes,
  javaTypes,
  kotlinTypes,
  noTypes,
  phpTypes,
  rustTypes,
  scalaTypes,
  swiftTypes,
} from './builtins.ts';
import { attachedEvaluation } from './evaluation-attached.ts';
import type { Evaluation } from './evaluation.ts';
import { mergedEvaluation } from './evaluation-merged.ts';
import { pythonEvaluation } from './evaluation-python.ts';
import { typescriptEvaluation } from './evaluation-typescript.ts';
import { PythonModules } from '../names/modules-python.ts';
import { typescriptModules } from '../names/modules-typescript.ts';
import { BashNames } from '../names/names-bash.ts';
import { GoNames } from '../names/names-go.ts';
import { JavaNames } from '../names/names-java.ts';
import { PythonNames } from '../names/names-python.ts';
import { QualifiedNames } from '../names/names-qualified.ts';
import { phpRules } from '../names/names-php.ts';
import { rubyRules } from '../names/names-ruby.ts';
import { cppRules, csharpRules, kotlinRules, type NameRules, scalaRules, swiftRules } from '../names/names-rules.ts';
import { rustCollections } from './members-rust.ts';
import { RustNames } from '../names/names-rust.ts';
import { SqlNames } from '../names/names-sql.ts';
import { TypescriptNames } from '../names/names-typescript.ts';
import { foldersOfPackages } from '../names/workspaces.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import type { Program } from '../program/program.ts';

/** Files of one group of languages, and what configures them. */
interface GroupSource {
  group: LanguageGroup;
  program: Program;
  configs: ReadonlyMap<string, string>;
}

/** Factories of the evaluation of names, by group of languages. */
const EVALUATIONS: Record<LanguageGroup, (source: GroupSource) => Evaluation> = {
  typescript: ({ program, configs }) =>
    typescriptEvaluation(
      program,
      new TypescriptNames(program, typescriptModules(program, configs), foldersOfPackages(configs)),
    ),
  python: ({ program }) => pythonEvaluation(program, new PythonNames(program, new PythonModules(program))),
  go: ({ group, program, configs }) =>
    attachedEvaluation(program, new GoNames(program, group, configs), { builtins: goTypes, group }),
  java: ({ group, program }) =>
    attachedEvaluation(program, new JavaNames(program, group), { builtins: javaTypes, group }),
  rust: ({ group, program, configs }) =>
    attachedEvaluation(program, new RustNames(program, configs), {
      builtins: rustTypes,
      group,
      collections: rustCollections,
    }),
  ruby: (source) => createMerged(source, rubyRules(source.program), noTypes),
  php: (source) => createMerged(source, phpRules(source.program), phpTypes),
  swift: (source) => createMerged(source, swiftRules, swiftTypes),
  scala: (source) => createMerged(source, scalaRules, scalaTypes),
  csharp: (source) => createMerged(source, csharpRules(source.configs), csharpTypes),
  kotlin: (source) => createMerged(source, kotlinRules, kotlinTypes),
  cpp: (source) => createMerged(source, cppRules(source.program), cppTypes),
  bash: ({ group, program }) =>
    attachedEvaluation(program, new BashNames(program, group), { builtins: noTypes, group }),
  sql: sharedNames,
  markdown: sharedNames,
};

/** The evaluation of a group of languages over a program. */
export function createEvaluationOf(
  group: LanguageGroup,
  program: Program,
  configs: ReadonlyMap<string, string>,
): Evaluation {
  return EVALUATIONS[group]({ group, program, configs });
}

function createMerged({ group, program }: GroupSource, rules: NameRules, builtins: BuiltinTypes): Evaluation {
  return mergedEvaluation(program, new QualifiedNames(program, group, rules), { ...rules, builtins, group });
}

/** Creates the evaluation for languages whose files see what any other declares. */
function sharedNames({ group, program }: GroupSource): Evaluation {
  return mergedEvaluation(program, new SqlNames(program, group), { builtins: noTypes, hasSides: false, group });
}
