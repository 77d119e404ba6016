import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = constants;
/** Flags of opening. Windows has none of these: there a check before each step replaces them. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const FOLDER_ONLY = constants.O_DIRECTORY ?? 0;
/** Folder in which the system resolves names below an open folder, wherever its path leads by now. */
const OPEN_FOLDERS = process.platform === 'linux' && existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;
/** Largest file that is read: what the command line reads in a checkout is far smaller. */
const MOST_BYTES = 256 * 1024 * 1024;
const NEW_FILE_MODE = 0o666;
const PERMISSIONS = 0o777;
/** Codes by which systems report a link where none may be followed. */
const LINK_CODES: ReadonlySet<string> = new Set(['ELOOP', 'EMLINK', 'ENOTDIR']);

let begun = 0;

/** Begins the names of files that are being written. */
export const UNFINISHED = '.unfinished-';

/** A file that is being written beside its target. It is not visible before `finish`. */
interface UnfinishedFile {
  write: (part: Uint8Array) => void;
  /** Puts it into its place. */
  finish: () => void;
  /** Removes it, unless it is finished. */
  discard: () => void;
}

/**
 * A folder of a checkout, in which no step goes through a symbolic link: a repository can bring links that lead anywhere.
 * Everything is named relative to the open folder, one name at a time, so that a link which is put in the place of a folder
 * later changes nothing (on Linux by the open folder itself, elsewhere by comparing its identity before each step).
 *
 * All methods throw ServiceError `bad_argument` where they meet a link, or anything but a file or folder.
 */
export class SafeFolder implements Disposable {
  /** Path for people. */
  readonly path: string;
  readonly #descriptor: number;

  private constructor(path: string, descriptor: number) {
    this.path = path;
    this.#descriptor = descriptor;
  }

  /** Opens a folder that the user chose: the links in its own path are theirs. */
  static open(path: string): SafeFolder {
    return new SafeFolder(path, openSync(path, O_RDONLY | FOLDER_ONLY));
  }

  /** The folder of this name; undefined where nothing has the name. */
  enter(name: string): SafeFolder | undefined {
    if (this.kindOf(name) === undefined) return undefined;
    this.#require(name, 'folder');
    try {
      return new SafeFolder(join(this.path, name), openSync(this.#at(name), O_RDONLY | FOLDER_ONLY | NO_FOLLOW));
    } catch (error) {
      throw isLinkFault(error) ? unusablePath(join(this.path, name), 'folder') : error;
    }
  }

  /** The folder of this name, made where nothing has it. */
  make(name: string): SafeFolder {
    if (this.kindOf(name) === undefined) mkdirSync(this.#at(name));
    const made = this.enter(name);
    if (made === undefined) throw unusablePath(join(this.path, name), 'folder');
    return made;
  }

  /** Names of what is in it. */
  names(): string[] {
    return readdirSync(this.#itself());
  }

  /** Kind of what has the name; undefined where nothing has it. */
  kindOf(name: string): 'file' | 'folder' | 'link' | 'other' | undefined {
    const state = lstatSync(this.#at(name), { throwIfNoEntry: false });
    if (state === undefined) return undefined;
    if (state.isSymbolicLink()) return 'link';
    return state.isFile() ? 'file' : state.isDirectory() ? 'folder' : 'other';
  }

  /** True if a symbolic link has the name. */
  isLink(name: string): boolean {
    return this.kindOf(name) === 'link';
  }

  /** The content of a file; undefined where nothing has the name. */
  read(name: string): Buffer | undefined {
    if (this.kindOf(name) === undefined) return undefined;
    this.#require(name, 'file');
    const file = this.#openFile(name);
    try {
      const { size } = fstatSync(file);
      if (!fstatSync(file).isFile() || size > MOST_BYTES) throw unusablePath(join(this.path, name), 'file');
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Writes a file whole: readers see the former or the new one. Its permissions stay. */
  write(name: string, content: string | Uint8Array): void {
    const file = this.begin(name);
    try {
      file.write(Buffer.from(content));
      file.finish();
    } finally {
      file.discard();
    }
  }

  /** Begins a file in this folder, which takes its place when it is finished. */
  begin(name: string): UnfinishedFile {
    this.#requireFileOrNothing(name);
    begun += 1;
    const unfinished = `${UNFINISHED}${process.pid}-${begun}`;
    // Exclusive: what another process planted under this name is no file of ours.
    const descriptor = openSync(this.#at(unfinished), O_WRONLY | O_CREAT | O_EXCL | NO_FOLLOW, NEW_FILE_MODE);
    let isOpen = true;
    const close = (): void => {
      if (isOpen) closeSync(descriptor);
      isOpen = false;
    };
    return {
      write: (part) => {
        for (let done = 0; done < part.length;) done += writeSync(descriptor, part, done);
      },
      finish: () => {
        const before = this.#requireFileOrNothing(name);
        if (before !== undefined) fchmodSync(descriptor, before & PERMISSIONS);
        close();
        // Replaces the name itself: not even a link that appears now is followed.
        renameSync(this.#at(unfinished), this.#at(name));
      },
      discard: () => {
        close();
        this.remove(unfinished);
      },
    };
  }

  /** Removes a file; nothing where nothing has the name. */
  remove(name: string): void {
    if (this.kindOf(name) === undefined) return;
    this.#require(name, 'file');
    unlinkSync(this.#at(name));
  }

  /** Time of the last write to a file, in milliseconds since 1970; undefined where nothing has the name. */
  writtenMs(name: string): number | undefined {
    return lstatSync(this.#at(name), { throwIfNoEntry: false })?.mtimeMs;
  }

  /** Leaves the content of a file and sets its time. */
  touch(name: string, time: Date): void {
    this.#require(name, 'file');
    const file = this.#openFile(name);
    try {
      futimesSync(file, time, time);
    } finally {
      closeSync(file);
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }

  #openFile(name: string): number {
    try {
      return openSync(this.#at(name), O_RDONLY | NO_FOLLOW | NO_WAIT);
    } catch (error) {
      throw isLinkFault(error) ? unusablePath(join(this.path, name), 'file') : error;
    }
  }

  /** The permissions of the file that has this name. */
  #requireFileOrNothing(name: string): number | undefined {
    if (this.kindOf(name) === undefined) return undefined;
    this.#require(name, 'file');
    return lstatSync(this.#at(name)).mode;
  }

  #require(name: string, kind: 'file' | 'folder'): void {
    if (this.kindOf(name) !== kind) throw unusablePath(join(this.path, name), kind);
  }

  /** The path by which the system reaches a name in this folder, and no other. */
  #at(name: string): string {
    if (isName(name)) return join(this.#itself(), name);
    throw new ServiceError('bad_argument', `${JSON.stringify(name)} is no name of a file in ${this.path}.`, {
      fix: 'Use one name, without slashes.',
    });
  }

  /** The path by which the system reaches the folder that was opened, whatever has its place by now. */
  #itself(): string {
    if (OPEN_FOLDERS !== undefined) return `${OPEN_FOLDERS}/${this.#descriptor}`;
    const [there, open] = [lstatSync(this.path, { bigint: true }), fstatSync(this.#descriptor, { bigint: true })];
    if (there.ino !== open.ino || there.dev !== open.dev) throw unusablePath(this.path, 'folder');
    return this.path;
  }
}

/** True if a text names something in a folder, and nothing above or below it. */
function isName(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !/[/\\\0]/.test(text);
}

function isLinkFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && LINK_CODES.has(String(error.code));
}

function unusablePath(path: string, kind: 'file' | 'folder'): ServiceError {
  const state = lstatSync(path, { throwIfNoEntry: false });
  const what = state?.isSymbolicLink() === true ? 'is a symbolic link' : `is not a ${kind}`;
  return new ServiceError('bad_argument', `${path} ${what}, and svc follows no links in a checkout.`, {
    fix: `Nothing was written or deleted there. Look where it leads, and remove it or put a ${kind} in its place.`,
  });
}
