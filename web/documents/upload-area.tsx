import { useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Button, Icon } from '../components/button.tsx';
import { Badge, type Tone } from '../components/inline.tsx';
import { formatBytes, formatCount, formatShare } from '../format.ts';
import { isPending, type Upload, useUploads } from './upload.ts';

const ACCEPT = '.md,.markdown,.txt,.rst,.html,.htm,.pdf,.docx,.pptx,.xlsx,.odt,.rtf,.epub,.csv,.tsv,.zip';

/** Takes files that are dropped or chosen, and shows what becomes of each. */
export function UploadArea() {
  const { uploads, isBusy, add, clear } = useUploads();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="mb-5">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add([...event.dataTransfer.files]);
        }}
        className={classNames(
          'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-dashed px-4 py-3',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge/60 bg-panel',
        )}
      >
        <Icon name="upload" className="text-quiet" />
        <p className="min-w-0 flex-1 basis-56">
          Drop files here.{' '}
          <span className="text-quiet">
            Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, ODT, RTF, EPUB, CSV, or a ZIP of these; up to 50 MB each. A
            file with the same name becomes a new version.
          </span>
        </p>
        <Button look="primary" className="max-sm:w-full" onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          accept={ACCEPT}
          aria-label="Files to upload"
          tabIndex={-1}
          className="hidden"
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </div>
      {uploads.length > 0 && <UploadList uploads={uploads} isBusy={isBusy} onClear={clear} />}
    </div>
  );
}

function UploadList({
  uploads,
  isBusy,
  onClear,
}: {
  uploads: readonly Upload[];
  isBusy: boolean;
  onClear: () => void;
}) {
  const ended = uploads.filter((upload) => !isPending(upload));
  const refused = ended.filter(({ state }) => state === 'refused').length;
  return (
    <div className="mt-2 rounded-lg border border-line bg-panel">
      <div className="flex min-h-11 items-center justify-between gap-3 border-b border-line py-1 pr-1.5 pl-4">
        <p role="status">
          {ended.length} of {formatCount(uploads.length, 'file')} sent
          {refused > 0 && <span className="text-bad">, {refused} refused</span>}
        </p>
        {!isBusy && (
          <Button look="ghost" onClick={onClear}>
            Clear
          </Button>
        )}
      </div>
      <ul aria-label="Uploads" tabIndex={0} className="max-h-72 divide-y divide-line overflow-y-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </div>
  );
}

const OUTCOMES: Readonly<Record<Upload['state'], { tone: Tone; text: string }>> = {
  queued: { tone: 'neutral', text: 'Queued' },
  sending: { tone: 'accent', text: 'Sending' },
  added: { tone: 'good', text: 'Added' },
  new_version: { tone: 'good', text: 'New version' },
  unchanged: { tone: 'neutral', text: 'Unchanged' },
  refused: { tone: 'bad', text: 'Refused' },
};

function UploadRow({ upload: { name, sizeBytes, state, sent, reason } }: { upload: Upload }) {
  const { tone, text } = OUTCOMES[state];
  return (
    <li className="lazy-row flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <span className="min-w-0 grow basis-48 [overflow-wrap:anywhere]">{name}</span>
      <span className="text-sm text-quiet tabular-nums">{formatBytes(sizeBytes)}</span>
      {state === 'sending' && (
        <progress className="progress h-1.5 w-24" max={1} value={sent} aria-label={`${name}: ${formatShare(sent)}`} />
      )}
      <Badge tone={tone}>{text}</Badge>
      {reason !== '' && <p className="basis-full text-sm text-bad [overflow-wrap:anywhere]">{reason}</p>}
    </li>
  );
}
