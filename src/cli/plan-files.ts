import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { ServiceError } from '../kernel/errors.ts';
import { decodeAnyText } from '../text/decode.ts';
import { slugOf } from '../kernel/slug.ts';
import { isFolder, readFolderFiles } from './folder-files.ts';

/** Files of one change in the layouts of spec-kit, OpenSpec and Kiro, in the order in which they are read. */
const PARTS = /^(?:(?:proposal|spec|requirements|design|plan|tasks)\.md|specs\/[^/]+\/spec\.md)$/i;
const ORDER = ['proposal', 'spec', 'requirements', 'specs/', 'design', 'plan', 'tasks'];
const CHANGE = /[/\\](?:specs|changes|archive)[/\\]([^/\\]+)$/i;
/** Folders of OpenSpec with the specifications that its changes change: such a folder is no change. */
const SPECIFICATION = /[/\\]openspec[/\\]specs[/\\][^/\\]+$/i;

/** A text to be saved as a plan. */
interface PlanFile {
  /** Name of the file in answers. */
  file: string;
  text: string;
  /** Set if the layout names it; else its text does. */
  slug?: string;
}

/**
 * The plans of these files. A folder of a change in the layout of spec-kit, OpenSpec or Kiro, and each file in it, is one plan:
 * proposal, design and tasks together, named by the folder.
 *
 * @throws ServiceError `bad_argument` for what cannot be read.
 */
export function readPlanFiles(cwd: string, files: readonly string[]): PlanFile[] {
  const changes = new Set<string>();
  return files.flatMap((file): PlanFile[] => {
    const path = resolve(cwd, file);
    const folder = changeOf(path);
    if (folder === undefined) {
      const slug = taskMasterSlug(path);
      return [{ file: basename(file), text: readText(path), ...(slug !== undefined && { slug }) }];
    }
    if (changes.has(folder)) return [];
    changes.add(folder);
    return [readChange(folder)];
  });
}

/** The folder of the change that a path is, or is in; undefined for any other path. */
export function changeOf(path: string): string | undefined {
  const isPart = /^[^/\\]+\.md$/i.test(basename(path)) && PARTS.test(basename(path));
  const folder = isPart ? dirname(path) : path;
  const isChange = CHANGE.test(folder) && !SPECIFICATION.test(folder) && slugOf(basename(folder)) !== '';
  return isChange && (isPart || isFolder(path)) ? folder : undefined;
}

/** A slug of the project whose `tasks.json` of Task Master a path is: each calls its list the same. */
function taskMasterSlug(path: string): string | undefined {
  const [, project = ''] = /([^/\\]+)(?:[/\\]\.?task-?master)?(?:[/\\]tasks)?[/\\]tasks\.json$/i.exec(path) ?? [];
  return slugOf(project) === '' ? undefined : `${slugOf(project)}-tasks`;
}

/** @throws ServiceError `bad_argument` for a folder without such files. */
function readChange(folder: string): PlanFile {
  const { files } = readFolderFiles(folder, (path) => PARTS.test(path));
  const parts = files
    .map(({ name, bytes }) => ({ name, text: decodeAnyText(bytes, { path: name }) }))
    .toSorted((a, b) => rankFile(a.name) - rankFile(b.name) || (a.name < b.name ? -1 : 1));
  if (parts.length === 0) {
    throw new ServiceError('bad_argument', `${folder} holds no plan.`, {
      fix: 'Use a folder with proposal.md, spec.md, requirements.md, design.md, plan.md or tasks.md.',
    });
  }
  const name = basename(folder);
  const text = parts.map((part) => part.text.trim()).join('\n\n');
  const slug = slugOf(name);
  return {
    file: name,
    text: isTitled(text) ? text : `# ${titleOf(name)}\n\n${text}`,
    ...(!/^slug:/m.test(text) && { slug }),
  };
}

function rankFile(name: string): number {
  return ORDER.findIndex((part) => name.toLowerCase().startsWith(part === 'spec' ? 'spec.' : part));
}

/** Headings with which Kiro begins the files of every change. */
const KIRO_HEADING = /^(?:(?:requirements|design) document|implementation plan)\s*$/im;

/** True if a text begins with a title of its own, or with front matter. */
function isTitled(text: string): boolean {
  const [begin] = /^\uFEFF?(?:---\s*\n|\s*(?:<!--[\s\S]*?-->\s*)*#\s)/.exec(text) ?? [];
  return begin !== undefined && text.slice(begin.length).search(KIRO_HEADING) !== 0;
}

/** `2026-01-06-add-diff` and `001-add-diff` are "Add diff". */
function titleOf(name: string): string {
  const words = name
    .replace(/^[\d-]+(?=\p{L})/u, '')
    .replaceAll(/[-_]+/g, ' ')
    .trim();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ServiceError('bad_argument', `${path} cannot be read.`, {
      fix: 'Use the path of a Markdown file, or of the folder of a change.',
      cause,
    });
  }
}
