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
import { PythonModules } from './modules-python.ts';
import { typescriptModules } from './modules-typescript.ts';
import { BashNames } from './names-bash.ts';
import { GoNames } from './names-go.ts';
import { JavaNames } from './names-java.ts';
import { PythonNames } from './names-python.ts';
import { QualifiedNames } from './names-qualified.ts';
import {
  cppRules,
  csharpRules,
  kotlinRules,
  type NameRules,
  phpRules,
  rubyRules,
  scalaRules,
  swiftRules,
} from './names-rules.ts';
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
  const merged = (rules: NameRules, builtins: BuiltinTypes): Evaluation =>
    mergedEvaluation(program, new QualifiedNames(program, group, rules), { ...rules, builtins, group });
  switch (group) {
    case 'python':
      return pythonEvaluation(program, new PythonNames(program, new PythonModules(program)));
    case 'go':
      return attachedEvaluation(program, new GoNames(program, group, configs), { builtins: goTypes, group });
    case 'java':
      return attachedEvaluation(program, new JavaNames(program, group), { builtins: javaTypes, group });
    case 'rust':
      return attachedEvaluation(program, new RustNames(program, configs), { builtins: rustTypes, group });
    case 'ruby':
      return merged(rubyRules(program), noTypes);
    case 'php':
      return merged(phpRules(program), phpTypes);
    case 'swift':
      return merged(swiftRules, swiftTypes);
    case 'scala':
      return merged(scalaRules, scalaTypes);
    case 'csharp':
      return merged(csharpRules, csharpTypes);
    case 'kotlin':
      return merged(kotlinRules, kotlinTypes);
    case 'cpp':
      return merged(cppRules(program), cppTypes);
    case 'sql':
    case 'markdown':
      return mergedEvaluation(program, new SqlNames(program, group), { builtins: noTypes, hasSides: false, group });
    case 'bash':
      return attachedEvaluation(program, new BashNames(program, group), { builtins: noTypes, group });
    case 'typescript':
      return typescriptEvaluation(program, new TypescriptNames(program, typescriptModules(program, configs)));
  }
}
