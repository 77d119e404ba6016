import { goTypes, javaTypes, rustTypes } from './builtins.ts';
import { attachedEvaluation } from './evaluation-attached.ts';
import type { Evaluation } from './evaluation.ts';
import { pythonEvaluation } from './evaluation-python.ts';
import { typescriptEvaluation } from './evaluation-typescript.ts';
import { PythonModules } from './modules-python.ts';
import { typescriptModules } from './modules-typescript.ts';
import { GoNames } from './names-go.ts';
import { JavaNames } from './names-java.ts';
import { PythonNames } from './names-python.ts';
import { RustNames } from './names-rust.ts';
import { TypescriptNames } from './names-typescript.ts';
import type { LanguageGroup, Program } from './program.ts';

/** The evaluation of a group of languages over a program. */
export function createEvaluationOf(
  group: LanguageGroup,
  program: Program,
  configs: ReadonlyMap<string, string>,
): Evaluation {
  switch (group) {
    case 'python':
      return pythonEvaluation(program, new PythonNames(program, new PythonModules(program)));
    case 'go':
      return attachedEvaluation(program, new GoNames(program, configs), { builtins: goTypes, group });
    case 'java':
      return attachedEvaluation(program, new JavaNames(program), { builtins: javaTypes, group });
    case 'rust':
      return attachedEvaluation(program, new RustNames(program, configs), { builtins: rustTypes, group });
    case 'typescript':
      return typescriptEvaluation(program, new TypescriptNames(program, typescriptModules(program, configs)));
  }
}
