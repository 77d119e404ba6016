import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';

async function loadPalette() {
  return { default: (await import('../palette/palette.tsx')).Palette };
}

const Palette = lazy(loadPalette);
const ShortcutHelp = lazy(async () => ({ default: (await import('../palette/shortcut-help.tsx')).ShortcutHelp }));

/** Time until the first page has most likely been shown. */
const LATER_MS = 1_500;

interface OnTopProps {
  what: 'palette' | 'help';
  /** True once it is known who is signed in. */
  isReady: boolean;
  onClose: () => void;
}

/** The dialog that a shortcut opens above the page: at once, because people go on typing after Ctrl K. */
export function OnTop({ what, isReady, onClose }: OnTopProps) {
  const [typed, setTyped] = useState('');
  if (what === 'help')
    return (
      <Suspense>
        <ShortcutHelp onClose={onClose} />
      </Suspense>
    );
  const waiting = <PaletteWaiting typed={typed} onType={setTyped} onClose={onClose} />;
  return <Suspense fallback={waiting}>{isReady ? <Palette start={typed} onClose={onClose} /> : waiting}</Suspense>;
}

interface PaletteWaitingProps {
  typed: string;
  onType: (text: string) => void;
  onClose: () => void;
}

/** Takes what is typed until the palette is loaded, which goes on with it. */
function PaletteWaiting({ typed, onType, onClose }: PaletteWaitingProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  return (
    <div className="dialog">
      <input
        ref={input}
        aria-label="Go to anything"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
        className="h-10 w-full bg-transparent px-8 outline-none max-md:text-[16px]"
      />
    </div>
  );
}

/** Loads, when the first page is there, what is needed at once later. */
export function useLaterParts(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let stop: (() => void) | undefined;
    const timer = setTimeout(() => {
      // Without the service they are loaded when they are asked for.
      void loadPalette().catch(() => undefined);
      void listenToKeyboard(content.current).then((end) => (stop = end));
    }, LATER_MS);
    return () => {
      clearTimeout(timer);
      stop?.();
    };
  }, [content]);
}

/** Lets the keyboard go on where rows go, and take back; gives what ends it. */
async function listenToKeyboard(content: HTMLElement | null): Promise<(() => void) | undefined> {
  try {
    const { keepFocusInList, pressUndoWithKeys } = await import('./keyboard.ts');
    const ends = [pressUndoWithKeys(), ...(content === null ? [] : [keepFocusInList(content)])];
    return () => ends.forEach((end) => end());
  } catch {
    // Without the service the keyboard does what the browser does.
    return undefined;
  }
}
