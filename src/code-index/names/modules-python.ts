import { dirnameOf as dirname, joinPath as join } from '../program/paths.ts';
import type { Package, Program } from '../program/program.ts';

/** Top-level modules of Python's standard library, and those that type checkers bring for it. */
const MODULES: ReadonlySet<string> = new Set(
  `
  __future__ _thread _typeshed abc aifc argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
  binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections
  colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses
  dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
  faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass
  gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr imp importlib inspect io
  ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator
  optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
  posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re
  readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
  smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
  statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile
  telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle types typing typing_extensions unicodedata unittest urllib uu uuid venv warnings wave
  weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
  `
    .trim()
    .split(/\s+/),
);

/** Folders that hold top-level packages wherever there are such folders. */
const COMMON_ROOTS: readonly string[] = ['', 'src', 'lib', 'python'];

/**
 * Finds Python modules: relative ones from the file, absolute ones from the nearest folder around the file, then from the
 * folders that hold top-level packages (the root, `src`, each folder above an `__init__.py`). A directory without
 * `__init__.py` is a name space package.
 */
export class PythonModules {
  readonly #program: Program;
  readonly #roots: readonly string[];
  readonly #directories = new Set<string>();
  readonly #packages = new Map<string, number>();
  readonly #resolved = new Map<string, number>();

  constructor(program: Program) {
    this.#program = program;
    const isPackage = new Set<string>();
    for (const { path } of program.files) {
      if (!/\.pyi?$/.test(path)) continue;
      for (let at = dirname(path); !this.#directories.has(at) && at !== ''; at = dirname(at)) this.#directories.add(at);
      if (/(^|\/)__init__\.pyi?$/.test(path)) isPackage.add(dirname(path));
    }
    const roots = new Set(COMMON_ROOTS);
    for (const path of isPackage) if (!isPackage.has(dirname(path))) roots.add(dirname(path));
    this.#roots = [...roots].toSorted((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  }

  /** The module (file or package) that `source` names in a file: `.` and `..x` are relative, `a.b` absolute. -1: none. */
  find(path: string, source: string): number {
    const dots = /^\.*/.exec(source)?.[0].length ?? 0;
    const key = `${dirname(path)} ${source}`;
    const cached = this.#resolved.get(key);
    if (cached !== undefined) return cached;
    const module = dots > 0 ? this.#relative(path, source, dots) : this.#absolute(dirname(path), source);
    this.#resolved.set(key, module);
    return module;
  }

  /** The module `name` inside a package, or -1. */
  inside(module: number, name: string): number {
    const { files, packages } = this.#program;
    const path = files[module]?.path;
    if (path === undefined) {
      const key = packages[module - files.length]?.key;
      return key === undefined ? -1 : this.#at(join(key, name));
    }
    return /(^|\/)__init__\.pyi?$/.test(path) ? this.#at(join(dirname(path), name)) : -1;
  }

  #relative(path: string, source: string, dots: number): number {
    let directory = dirname(path);
    for (let up = 1; up < dots; up += 1) directory = dirname(directory);
    const tail = source.slice(dots);
    return tail === '' ? this.#at(directory) : this.#at(join(directory, tail.replaceAll('.', '/')));
  }

  #absolute(from: string, source: string): number {
    const path = source.replaceAll('.', '/');
    const isLibrary = isLibraryModule(source);
    for (const root of this.#roots) {
      // A folder of plugins with a `types.py` does not stand before the standard library elsewhere.
      if (isLibrary && !COMMON_ROOTS.includes(root) && !`${from}/`.startsWith(`${root}/`)) continue;
      const module = this.#at(join(root, path), true);
      if (module >= 0) return module;
    }
    if (isLibrary) return -1;
    // Scripts and tests import what lies beside them, or beside a folder around them.
    for (let at = from; at !== ''; at = dirname(at)) {
      const module = this.#at(join(at, path), true);
      if (module >= 0) return module;
    }
    for (const root of this.#roots) {
      const module = this.#at(join(root, path));
      if (module >= 0) return module;
    }
    return -1;
  }

  /** The module at a path without its ending. */
  #at(path: string, filesOnly = false): number {
    const { fileIds } = this.#program;
    for (const ending of ['/__init__.py', '.py', '/__init__.pyi', '.pyi']) {
      const file = fileIds.get(path + ending) ?? (path === '' ? fileIds.get(ending.slice(1)) : undefined);
      if (file !== undefined) return file;
    }
    return filesOnly || !this.#directories.has(path) ? -1 : this.#namespace(path);
  }

  #namespace(directory: string): number {
    const existing = this.#packages.get(directory);
    if (existing !== undefined) return existing;
    const { packages, files } = this.#program;
    const pythonPackage: Package = { key: directory, files: [] };
    const module = files.length + packages.push(pythonPackage) - 1;
    this.#packages.set(directory, module);
    return module;
  }
}

/** True if an absolute import of `source` (`json.decoder`) means the standard library where no root has such a module. */
function isLibraryModule(source: string): boolean {
  return MODULES.has(source.split('.', 1)[0] ?? '');
}
