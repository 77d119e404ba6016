import { counted } from '../../kernel/counted.ts';
import { charactersIn } from '../../kernel/budget.ts';
import type { Row } from '../../kernel/answer.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { FileChange } from '../mine/diff.ts';
import type { CommitDetail, FileRow } from '../queries/store-show.ts';
import { type ActionCall, commitRow, rowJson } from './action.ts';
import { isPathOf } from './comparisons.ts';
import { type FilePatch, type PatchSelection, readPatch } from './patch.ts';

/** Room for the header and the notes of an answer, and for what surrounds the rows of its JSON form, in characters. */
const RESERVED_TEXT = 420;
const RESERVED_JSON = 640;

/** A part of the answer: the message of the commit, or one file. Its lines are what a cursor counts; it has one at least. */
interface Section {
  line: string;
  lines: readonly string[];
  json: (lines: readonly string[], first: number) => Record<string, unknown>;
}

/**
 * `show` with `detail=body`: the message of a commit and its patch, against the first parent. A page holds as many whole lines as
 * `max_tokens` allows; the cursor goes on in the middle of a file.
 */
export async function patchAnswer(
  call: ActionCall,
  repository: IndexedRepository,
  detail: CommitDetail,
): Promise<Findings> {
  const files = await patchOf(call, repository, detail);
  const sections = [
    messageSection(call, repository, detail),
    ...(files ?? []).map((file) => fileSection(call, repository, file)),
  ];
  const last = sections.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0);
  const { rows, ends } = pageOfLines(call, sections);
  const omitted = (files ?? []).filter((file) => file.omitted !== undefined).length;
  return {
    total: sections.length,
    rows,
    positions: { ends, last },
    detail: 'body',
    notes: [
      ...(files === undefined ? ['no patch: file contents are missing (a partial or shallow clone)'] : []),
      ...(detail.parents.length > 1 ? ['a merge: the patch is against its first parent'] : []),
      ...(omitted > 0 ? [`${counted(omitted, 'file')} without the patch, each with the reason`] : []),
    ],
  };
}

async function patchOf(
  call: ActionCall,
  repository: IndexedRepository,
  { sha, parents, files }: CommitDetail,
): Promise<FilePatch[] | undefined> {
  const gitDir = await repository.gitDir?.();
  if (gitDir === undefined) return undefined;
  const { path } = call.args;
  const isInPath = isPathOf(path);
  const select = (changes: readonly FileChange[]): PatchSelection => {
    const folder = mergedFolder(files, changes);
    return {
      isIncluded: ({ path: now, oldPath }) =>
        isInPath(folder + now) || (oldPath !== undefined && isInPath(folder + oldPath)),
      isNamed: (change) => folder + change.path === path,
    };
  };
  await using objects = await openObjects(gitDir);
  return await readPatch(objects, { from: parents[0], to: sha }, { signal: call.signal, select });
}

/**
 * Returns the folder, ending in a slash, that the history of a commit was merged into, or nothing: git does not know it, so
 * that its first path is the end of the first path that the history has.
 */
export function mergedFolder([file]: readonly FileRow[], [change]: readonly FileChange[]): string {
  const isBelow = file !== undefined && change !== undefined && file.path.endsWith(`/${change.path}`);
  return isBelow ? file.path.slice(0, -change.path.length) : '';
}

function messageSection(call: ActionCall, repository: IndexedRepository, detail: CommitDetail): Section {
  const { line, json } = commitRow(call, { repository, group: '' }, detail);
  return {
    line,
    lines: detail.body === '' ? [] : detail.body.split('\n'),
    json: (lines) => ({
      ...json,
      parents: detail.parents,
      files_total: detail.files.length,
      ...(lines.length === 0 ? {} : { body: lines.join('\n') }),
    }),
  };
}

function fileSection(call: ActionCall, repository: IndexedRepository, { change, lines, omitted }: FilePatch): Section {
  const { status, path, oldPath, added, deleted } = change;
  const counts = added === undefined ? '' : ` +${added} -${deleted}`;
  const name = oldPath === undefined ? path : `${oldPath} -> ${path}`;
  return {
    line: `${status} ${name}${counts}${omitted === undefined ? '' : `  (left out: ${omitted})`}`,
    lines,
    json: (shown, first) =>
      rowJson(call, repository, {
        path,
        status,
        ...(oldPath === undefined ? {} : { old_path: oldPath }),
        ...(added === undefined ? {} : { added, deleted }),
        ...(omitted === undefined ? {} : { left_out: omitted }),
        ...(first === 0 ? {} : { from_line: first + 1 }),
        patch: shown.join('\n'),
      }),
  };
}

/** The rows from the line at which the cursor stands on, as many as the budget holds; one line at least. */
function pageOfLines(call: ActionCall, sections: readonly Section[]): { rows: Row[]; ends: number[] } {
  const { args, offset } = call;
  const isJson = args.format === 'json';
  let remaining = charactersIn(args.max_tokens) - (isJson ? RESERVED_JSON : RESERVED_TEXT);
  const rows: Row[] = [];
  const ends: number[] = [];
  let start = 0;
  for (const section of sections) {
    const length = Math.max(1, section.lines.length);
    const first = Math.max(0, offset - start);
    start += length;
    if (first >= length) continue;
    const bare = isJson ? JSON.stringify(section.json([], first)).length : section.line.length;
    if (rows.length === args.limit || (rows.length > 0 && remaining < bare + 80)) break;
    remaining -= bare + 20;
    const bodyLines: string[] = [];
    for (const line of section.lines.slice(first)) {
      const cost = isJson ? JSON.stringify(line).length : line.length + 3;
      if (remaining < cost && (bodyLines.length > 0 || rows.length > 0)) break;
      remaining -= cost;
      bodyLines.push(line);
    }
    const isWhole = first + bodyLines.length >= section.lines.length;
    const continued = first === 0 ? '' : `  (from line ${first + 1} of its patch)`;
    rows.push({
      group: '',
      id: section.line,
      line: `${section.line}${continued}`,
      ...(bodyLines.length === 0 ? {} : { body: bodyLines.join('\n') }),
      json: section.json(bodyLines, first),
    });
    ends.push(start - length + (isWhole ? length : first + bodyLines.length));
    if (!isWhole) break;
  }
  return { rows, ends };
}
