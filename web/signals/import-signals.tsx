import { useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { ApiError, post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { Problem } from '../components/query-state.tsx';
import { Table, Cell } from '../components/table.tsx';
import { formatCount } from '../format.ts';
import type { NewSignal, ReadSignals, SavedSignals, SignalFile } from '../knowledge/queries.ts';

/** A request takes 4 MiB; a file grows by a third in it. */
const MOST_BYTES = 3_000_000;
/** Signals of one request. */
const BATCH = 500;
const PREVIEWED = 5;
const FIELDS = [
  'text',
  'title',
  'external_id',
  'source',
  'customer',
  'segment',
  'value',
  'rating',
  'version',
  'language',
  'date',
  'tags',
  'link',
] as const;

type Mapping = NonNullable<SignalFile['mapping']>;

interface Chosen {
  name: string;
  base64: string;
  read: ReadSignals;
}

/** Imports a file: what each column becomes is shown and can be changed before anything is kept. */
export function ImportSignals({ onClose }: { onClose: () => void }) {
  const { path } = useChanges();
  const [chosen, setChosen] = useState<Chosen>();
  const read = useAction<{ name: string; base64: string; mapping?: Mapping }>(async (file) => {
    const answer = await post<ReadSignals>(path('signals/read-file'), file);
    setChosen({ name: file.name, base64: file.base64, read: answer });
  });
  const choose = useAction<File>(async (file) => {
    if (file.size > MOST_BYTES) throw tooLarge(file.name);
    read.run({ name: file.name, base64: base64Of(await file.arrayBuffer()) });
  });
  return (
    <Dialog
      title="Import signals"
      lead="CSV, TSV, XLSX, JSON, JSON Lines, mails (EML, mbox), or a ZIP of one export, also of other tools. Signals that already exist are not added again."
      dismissible={chosen === undefined}
      onClose={onClose}
    >
      <label className="block">
        <span className="mb-1 block font-medium">File</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,.json,.jsonl,.ndjson,.eml,.mbox,.mbx,.zip"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            if (file !== undefined) choose.run(file);
          }}
          className="block w-full min-w-0 text-sm file:mr-3 file:h-9 file:rounded-md file:border file:border-solid file:border-edge file:bg-panel file:px-3 file:text-ink"
        />
      </label>
      <Problem problem={choose.problem ?? read.problem} />
      {chosen === undefined ? (
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
        </DialogActions>
      ) : (
        <Preview
          chosen={chosen}
          isReading={read.busy}
          onMap={(mapping) => read.run({ name: chosen.name, base64: chosen.base64, mapping })}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** In pieces: a call takes only so many arguments. */
function base64Of(bytes: ArrayBuffer): string {
  const piece = 32_768;
  let text = '';
  for (let at = 0; at < bytes.byteLength; at += piece)
    text += String.fromCharCode(...new Uint8Array(bytes, at, Math.min(piece, bytes.byteLength - at)));
  return btoa(text);
}

function tooLarge(name: string): ApiError {
  return new ApiError({
    status: 0,
    code: 'too_large',
    message: `${name} is too large to send from this page.`,
    fix: `Run: svc signal import ${name} (in a checkout: npm run -s svc -- signal import ${name})`,
  });
}

interface PreviewProps {
  chosen: Chosen;
  isReading: boolean;
  onMap: (mapping: Mapping) => void;
  onClose: () => void;
}

function Preview({ chosen: { name, read }, isReading, onMap, onClose }: PreviewProps) {
  const send = useImport({ name, read, onDone: onClose });
  return (
    <>
      <p className="mt-4 text-sm text-quiet">{describeUnderstood(read)}</p>
      <Columns read={read} busy={isReading || send.busy} onMap={onMap} />
      <p role="status" className="mt-4 mb-2">
        {formatCount(read.signals.length, 'signal')} to import
        {read.skipped.length > 0 && `, ${formatCount(read.skipped.length, 'line')} left out`}
        {read.notes.length > 0 && `, ${read.notes.length} saved in part`}. Nothing is saved yet.
      </p>
      <PreviewTable signals={read.signals.slice(0, PREVIEWED)} />
      <NamedLines title="Lines that are left out" lines={read.skipped} />
      <NamedLines title="Lines that are saved in part" lines={read.notes} />
      {send.busy && (
        <progress
          className="progress mt-4 h-1.5 w-full"
          max={read.signals.length}
          value={send.sent}
          aria-label={`${send.sent} of ${read.signals.length} signals imported`}
        />
      )}
      <Problem problem={send.problem} />
      {send.refused.length > 0 && (
        <p role="alert" className="mt-4">
          {formatCount(send.refused.length, 'line')} could not be saved. All others are.
        </p>
      )}
      <NamedLines title="Lines that are not saved" lines={send.refused} isOpen />
      <DialogActions>
        <Button disabled={send.busy} onClick={onClose}>
          {send.refused.length > 0 ? 'Close' : 'Cancel'}
        </Button>
        <Button
          look="primary"
          disabled={send.busy || isReading}
          blocked={read.signals.length === 0 && 'The file has no signal to import.'}
          onClick={() => send.run()}
        >
          {send.busy ? 'Importing…' : `Import ${formatCount(read.signals.length, 'signal')}`}
        </Button>
      </DialogActions>
    </>
  );
}

/** Field of each column, which can be changed. */
function Columns({
  read,
  busy,
  onMap,
}: {
  read: ReadSignals;
  /** While an answer is on its way. */
  busy: boolean;
  onMap: (mapping: Mapping) => void;
}) {
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="mb-1 font-medium">Columns</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {FIELDS.map((field) => (
          <label key={field} className="block min-w-0">
            <span className="mb-0.5 block text-sm text-quiet">{field.replace('_', ' ')}</span>
            <Select
              value={read.mapping[field] ?? ''}
              disabled={busy}
              choices={[
                ...(read.mapping[field] === undefined ? [{ value: '', label: '–' }] : []),
                ...read.columns.map((column) => ({ value: column, label: column })),
              ]}
              onChoose={(column) => {
                if (column !== '') onMap({ ...read.mapping, [field]: column });
              }}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Describes the kind of file, and how its dates and ratings are read. */
function describeUnderstood({ format, encoding, known: columns, dates, rating_of: ratingOf }: ReadSignals): string {
  const parts = [columns === null ? format : `${format} (${columns})`];
  if (encoding !== null) parts.push(encoding);
  if (dates !== null) parts.push(`dates: ${dates.order}${dates.is_guess ? ' (a guess)' : ''}`);
  if (ratingOf !== null) parts.push(`ratings out of ${ratingOf}`);
  return `Read as ${parts.join(' · ')}`;
}

/** Saves the signals in batches. The dialog stays open where the service refused some, to name their lines. */
function useImport({
  name,
  read: { signals, lines },
  onDone,
}: {
  name: string;
  read: ReadSignals;
  onDone: () => void;
}) {
  const { path, say, refresh } = useChanges();
  const [sent, setSent] = useState(0);
  const [refused, setRefused] = useState<ReadSignals['notes']>([]);
  const action = useAction(async () => {
    const source = name.replace(/\.\w+$/, '');
    const counts = { added: 0, updated: 0, unchanged: 0 };
    const notSaved: ReadSignals['notes'] = [];
    for (let at = 0; at < signals.length; at += BATCH) {
      const batch = signals.slice(at, at + BATCH).map((signal) => ({ source, ...signal }));
      const saved = await post<SavedSignals>(path('signals'), { signals: batch });
      counts.added += saved.added;
      counts.updated += saved.updated;
      counts.unchanged += saved.unchanged;
      for (const { row, reason } of saved.refused) notSaved.push({ line: at + row, ...lines[at + row - 1], reason });
      setSent(at + batch.length);
    }
    setRefused(notSaved);
    if (notSaved.length === 0) onDone();
    const { added, updated, unchanged } = counts;
    say(`${formatCount(added, 'signal')} added, ${updated} updated, ${unchanged} already existed`);
    await refresh('signals');
  });
  return { ...action, sent, refused };
}

function PreviewTable({ signals }: { signals: readonly NewSignal[] }) {
  if (signals.length === 0) return null;
  return (
    <Table caption="The first signals" columns={['Date', 'Customer', 'Text']}>
      {signals.map(({ date, customer, text }, index) => (
        <tr key={index}>
          <Cell className="align-top text-sm whitespace-nowrap text-quiet">{date?.slice(0, 10) ?? 'now'}</Cell>
          <Cell className="align-top text-sm [overflow-wrap:anywhere]">{customer ?? ''}</Cell>
          <Cell className="align-top text-sm [overflow-wrap:anywhere]">{text.slice(0, 160)}</Cell>
        </tr>
      ))}
    </Table>
  );
}

const NAMED = 50;

function NamedLines({ title, lines, isOpen }: { title: string; lines: ReadSignals['notes']; isOpen?: boolean }) {
  if (lines.length === 0) return null;
  return (
    <details className="mt-2 text-sm text-quiet" open={isOpen === true}>
      <summary>{title}</summary>
      <ul className="mt-1 max-h-40 overflow-y-auto pl-4" tabIndex={0} aria-label={title}>
        {lines.slice(0, NAMED).map(({ file = '', line, reason }) => (
          <li key={`${file} ${line} ${reason}`}>
            {file} Line {line}: {reason}
          </li>
        ))}
        {lines.length > NAMED && <li>and {lines.length - NAMED} more</li>}
      </ul>
    </details>
  );
}
