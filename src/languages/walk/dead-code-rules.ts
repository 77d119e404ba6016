/** A symbol as the index knows it, as far as rules ask about it. */
export interface DeclaredSymbol {
  path: string;
  name: string;
  /** `function`, `method`, `class`: see the kinds of a shard. */
  kind: string;
  /** Its head as it is written, in one line. */
  signature: string;
  isExported: boolean;
  isMember: boolean;
}

/** Location of a symbol: `line` is that of its head in `lines`, from 0. */
export interface ConditionalSymbol {
  path: string;
  lines: readonly string[];
  line: number;
  isMember: boolean;
}

/** Lines of a text, from 0: an array of them, or what cuts them out when asked. Asked only from 0 on. */
export interface Lines {
  at(index: number): string | undefined;
}

/** Files whose exports a program outside of the repository takes by their place. */
interface Convention {
  name: string;
  path: RegExp;
  /** Holds only in a repository with a manifest that names such a package. */
  needs?: RegExp;
}

/** Modules that a text loads by names that are put together when it runs. */
export interface LoadedModules {
  /** True if it loads something whose name is known only when it runs. */
  loads: boolean;
  /** Packages whose modules it loads, `shop.jobs`; `.` is the package that the file is in. */
  packages: string[];
  /** Folders that it may list, `jobs/daily`, from the folder of the file or one around it; `.` is its own. */
  folders: string[];
}

/**
 * Rules of a language for finding symbols that nothing uses: what is called without being named, what others may take, and what
 * is private. For languages whose references are resolved by scope, import and type.
 */
export interface DeadCodeRules {
  /** Names that the language, a runtime or a runner of tests calls. */
  calledNames?: RegExp;
  /** Names of methods with which a program starts: their class is one. */
  programMethods?: RegExp;
  /** Names of methods that a runner of tests calls. */
  testMethods?: RegExp;
  conventions?: readonly Convention[];
  /** A file is a module that others name by its path: what its package offers stands in its entry files. */
  hasPathModules?: true;
  /** True if all that a file exports is for other programs. */
  offersExports?: (path: string, isProgram: boolean) => boolean;
  /** True if other programs can import a top-level symbol, though nothing here says that they do. */
  isImportable?: (symbol: DeclaredSymbol) => boolean;
  /** Whether a file is no module: what is loaded with it, or loads it as a text, can use its names. */
  isScript?: (path: string, text: string) => boolean;
  /** True if what documents speak of is offered: nothing else says what a package offers. */
  offersDocumented?: true;
  /** Mark of a program in the text of a file, and the file of a folder that is a module. */
  programs?: { text: RegExp; moduleFile: string };
  /** Strings name symbols by the path of their module. */
  quotesModulePaths?: true;
  /** Names that a text uses where nothing resolves them. */
  looseNames?: (text: string) => Iterable<string>;
  /** Returns the modules that a text loads or lists at run time; undefined when there are none. */
  loadedModules?: (text: string) => LoadedModules | undefined;
  /** Names of top-level symbols are put together when the program runs. */
  buildsNames?: true;
  /** Macros make code that is not resolved: what has the name of something unresolved lives. */
  hasMacros?: true;
  /** True if programs in other languages call the symbol on a line. `registers`: whether marks above a line do that. */
  isForeign?: (lines: Lines, index: number, registers: (index: number) => boolean) => boolean;
  /** True if the method on a line is in a block that implements a trait. */
  isTraitMethod?: (lines: Lines, index: number) => boolean;
  /** True if the values below the constant on a line (from 0) are counted from it. */
  isCountedFrom?: (lines: readonly string[], line: number) => boolean;
  /** True if a build, by its platform or settings, or a condition decides that a symbol is there. */
  isConditional?: (symbol: ConditionalSymbol) => boolean;
  /** Returns the paths, as beginnings, that the text of a file includes only on such a condition. */
  conditionalPaths?: (path: string, text: string) => string[];
  /** A text with this says that classes are taken because they derive from another one; so may bases that are not here. */
  registersSubclasses?: RegExp;
  /** True if a method that is written outside of its type is private. Without it none is reported. */
  isPrivateMethod?: (symbol: DeclaredSymbol) => boolean;
  /** True if nothing outside of its class can use a member; without it, members that are not exported are private. */
  isPrivateMember?: (symbol: DeclaredSymbol) => boolean;
  /** Whoever takes one of two objects with methods of one name may take the other. */
  isDuckTyped?: true;
  /** True if members that are not private are not reported. */
  tellsPrivateMembersOnly?: true;
  /** True if members of an enum are not reported. */
  keepsEnumMembers?: true;
  /** True if fields are not reported. */
  keepsFields?: true;
  /** Reflection reads fields, but for those of types with such a head, which are not reported. */
  reflectedFields?: { except: RegExp };
  /** The list of bases in the head of a class, and those that are none; without it, what follows `extends` and `implements`. */
  bases?: { list: RegExp; except: RegExp };
}

/**
 * For languages of which only private functions and types are reported, and never as certain: too many of their references are
 * found by name alone, and libraries, storyboards and runtimes ask for the rest.
 */
export interface PrivateCodeRules {
  /** True if only its file can use a symbol. */
  isOfFile: (symbol: DeclaredSymbol) => boolean;
  /** In a text with this, names are put together. */
  joinsNames?: RegExp;
}
