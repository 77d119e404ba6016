import {
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
import { mergedEvaluation, type MergedNames, type MergedRules } from './evaluation-merged.ts';
import { pythonEvaluation } from './evaluation-python.ts';
import { typescriptEvaluation } from './evaluation-typescript.ts';
import { PythonModules } from './modules-python.ts';
import { typescriptModules } from './modules-typescript.ts';
import { BashNames } from './names-bash.ts';
import { GoNames } from './names-go.ts';
import { JavaNames } from './names-java.ts';
import { PythonNames } from './names-python.ts';
import { QualifiedNames } from './names-qualified.ts';
import { cppRules, csharpRules, kotlinRules, phpRules, rubyRules, scalaRules, swiftRules } from './names-rules.ts';
import { RustNames } from './names-rust.ts';
import { SqlNames } from './names-sql.ts';
import { TypescriptNames } from './names-typescript.ts';
import type { LanguageGroup } from '../../languages/languages.ts';
import type { Program } from './program.ts';

/** The evaluation of a group of languages over a program. */
export function createEvaluationOf(
  group: LanguageGroup,
  program: Program,
  configs: ReadonlyMap<string, string>,
): Evaluation {
  const merged = (names: MergedNames, rules: Omit<MergedRules, 'group'>): Evaluation =>
    mergedEvaluation(program, names, { ...rules, group });
  switch (group) {
    case 'python':
      return pythonEvaluation(program, new PythonNames(program, new PythonModules(program)));
    case 'go':
      return attachedEvaluation(program, new GoNames(program, configs), { builtins: goTypes, group });
    case 'java':
      return attachedEvaluation(program, new JavaNames(program), { builtins: javaTypes, group });
    case 'rust':
      return attachedEvaluation(program, new RustNames(program, configs), { builtins: rustTypes, group });
    case 'ruby':
      return merged(new QualifiedNames(program, rubyRules(program)), { builtins: noTypes, hasSides: true });
    case 'php':
      return merged(new QualifiedNames(program, phpRules(program)), { builtins: phpTypes, hasSides: false });
    case 'swift':
      return merged(new QualifiedNames(program, swiftRules()), { builtins: swiftTypes, hasSides: false });
    case 'scala':
      return merged(new QualifiedNames(program, scalaRules()), { builtins: scalaTypes, hasSides: false });
    case 'csharp':
      return merged(new QualifiedNames(program, csharpRules()), { builtins: csharpTypes, hasSides: false });
    case 'kotlin':
      return merged(new QualifiedNames(program, kotlinRules()), { builtins: kotlinTypes, hasSides: false });
    case 'cpp':
      return merged(new QualifiedNames(program, cppRules(program)), { builtins: cppTypes, hasSides: false });
    case 'sql':
    case 'markdown':
      return merged(new SqlNames(program), { builtins: noTypes, hasSides: false });
    case 'bash':
      return attachedEvaluation(program, new BashNames(program), { builtins: noTypes, group });
    case 'typescript':
      return typescriptEvaluation(program, new TypescriptNames(program, typescriptModules(program, configs)));
  }
}
