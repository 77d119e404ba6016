/** A file of a repository that says how something is built or tested. */
export interface BuildFile {
  /** '' for the root. */
  folder: string;
  name: string;
  text: string;
}

/** A test whose command is looked for. */
export interface TestTarget {
  /** Path of its file, from the root of the repository. */
  path: string;
  /** The qualified name of its function (`Class/method`); '' where the test has a title only, or all of the file is meant. */
  symbol: string;
  /** The text of its file. */
  text: string;
  /** True if it is an example of a documentation comment. */
  isExample: boolean;
  /** The files in its folder and those around it whose name fits, the nearest first. */
  upward: (name: RegExp) => BuildFile[];
}

/**
 * Command of one test, in parts: tests with the same beginning and end are run by one command, their targets joined by `join`.
 * `folder` is where it is run, '' for the root.
 */
export interface TestCommand {
  folder: string;
  start: string;
  target: string;
  join?: string;
  end?: string;
}

/** Rules for finding and running the tests of a language. */
export interface TestRules {
  /** Names of functions that a runner calls. Without it a function of a test file that nothing uses is one. */
  functions?: RegExp;
  /** Functions that are given the title of a test and its body. */
  blocks?: RegExp;
  /** A line above a function that makes it a value for the tests which have a parameter of its name. */
  fixtures?: RegExp;
  /** The name of files whose fixtures all tests in their folder have. */
  sharedFixtures?: RegExp;
  /** A line of a documentation comment with which an example begins that a runner runs. */
  examples?: RegExp;
  /** Returns the command of a test by what the repository itself states; undefined where it states nothing. */
  command: (target: TestTarget) => TestCommand | undefined;
}

/** A path from a folder around it. */
export function pathFrom(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1);
}

/** The folder of a path, '' for the root. */
export function folderAround(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** A word of a command line, quoted where a shell would read it otherwise. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./~^-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
