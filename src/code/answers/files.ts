import { dayOfSeconds } from '../../kernel/time.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { FILE_ROLES, type FileRole, type ListedFile } from '../map/list-files.ts';
import type { FileHistory } from '../history/history.ts';
import type { ActionCall } from './code-tool-input.ts';
import { emptyNotes, rowMaker } from './rows.ts';

/** `files`: the files that a glob fits, by path, with what each is for, when it changed last and who works on it. */
export async function filesAnswer(call: ActionCall): Promise<Findings> {
  const { query, path, tests } = call.args;
  const glob = query?.trim() === '' ? undefined : query;
  const search = { path: glob, within: path, tests, roles: parseRoles(call.args), ...pageOf(call) };
  const answers = await call.sources.askAll(['listFiles', search]);
  const sum = (count: (result: (typeof answers)[number]['result']) => number): number =>
    answers.reduce((total, { result }) => total + count(result), 0);
  const files = answers.flatMap(({ repository, result }) => result.rows.map((file) => ({ repository, file })));
  const page = cutPage(call, files);
  const total = sum((result) => result.total);
  const counts = FILE_ROLES.map((role) => [role, sum((result) => result.byRole[role] ?? 0)] as const);
  return {
    total,
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: await fileRows(call, page),
    notes: total === 0 ? await emptyNotes({ ...call, args: { ...call.args, path: glob ?? path } }) : [],
    extra: { bytes: sum((result) => result.bytes), lines: sum((result) => result.lines) },
  };
}

/** @throws ServiceError `bad_argument` for a word that is no role. */
function parseRoles({ kind }: ActionCall['args']): FileRole[] | undefined {
  if (kind === undefined || kind.length === 0) return undefined;
  return kind.map((word) => {
    const role = FILE_ROLES.find((one) => [one, `${one}s`].includes(word.trim().toLowerCase()));
    if (role !== undefined) return role;
    throw new ServiceError('bad_argument', `"${word}" is not a role of a file.`, {
      fix: `code-tool files with kind from: ${FILE_ROLES.join(', ')}`,
    });
  });
}

interface FileMatch {
  repository: IndexedRepository;
  file: ListedFile;
}

async function fileRows(call: ActionCall, page: readonly FileMatch[]): Promise<Row[]> {
  const histories = new Map<FileMatch, FileHistory>();
  for (const [repository, files] of Map.groupBy(page, (one) => one.repository)) {
    const facts =
      (await call.history?.filesOf(
        repository,
        files.map(({ file }) => file.path),
      )) ?? [];
    for (const [at, one] of files.entries()) histories.set(one, facts[at] ?? { lastAt: undefined });
  }
  return page.map((one) => fileRow(call, one, histories.get(one) ?? { lastAt: undefined }));
}

function fileRow(call: ActionCall, { repository, file }: FileMatch, { lastAt, owner }: FileHistory): Row {
  const make = rowMaker(call, repository);
  const { path, language, bytes, lines, role } = file;
  const [name = path, ...folders] = path.split('/').toReversed();
  const changed = lastAt === undefined ? undefined : dayOfSeconds(lastAt);
  const facts = [
    role,
    ...(language === '' ? [] : [language]),
    `${lines} lines`,
    sizeText(bytes),
    ...(changed === undefined ? [] : [changed]),
    ...(owner === undefined ? [] : [`${owner.name} ${owner.percent}%`]),
  ];
  return {
    group: make.group(folders.length === 0 ? './' : `${folders.toReversed().join('/')}/`),
    id: name,
    line: `${name}  ${facts.join(', ')}`,
    json: {
      ...make.repo,
      path,
      language,
      bytes,
      lines,
      ...(changed !== undefined && { last_changed: changed }),
      ...(owner !== undefined && { owner: owner.name, owner_pct: owner.percent }),
      role,
    },
  };
}

function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
