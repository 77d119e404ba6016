import { SCRIPT_DEAD_CODE } from './dead-code.ts';
import { JAVASCRIPT_BUILT, JAVASCRIPT_FRAMES, JAVASCRIPT_INSTALLED } from './frames.ts';
import { SCRIPT_TESTS } from './test-rules.ts';
import { defineLanguage, type Extraction, refuseDepth } from '../walk/language.ts';

/** Returns the reader of TypeScript and JavaScript. Their files see the names of each other. */
const reader = (language: 'typescript' | 'tsx' | 'javascript', isDeclaration = false) => ({
  text: async (): Promise<Extraction> => {
    const { extractTypeScript, TooDeep } = await import('./typescript.ts');
    return refuseDepth(TooDeep, (text) => extractTypeScript(language, text, isDeclaration));
  },
});

export const TYPESCRIPT_LANGUAGES = [
  defineLanguage({
    parser: 'declaration',
    names: [['TypeScript', 'd.ts d.mts d.cts', { importsModules: true }]],
    group: 'typescript',
    isAmbient: true,
    handsOnModules: true,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('typescript', true),
  }),
  defineLanguage({
    parser: 'typescript',
    names: [['TypeScript', 'ts mts cts', { importsModules: true }]],
    programs: /^(deno|tsx|ts-node)/,
    hidesImports: true,
    handsOnModules: true,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    seesByImport: true,
    moduleEndings: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
    barrels: /^index\.[cm]?[jt]sx?$/,
    frames: JAVASCRIPT_FRAMES,
    installed: JAVASCRIPT_INSTALLED,
    built: JAVASCRIPT_BUILT,
    reader: reader('typescript'),
  }),
  defineLanguage({
    parser: 'tsx',
    names: [['TypeScript', 'tsx', { importsModules: true }]],
    group: 'typescript',
    hidesImports: true,
    handsOnModules: true,
    asksCompiler: true,
    erasesTypes: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('tsx'),
  }),
  defineLanguage({
    parser: 'javascript',
    names: [['JavaScript', 'js jsx mjs cjs', { importsModules: true }]],
    programs: /^(node|bun)/,
    group: 'typescript',
    isUntyped: true,
    hidesImports: true,
    handsOnModules: true,
    asksCompiler: true,
    deadCode: SCRIPT_DEAD_CODE,
    tests: SCRIPT_TESTS,
    reader: reader('javascript'),
  }),
];
