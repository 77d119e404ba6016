import type { FileFacts, Language } from '../facts/facts.ts';
import type { TreeExtractor } from './trees.ts';

/**
 * How a text is read. A declaration file is TypeScript in which everything is visible and nothing has a body; of a
 * component (Vue, Svelte) the scripts are read, and what its markup names.
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

/** A language, or one of the forms that its files take. Reading it loads no parser. */
export interface LanguageDefinition {
  parser: Parser;
  /** Names that people read, each with the extensions of its files, without dots. */
  names: readonly (readonly [name: string, extensions: string])[];
  /** Whole names of files, in lower case. */
  files?: readonly string[];
  /** How the names of programs start that a first line `#!` runs its files with. */
  programs?: RegExp;
  /** The language whose names its files see, when it is another one. */
  group?: LanguageGroup;
  /** Another language of the repository whose names its files see, and whose files see its names. */
  sharesNamesWith?: LanguageGroup;
  /** Functions of one name are told apart by what they take. */
  hasOverloads?: true;
  /** A field and a method of a class may have one name: a call means the method. */
  separatesMethods?: true;
  /** Methods of an anonymous class are symbols: they implement what others look for. */
  hasAnonymousClasses?: true;
  /** Functions outside of a type may be called as its members, also of types of the language itself. */
  extendsBuiltins?: true;
  /** The keys of a literal are fields of a struct, or values of any other type. */
  hasValueKeys?: true;
  /** A function literal that names no parameter may take one all the same. */
  hasUnnamedParameter?: true;
  /** The package whose files are a program: nobody imports it. */
  programPackage?: string;
  /** What other files may import: all of a file but what is private by its name, whether it is exported or not. */
  offersAllButPrivate?: true;
  /** `export * from` hands on the names of a module; elsewhere a star only makes them visible in the file. */
  handsOnModules?: true;
  /** Of its files only the headings are read, not the comments. */
  isProse?: true;
  /** A function that a method of a map calls is given the key, then the value. */
  givesKeysFirst?: true;
  /** Only methods override; other members of the same name hide those of the base. */
  overridesMethodsOnly?: true;
  /** What a file imports is no name of it for others, unless it exports it. */
  hidesImports?: true;
  /** Its names are those of every file, as long as it imports nothing. */
  isAmbient?: true;
  /**
   * A use depends on the names that its file mentions and what those are made from, on nothing else: after a change only
   * names that may mean something else are resolved. In others it depends on where declarations stand.
   */
  resolvesByName?: true;
  /** A file comes to names of another one only by importing it, or a file that hands them on; but for ambient ones. */
  seesByImport?: true;
  /** A file may write a name otherwise than it is declared. */
  isRewritten?: true;
  /** What loads its parser: of a whole text, or of the tree of a grammar with this name in `grammars/`. */
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
