import { defineLanguage, type FrameForm } from '../walk/language.ts';
import { pathFrom, shellWord, type TestCommand, type TestRules, type TestTarget } from '../walk/test-rules.ts';

/** Formats of stack traces of .NET. */
const CSHARP_FRAMES: readonly FrameForm[] = [
  {
    // at Shop.Mail.Mailer.Send(String to) in C:\app\Mailer.cs:line 12
    pattern: /^\s*at (?<symbol>[\w.`<>[\],+]+)\([^)]*\)(?: in (?<path>.+?):line (?<line>\d+))?\s*$/,
  },
];

const CSHARP_TESTS: TestRules = { command: dotnetTestCommand };

function dotnetTestCommand({ path, symbol, upward }: TestTarget): TestCommand | undefined {
  const [project] = upward(/\.(?:cs|fs|vb)proj$/);
  if (project === undefined) return undefined;
  const solution = upward(/\.slnx?$/).at(-1) ?? project;
  const { folder } = solution;
  const inside = pathFrom(folder, project.folder === '' ? project.name : `${project.folder}/${project.name}`);
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');
  const target = `FullyQualifiedName~${symbol === '' ? file : symbol.split('/').slice(-2).join('.')}`;
  return { folder, start: `dotnet test ${shellWord(inside)} --filter "`, target, join: '|', end: '"' };
}

export const CSHARP_LANGUAGE = defineLanguage({
  parser: 'csharp',
  names: [['C#', 'cs csx']],
  hasOverloads: true,
  hidesImports: true,
  seesStarsAlone: true,
  declaresInParts: true,
  unwrittenTypes: ['Type'],
  // `[Flags]` names `FlagsAttribute`.
  shortForm: (name) => name.replace(/Attribute$/, ''),
  publicFiles: 'all',
  tests: CSHARP_TESTS,
  frames: CSHARP_FRAMES,
  startsInClass: true,
  privateCode: {
    // A name in several parts with an underscore is how designers wire handlers: `button_Click`.
    isOfFile: ({ signature, isMember, name }) =>
      /^(?:\w+ )*private\b(?! protected\b)(?!.*\bpartial\b)/.test(signature) && !(isMember && name.includes('_')),
  },
  reader: { tree: async () => (await import('./csharp.ts')).CSHARP },
});
