import { counted } from '../kernel/counted.ts';
import { visible } from '../kernel/visible.ts';
import { readFileSync, statSync } from 'node:fs';
import { basename, extname, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { ServiceError } from '../kernel/errors.ts';
import type { ImportedFile, Mapping } from '../signals/import/import.ts';
import { addGitHubCommand } from './commands-github.ts';
import { isFolder, readFolderFiles } from './folder-files.ts';
import { saveSignals } from './save-signals.ts';
import { table } from './table.ts';
import type { PlanCommandTools } from './commands-plan.ts';

const PREVIEW_LINES = 3;
const NAMED_LINES = 20;
const PREVIEW_CHARACTERS = 70;

interface UploadJson {
  documents: { name: string; outcome: string; id: string | null; error: { message: string; fix: string } | null }[];
}

/** `svc doc add`. */
export function addDocumentCommands<Flags extends object>(
  doc: Command,
  { cwd, common, withClientToAdd, show }: PlanCommandTools<Flags>,
): void {
  common(doc.command('add'))
    .argument('<files...>', 'Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, CSV, or a ZIP of these')
    .option('--tags <tags>', 'separated by commas')
    .description('Upload documents; a document with the same name becomes a new version')
    .action((files: string[], flags: Flags & { tags?: string }) =>
      withClientToAdd(flags, async (client) => {
        const documents: UploadJson['documents'] = [];
        for (const file of files) {
          const query = new URLSearchParams({ name: nameOf(cwd, file), tags: flags.tags ?? '' });
          const bytes = new Uint8Array(readBytes(resolve(cwd, file)));
          documents.push(
            ...(await client.send<UploadJson>('POST', `/v1/documents?${query.toString()}`, bytes)).documents,
          );
        }
        show(flags, { documents }, () =>
          documents
            .map(
              ({ name, outcome, error }) =>
                `${outcome} ${name}${error === null ? '' : `: ${error.message} ${error.fix}`}`,
            )
            .join('\n'),
        );
      }),
    );
}

interface ImportFlags {
  map?: string[];
  encoding?: string;
  dryRun?: boolean;
}

/** `svc signal import` and `svc signal github`. */
export function addSignalCommands<Flags extends object>(signal: Command, tools: PlanCommandTools<Flags>): void {
  const { cwd, common, withClientToAdd, show } = tools;
  addGitHubCommand(signal, tools);
  common(signal.command('import'))
    .argument(
      '<file>',
      'CSV, TSV, XLSX, JSON, JSON Lines, EML or mbox, a folder or ZIP of one export, also exports of other tools',
    )
    .option('--map <field=column...>', 'column of a field, if its name does not show it')
    .option(
      '--encoding <name>',
      'encoding of a text file, if it is read wrong: utf-8, windows-1252, shift_jis and so on',
    )
    .option('--dry-run', 'show what would be imported without importing it')
    .description('Import what customers say; importing a file again adds nothing')
    .action(async (file: string, flags: Flags & ImportFlags) => {
      const { importRecords, readFolder, readRecords } = await import('../signals/import/import.ts');
      const path = resolve(cwd, file);
      const given = { encoding: flags.encoding };
      const folder = isFolder(path) ? readFolderFiles(path, isShown) : undefined;
      const {
        format,
        encoding,
        isEncodingDoubtful,
        records,
        files,
        skipped = [],
      } = folder ? await readFolder(file, folder.files, given) : await readRecords(file, readBytes(path), given);
      const { signals, lines, ...imported } = importRecords(records, mappingOf(flags.map ?? []), {
        files: files ?? [],
      });
      const read = {
        format,
        encoding,
        encoding_guessed: isEncodingDoubtful === true,
        links: folder?.links,
        ...imported,
        skipped: [...skipped, ...imported.skipped],
        read: signals.length,
      };
      if (flags.dryRun === true) {
        const preview = signals.slice(0, PREVIEW_LINES);
        show(flags, { ...read, preview }, () => [describeRead(read), '', previewTable(preview)].join('\n'));
        return;
      }
      const source = basename(file, extname(file));
      await withClientToAdd(flags, async (client) => {
        const saved = await saveSignals(
          client,
          signals.map((entry) => ({ source, ...entry })),
        );
        const refused = saved.refused.map(({ row, reason }) => ({ ...lines[row - 1], row, reason }));
        show(flags, { ...read, ...saved, refused }, () =>
          [describeRead(read), describeSaved(saved), ...refused.map(describeRefused)].join('\n'),
        );
      });
    });
}

function describeSaved({ added, updated, unchanged }: { added: number; updated: number; unchanged: number }): string {
  return `${added} added, ${updated} updated, ${unchanged} already existed.`;
}

function describeRefused(refused: { file?: string; line?: number; row: number; reason: string }): string {
  const { file, line, row, reason } = refused;
  return `${file === undefined ? '' : `${file} `}line ${line ?? row} is not saved: ${reason}`;
}

/** The name of a document: its path below this folder, else its file name. */
function nameOf(cwd: string, file: string): string {
  const path = relative(cwd, resolve(cwd, file));
  return path.startsWith('..') ? basename(file) : path;
}

/** @throws ServiceError `bad_argument` for a field that is not `name=column`. */
function mappingOf(pairs: readonly string[]): Mapping {
  const entries = pairs.map((pair) => {
    const at = pair.indexOf('=');
    if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
    throw new ServiceError('bad_argument', `"${pair}" does not name a column.`, {
      fix: 'Write it as --map text=Message.',
    });
  });
  return Object.fromEntries(entries) as Mapping;
}

/** True if no name of a path begins with a dot. */
function isShown(path: string): boolean {
  return !/(?:^|\/)\./.test(path);
}

function readBytes(path: string): Buffer {
  try {
    if (statSync(path).isFile()) return readFileSync(path);
  } catch {
    // Reported below.
  }
  throw new ServiceError('bad_argument', `The file ${path} cannot be read.`, { fix: 'Name an existing file.' });
}

type ReadSignals = Omit<ImportedFile, 'signals' | 'lines'> & {
  format: string;
  encoding: string | undefined;
  encoding_guessed: boolean;
  /** Symbolic links of the folder, which were not followed. */
  links: string[] | undefined;
  read: number;
};

/** Describes how a file was understood, and every line that lost something. */
function describeRead({
  format,
  encoding,
  encoding_guessed: isGuessed,
  links,
  known,
  dates,
  ratingOf,
  mapping,
  read,
  skipped,
  notes,
}: ReadSignals): string {
  const columns = Object.entries(mapping).map(([field, column]) => `${field}=${column}`);
  const guess = dates?.isGuess === true ? ' (a guess: nothing proves the order)' : '';
  const understood = [
    `${format}${encoding === undefined ? '' : `, ${encoding}${isGuessed ? ' (a guess: --encoding names another)' : ''}`}${known === undefined ? '' : `, ${known}`}`,
    ...(dates === undefined ? [] : [`dates with the ${dates.order}${guess}`.replace('with the named', 'with named')]),
    ...(ratingOf === undefined ? [] : [`ratings out of ${ratingOf}`]),
  ];
  return [
    `Read as: ${understood.join('; ')}.`,
    `Columns: ${columns.join(', ')}`,
    `${counted(read, 'signal')} read, ${counted(skipped.length, 'line')} skipped, ${counted(notes.length, 'line')} saved in part.`,
    ...(links ?? []).slice(0, NAMED_LINES).map((path) => `Not followed, a symbolic link: ${path}`),
    ...linesOf(skipped, 'skipped'),
    ...linesOf(notes, 'kept'),
  ]
    .map(visible)
    .join('\n');
}

function linesOf(notes: ImportedFile['notes'], what: string): string[] {
  const shown = notes.slice(0, NAMED_LINES).map(({ file, line, reason }) => {
    return `  ${file === undefined ? '' : `${file} `}line ${line}: ${reason}`;
  });
  return notes.length > NAMED_LINES
    ? [...shown, `  and ${notes.length - NAMED_LINES} more lines ${what}; --json lists all`]
    : shown;
}

function previewTable(
  signals: readonly { text: string; customer?: string | undefined; date?: string | undefined }[],
): string {
  return table(
    ['DATE', 'CUSTOMER', 'TEXT'],
    signals.map(({ text, customer = '', date = '' }) => [
      date.slice(0, 10),
      customer,
      text.replaceAll(/\s+/g, ' ').slice(0, PREVIEW_CHARACTERS),
    ]),
  );
}
