import { setImmediate } from 'node:timers/promises';
import { openObjects } from '../../platform/git/git-objects.ts';
import { type ExactModules, replacesModule } from './exact-modules.ts';
import { type ExactFile, exactFile, type ExactPair } from '../program/exact-names.ts';
import { type NodeRows, TypescriptProgram } from './typescript-program.ts';
import {
  addBundledTypes,
  addVirtualFile,
  addVirtualModule,
  addVirtualPackage,
  CONFIG_FILE,
  configText,
  createVirtualFiles,
  REPOSITORY_ROOT,
  type VirtualFiles,
} from './virtual-files.ts';
import { decodeAnyText } from '../../text/decode.ts';

/** Input of the process: plain data. */
export interface ExactTask {
  gitDir: string;
  /** Files that the compiler reads, by the ids that answers name them by. */
  files: readonly { id: number; path: string; blob: string }[];
  modules: ExactModules;
  jsxImportSource: string;
}

/** Messages of the process: progress, then each file, then the end or a failure. */
export type ExactMessage =
  | { type: 'progress'; done: number }
  | { type: 'file'; id: number; names: ExactFile; overrides: ExactPair[] }
  | { type: 'done'; unread: string[] }
  | { type: 'failed'; reason: string };

/** Files at which the compiler may stumble before it is given up. */
const MOST_UNREAD = 100;
/** Files between two messages of progress. */
const PROGRESS_FILES = 20;

/** Entry of the process that asks the compiler. It holds the texts, and its child the program: both end with it. */
process.on('disconnect', () => process.exit(0));
const end = (): void => process.exit(0);
process.once('message', (task: ExactTask) => {
  void work(task)
    .then((unread) => send({ type: 'done', unread }))
    .catch((error: unknown) => send({ type: 'failed', reason: error instanceof Error ? error.message : String(error) }))
    .then(end, end);
});

/** Gives the files at which the compiler stumbled. */
async function work(task: ExactTask): Promise<string[]> {
  const ids = new Map(task.files.map(({ id, path }) => [`${REPOSITORY_ROOT}/${path}`, id]));
  const program = new TypescriptProgram(await virtualFiles(task), ids);
  try {
    const read = new Map<number, NodeRows>();
    const unread: string[] = [];
    for (const [path, id] of ids) {
      try {
        const rows = program.read(path);
        if (rows !== undefined) read.set(id, rows);
      } catch (error) {
        // A fault of the compiler in one file must not cost the others, unless it is gone altogether.
        unread.push(path.slice(REPOSITORY_ROOT.length + 1));
        if (unread.length > MOST_UNREAD) throw error;
      }
      if ((read.size + unread.length) % PROGRESS_FILES !== 0) continue;
      await send({ type: 'progress', done: read.size + unread.length });
      // The end of the parent is noticed between two files.
      await setImmediate();
    }
    for (const [id, { names, overrides }] of read) {
      const pairs: ExactPair[] = [];
      for (let at = 0; at < overrides.length; at += 3) {
        const [node = 0, file = -1, other = -1] = overrides.slice(at, at + 3);
        if (file >= 0) pairs.push([id, program.nameStart(id, node), file, program.nameStart(file, other)]);
      }
      await send({ type: 'file', id, names: exactFile(program.locateTargets(names)), overrides: pairs });
    }
    return unread;
  } finally {
    program.close();
  }
}

async function virtualFiles({ gitDir, files, ...task }: ExactTask): Promise<VirtualFiles> {
  const virtual = createVirtualFiles();
  await using objects = await openObjects(gitDir);
  const blobs = objects.readBlobs(files.map(({ blob }) => blob));
  for (const { path } of files) {
    const { bytes } = (await blobs.next()).value ?? {};
    if (bytes !== undefined) addVirtualFile(virtual, `${REPOSITORY_ROOT}/${path}`, decodeAnyText(bytes, { path }));
  }
  const { everywhere, inFolders, packages } = task.modules;
  const roots = [...virtual.files].filter(([, text]) => !replacesModule(text, everywhere)).map(([path]) => path);
  addBundledTypes(virtual);
  for (const { folder, specifier, path } of inFolders) {
    const importers = [REPOSITORY_ROOT, folder].filter((part) => part !== '').join('/');
    addVirtualModule(virtual, importers, { specifier, path: `${REPOSITORY_ROOT}/${path}` });
  }
  for (const [folder, path] of packages)
    addVirtualPackage(
      virtual,
      [REPOSITORY_ROOT, folder].filter((part) => part !== '').join('/'),
      `${REPOSITORY_ROOT}/${path}`,
    );
  const modules = new Map([...everywhere].map(([specifier, path]) => [specifier, `${REPOSITORY_ROOT}/${path}`]));
  addVirtualFile(virtual, CONFIG_FILE, configText({ files: roots, modules, jsxImportSource: task.jsxImportSource }));
  return virtual;
}

function send(message: ExactMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    if (process.send === undefined) throw new Error('exact-process runs only as a forked process');
    process.send(message, undefined, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
