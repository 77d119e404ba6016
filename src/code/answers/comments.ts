import { CODE_ROWS } from '../outputs/outputs.ts';
import { counted, sumCounts } from '../../kernel/counted.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { DAY_MS } from '../../kernel/time.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { CodeToolArguments, ActionCall } from './code-tool-input.ts';
import { COMMENT_TAGS, type CommentTag } from '../../code-index/format/comment-tags.ts';
import type { LineAuthor } from '../comments/line-authors.ts';
import type { CommentRow } from '../comments/store-comments.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { emptyNotes, rowMaker } from './rows.ts';

interface CommentMatch {
  repository: IndexedRepository;
  row: CommentRow;
}

/**
 * `comments`: comments with a tag such as TODO, by path and line, with who wrote them and how long ago. `kind` picks tags,
 * `query` words of the text.
 */
export async function commentsAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests, query = '' } = call.args;
  const tags = parseTags(call.args);
  const words = query.split(/\s+/).filter((word) => word !== '');
  const answers = await call.sources.askAll(['comments', { tags, words, path, tests, ...pageOf(call) }]);
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const comments = answers.flatMap(({ repository, result }) => result.rows.map((row) => ({ repository, row })));
  const page = cutPage(call, comments);
  const authors = await authorsOf(call, page);
  const unknown = page.filter((comment) => !authors.has(comment)).length;
  return {
    total,
    counts: sumCounts(
      answers.map(({ result }) => result.byTag),
      COMMENT_TAGS,
    ),
    rows: page.map((comment) => commentRow(call, comment, authors.get(comment))),
    notes: [
      ...(total === 0 ? await emptyNotes(call) : []),
      ...(unknown === 0
        ? []
        : [
            `author and age of ${counted(unknown, 'row is', 'rows are')} unknown: their history is missing, or git took too long`,
          ]),
    ],
  };
}

/** @throws ServiceError `bad_argument` for a word that is no tag. */
function parseTags({ kind }: CodeToolArguments): CommentTag[] {
  return (kind ?? []).map((word) => {
    const match = COMMENT_TAGS.find((tag) => tag === word.toUpperCase());
    if (match !== undefined) return match;
    throw new ServiceError('bad_argument', `"${word}" is not a tag of comments.`, {
      fix: `code-tool comments with kind from: ${COMMENT_TAGS.join(', ')}`,
    });
  });
}

/** The authors of the rows that are shown; those that git cannot tell are absent. */
async function authorsOf(call: ActionCall, page: readonly CommentMatch[]): Promise<Map<CommentMatch, LineAuthor>> {
  const authors = new Map<CommentMatch, LineAuthor>();
  await Promise.all(
    [...Map.groupBy(page, ({ repository }) => repository)].map(async ([repository, comments]) => {
      const gitDir = await repository.gitDir?.();
      if (gitDir === undefined) return;
      const files = Map.groupBy(comments, ({ row }) => row.path);
      const lineAuthors = await call.authors.find(
        { gitDir, commit: repository.snapshot ?? repository.provenance.commit, signal: call.signal },
        [...files].map(([path, rows]) => ({ path, lines: rows.map(({ row }) => row.line) })),
      );
      for (const comment of comments) {
        const author = lineAuthors.get(`${comment.row.path}:${comment.row.line}`);
        if (author !== undefined) authors.set(comment, author);
      }
    }),
  );
  return authors;
}

function commentRow(call: ActionCall, { repository, row }: CommentMatch, author: LineAuthor | undefined): Row {
  const make = rowMaker(call, repository);
  const { path, line, tag, text, test } = row;
  const age = author && { age_days: ageDays(author.writtenAt, call.now), author: author.author };
  return {
    group: make.group(path),
    id: `${line} ${tag}`,
    line: `${line} ${text}${age === undefined ? '' : `  (${age.age_days} d, ${age.author})`}`,
    json: make.json(CODE_ROWS.comment, row, { ...age, is_test: test }),
  };
}

/** Whole days; what was written on a clock ahead of this one is of today. */
function ageDays(writtenAt: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - writtenAt.getTime()) / DAY_MS));
}
