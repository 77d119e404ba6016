import type { FileFacts, Language } from '../facts/facts.ts';
import type { DeadCodeRules, PrivateCodeRules } from './dead-code-rules.ts';
import type { TestRules } from './test-rules.ts';
import type { TreeExtractor } from './trees.ts';

/**
 * Parser of a text. A declaration file is TypeScript in which everything is visible and nothing has a body; of a component
 * (Vue, Svelte) the scripts are read, and what its markup names.
 */
export type Parser = Language | 'declaration' | 'vue' | 'svelte';

/** Families of languages whose files can name each other. */
export type LanguageGroup = Exclude<Language, 'tsx' | 'javascript'>;

/** Reads one text. @throws NotExtracted when it cannot be read. */
export type Extraction = (text: string) => FileFacts;

/** A text has no facts. The message is a short reason, for the coverage. */
export class NotExtracted extends Error {
  override readonly name = 'NotExtracted';
}

/**
 * Format of one line of a stack trace as a runtime writes it: the location of the program. Groups of the pattern: `path`,
 * `line` (from 1), `symbol`, and `scope` for the class of a runtime that names no path.
 */
export interface FrameForm {
  pattern: RegExp;
  /** The innermost call, where it failed, stands last. */
  isLastInnermost?: true;
  /** `path` is the name of a file alone; its folders are those of the package in `scope`. */
  isInPackage?: true;
}

/** Traits of files that are searched for names as texts. */
export interface TextTraits {
  /**
   * Any word of a template may name code, as may those in the tags and braces of markup; words of data, what documents mark as
   * code, and what commands start.
   */
  text?: 'template' | 'markup' | 'data' | 'document' | 'commands';
  /** It imports modules by their path, as scripts do. */
  importsModules?: true;
  /** Its files are no code: they are data, or prose for people. */
  content?: 'data' | 'prose';
}

/** A language, or one of the forms that its files take. Reading it loads no parser. */
export interface LanguageDefinition {
  parser: Parser;
  /** Names that people read, each with the extensions of its files, without dots, and what its texts are for. */
  names: readonly (readonly [name: string, extensions: string, traits?: TextTraits])[];
  /** Whole names of files, in lower case. */
  files?: readonly string[];
  /** Start of the names of programs that a first line `#!` runs its files with. */
  programs?: RegExp;
  /** The language whose names its files see, when it is another one. */
  group?: LanguageGroup;
  /** Another language of the repository whose names its files see, and whose files see its names. */
  sharesNamesWith?: LanguageGroup;
  /** Functions of one name are told apart by what they take. */
  hasOverloads?: true;
  /** A scope declares each name once, in some languages methods apart: a second declaration is that of another build. */
  declaresOnce?: 'all' | 'all but methods';
  /** A field and a method of a class may have one name: a call means the method. */
  separatesMethods?: true;
  /** Functions outside of a type may be called as its members, also of types of the language itself. */
  extendsBuiltins?: true;
  /** The keys of a literal are fields of a struct, or values of any other type. */
  hasValueKeys?: true;
  /** A function literal that names no parameter may take one all the same. */
  hasUnnamedParameter?: true;
  /** The package whose files are a program: nothing imports it. */
  programPackage?: string;
  /** True if other files may import all of a file but what is private by its name, whether it is exported or not. */
  offersAllButPrivate?: true;
  /** `export * from` hands on the names of a module; elsewhere a star only makes them visible in the file. */
  handsOnModules?: true;
  /** True if only the headings of its files are read, not the comments. */
  isProse?: true;
  /** Its files may be markup around code. */
  isMarkup?: true;
  /** Its files declare data; they are no code. */
  declaresData?: true;
  /** The method that calling an object calls. */
  calledMethod?: string;
  /** The method that making an instance calls, where no rule of `deadCode` has its name. */
  constructorName?: string;
  /** A function that a method of a map calls is given the key, then the value. */
  givesKeysFirst?: true;
  /** Only methods override; other members of the same name hide those of the base. */
  overridesMethodsOnly?: true;
  /** True if what a file imports is no name of it for others, unless it exports it. */
  hidesImports?: true;
  /** Its names are those of every file, as long as it imports nothing. */
  isAmbient?: true;
  /** Returns the paths of the files that a file may declare the names of: what both name is one thing. */
  describedPaths?: (path: string) => string[];
  /**
   * After a change of what other files see, all files of the language are resolved: they write names otherwise than these are
   * declared. In others a use depends on the names that its file mentions and what those are made from, on nothing else.
   */
  isResolvedWhole?: true;
  /** `import a.*` makes names visible in its file; others cannot come to them through it. */
  seesStarsAlone?: true;
  /** Folder that is the module of the files in it; its name is the group. */
  moduleFolder?: RegExp;
  /** A type may be declared in parts, of which the largest speaks for it. */
  declaresInParts?: true;
  /** Types that expressions have without their names. */
  unwrittenTypes?: readonly string[];
  /** Returns a shorter form in which files may write a name. */
  shortForm?: (name: string) => string;
  /** A file comes to names of another one only by importing it, or a file that hands them on; but for ambient ones. */
  seesByImport?: true;
  /** A file may write a name otherwise than it is declared. */
  isRewritten?: true;
  /** A `#` starts a comment. */
  hasHashComments?: true;
  /** Calls do not depend on annotations, as nobody checks them. */
  isUntyped?: true;
  /** A file is one component, which others know by the name of the file. */
  isComponent?: true;
  /** Endings that an import may leave out, the likeliest first. */
  moduleEndings?: readonly string[];
  /** Names of files that only pass on what others define. */
  barrels?: RegExp;
  /** File in which a package declares what it offers, from its folder. */
  packageFile?: string;
  /** A package may lie in another one, which speaks for it. */
  nestsPackages?: true;
  /** The files of a folder are a package, whatever they are called. */
  packsFolders?: true;
  /** An import names a package of many files: of those only the ones that are used count. */
  importsPackages?: true;
  /** True if declarations of a name in one folder are the same thing, once for each way to build it. */
  declaresPerBuild?: (path: string, name: string) => boolean;
  /** A function is declared in one file and has its body in another one. */
  declaresFunctionsApart?: true;
  /** Its files that are compiled by themselves; the others are texts that these take in. */
  compiledFiles?: RegExp;
  /** The path of the module that a file is, as texts name it: `shop/jobs` of `shop/jobs.py`. */
  modulePath?: (path: string) => string;
  /** Its references are resolved by scope, import and type: what has none may be called dead. */
  deadCode?: DeadCodeRules;
  /** Rules for its private code, the only code that is reported as dead. */
  privateCode?: PrivateCodeRules;
  /** Its files that only say what types others have, as stubs do: nothing in them runs, so nothing is dead. */
  declaringFiles?: RegExp;
  /**
   * Files that a library offers: all but its tests and internal folders, or the paths that match. Elsewhere its entry files
   * decide.
   */
  publicFiles?: 'all' | RegExp;
  /** Lines whose words may all be names that the file hands on to others. */
  exportLines?: RegExp;
  /** What other files may see is declared at the start of a line. */
  declaresAtMargin?: true;
  /** Names for others may stand alone on a line: in lists of exports, in groups of constants. */
  listsNames?: true;
  /** Its types say in blocks of their own which traits they implement. */
  implementsInBlocks?: true;
  /** Its types implement what they have all methods of, without saying so. */
  isStructural?: true;
  /** True if a question for a member means it alone, without the others of its override family. */
  asksMembersAlone?: true;
  /** Modules with the name `test` or `tests` hold tests. */
  hasTestModules?: true;
  /** Rules for finding and running its tests. */
  tests?: TestRules;
  /** Imports of types are gone at run time. */
  erasesTypes?: true;
  /** The head of an indented block that only type checkers read: what is imported there is gone at run time. */
  typeBlock?: RegExp;
  /** A program may start at the `main` of a class. */
  startsInClass?: true;
  /** Its compiler is asked what names mean that were not resolved. */
  asksCompiler?: true;
  /** Formats of the stack traces of its runtimes. */
  frames?: readonly FrameForm[];
  /**
   * Paths of the files of packages that its package managers install. Groups: `all`, the folder of all packages; `name` of the
   * package, or `module` where packages are often imported by another name than they are installed by; `path`, inside of the
   * package.
   */
  installed?: RegExp;
  /** The endings of files that compilers of it write, and of those that they write them from. */
  built?: { output: RegExp; source: RegExp };
  /** Loader of its parser: of a whole text, or of the tree of a grammar with this name in `grammars/`. */
  reader: { text: () => Promise<Extraction> } | { tree: () => Promise<TreeExtractor> };
}

export function defineLanguage(definition: LanguageDefinition): LanguageDefinition {
  return definition;
}

/** Says of a text that is too deep for an extraction that it cannot be read. */
export function refuseDepth(tooDeep: new () => Error, extract: Extraction): Extraction {
  return (text) => {
    try {
      return extract(text);
    } catch (error) {
      if (error instanceof tooDeep) throw new NotExtracted('too deeply nested', { cause: error });
      throw error;
    }
  };
}
