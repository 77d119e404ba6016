import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

const FEEDBACK_MS = 2000;

/**
 * Puts text on the clipboard; false when the browser does not let us.
 *
 * Over plain http browsers have no clipboard API. The old way works there, but only from a text area inside the open
 * dialog, which holds the focus.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'sr-only';
    const before = document.activeElement;
    (document.querySelector('[role=dialog],[role=alertdialog]') ?? document.body).append(area);
    area.select();
    // Deprecated, and the only way there is without a secure context.
    const copied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    return copied;
  }
}

interface CopyButtonProps {
  text: string;
  label?: string;
  look?: 'plain' | 'primary' | 'ghost';
  onCopied?: (() => void) | undefined;
}

export function CopyButton({ text, label = 'Copy', look = 'plain', onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    const copied = await copyText(text);
    setOutcome(copied ? 'copied' : 'refused');
    if (copied) onCopied?.();
  }

  const labels = { copied: 'Copied', refused: 'Press Ctrl+C' };
  return (
    <Button look={look} icon={outcome === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      {/* The longest word decides the width, so that nothing moves. */}
      <span aria-live="polite">{outcome === undefined ? label : labels[outcome]}</span>
    </Button>
  );
}

/** Text that has to be whole and is copied, such as a link or a key. Selects itself on focus. */
export function CopyField({ label, value, onCopied }: { label: string; value: string; onCopied?: () => void }) {
  return (
    <div>
      <p className="mb-1 font-medium" aria-hidden="true">
        {label}
      </p>
      <div className="flex items-start gap-2 max-sm:flex-col max-sm:items-stretch">
        <textarea
          readOnly
          aria-label={label}
          rows={2}
          value={value}
          spellCheck={false}
          autoFocus
          onFocus={(event) => event.target.select()}
          className="block w-full min-w-0 flex-1 field-sizing-content min-h-8 resize-none rounded-md border border-edge bg-page px-2.5 py-1.5 font-mono text-sm leading-5 break-all"
        />
        <CopyButton look="primary" text={value} onCopied={onCopied} />
      </div>
    </div>
  );
}

interface SnippetProps {
  /** Destination of the text. */
  title: string;
  label: string;
  text: string;
  onCopied?: (() => void) | undefined;
}

/** A piece of configuration or a command. */
export function Snippet({ title, label, text, onCopied }: SnippetProps) {
  return (
    <div className="overflow-hidden rounded-md border border-line bg-page">
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3 text-xs text-quiet">
        <span className="min-w-0 [overflow-wrap:anywhere]">{title}</span>
        <CopyButton look="ghost" text={text} onCopied={onCopied} />
      </div>
      {/* Scrolls sideways, so the keyboard has to reach it. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="overflow-x-auto p-3 font-mono text-[12.5px] leading-5 -outline-offset-2"
      >
        <code>{text}</code>
      </pre>
    </div>
  );
}
