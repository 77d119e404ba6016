import type { IndexedRepository } from '../../indexes/indexes.ts';
import { counted } from '../../kernel/counted.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { changesOnSide, type DiffFile, readUnifiedDiff } from '../../kernel/unified-diff.ts';
import type { Changes } from '../history/history.ts';
import type { ActionCall } from './code-tool-input.ts';

/** Files of a diff that are compared with the index to see which side of it is indexed. */
const MOST_COMPARED = 20;

type Side = 'old' | 'new';

/**
 * Finds what a diff changes by the paths and lines of the index: of its new side where the index has the change, such as a diff of
 * what is uncommitted in an indexed checkout, else of its old side. Which one it is says the text of the hunks.
 *
 * @throws ServiceError `bad_argument` for a diff without hunks, `conflict` when neither side is what is indexed.
 */
export async function linesOfDiff(
  call: ActionCall,
  repository: IndexedRepository,
  text: string,
): Promise<Changes & { notes: string[] }> {
  const files = readUnifiedDiff(text);
  const compared = files.filter(({ hunks }) => hunks.length > 0).slice(0, MOST_COMPARED);
  const matching = async (side: Side): Promise<number> => {
    const results = await Promise.all(compared.map((file) => matches(call, repository, { file, side })));
    return results.filter(Boolean).length;
  };
  const counts = { new: await matching('new'), old: await matching('old') };
  if (counts.new + counts.old === 0) throw unlikeIndex(call, repository, compared.length > 0);
  const side = counts.new >= counts.old ? 'new' : 'old';
  const changes = changesOnSide(files, side);
  const { repo } = repository.provenance;
  return {
    files: changes.files.filter(({ lines }) => lines.length > 0),
    removed: side === 'new' ? changes.missing : [],
    notes: [
      side === 'new'
        ? `the index of ${repo} has the change`
        : `lines are those before the change: the index of ${repo} has not got it`,
      ...(side === 'old' && changes.missing.length > 0
        ? [`${counted(changes.missing.length, 'new file')} not followed: not in the index`]
        : []),
    ],
  };
}

/** True if the index has the text of the first hunk of a file that has any on one side. */
async function matches(
  { sources }: ActionCall,
  repository: IndexedRepository,
  { file, side }: { file: DiffFile; side: Side },
): Promise<boolean> {
  const path = side === 'new' ? file.newPath : file.oldPath;
  const hunk = file.hunks.find((each) => each[side].texts.length > 0)?.[side];
  if (path === undefined || hunk === undefined) return false;
  const { start, texts } = hunk;
  const source = await sources.ask(repository, ['sourceOf', { path, from: start, to: start + texts.length - 1 }]);
  return source?.path === path && source.lines.join('\n') === texts.join('\n').replace(/^\uFEFF/, '');
}

function unlikeIndex({ args }: ActionCall, { provenance }: IndexedRepository, hasLines: boolean): ServiceError {
  if (!hasLines)
    return new ServiceError(
      'bad_argument',
      'The diff changes no lines, or is that of a merge, which has more than two sides.',
      {
        fix: `Send what \`git diff\` prints, or name two refs: code-tool ${args.action} query="main.."`,
      },
    );
  return new ServiceError(
    'conflict',
    `Neither side of the diff is the code that is indexed of ${provenance.repo} (${provenance.commit.slice(0, 8)}).`,
    {
      fix: `Name the refs instead, code-tool ${args.action} query="main..", or the commit that it starts from with ref.`,
    },
  );
}
