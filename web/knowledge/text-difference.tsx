import { useMemo } from 'react';
import { DiffView } from '../code/diff-view.tsx';
import { textPatch } from '../text-patch.ts';

interface TextDifferenceProps {
  /** Name of the compared texts, for screen readers. */
  name: string;
  before: string;
  after: string;
  /** The version that `after` is. */
  version: number;
}

/** Changes in a later version of a text, with changed words marked. */
export function TextDifference({ name, before, after, version }: TextDifferenceProps) {
  const patch = useMemo(() => textPatch(before, after), [before, after]);
  return (
    <section aria-label={`Changes since, up to version ${version}`} className="mb-4">
      <h3 className="mb-1">Changes since, up to version {version}</h3>
      {patch === '' ? (
        <p className="text-quiet">None: the texts are the same.</p>
      ) : (
        <div className="max-h-[40vh] overflow-y-auto rounded-md border border-line bg-panel">
          <DiffView path={name} patch={patch} look="unified" wraps />
        </div>
      )}
    </section>
  );
}

/** The whole text of a version, which scrolls in itself. */
export function VersionText({ version, text }: { version: number; text: string }) {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label={`Text of version ${version}`}
      className="max-h-[50vh] overflow-y-auto rounded-md border border-line bg-page p-3 font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
