import { useState } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Checkbox } from '../components/field.tsx';
import { enableLetters, lettersEnabled, PLACES } from '../shell/shortcuts.ts';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['Ctrl K or ⌘ K', 'Go to anything'],
  ['/', 'Search'],
  ['Ctrl Z or ⌘ Z', 'Take back what was just done'],
  ...PLACES.map(({ letter = '', text }) => [`g ${letter}`, text] as const),
  ['?', 'This list'],
];

/** The keyboard shortcuts, and whether letters alone count. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [letters, setLetters] = useState(lettersEnabled);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-x-8 gap-y-1.5 sm:grid-cols-2">
        {KEYS.map(([keys, what]) => (
          <div key={keys} className="flex items-baseline justify-between gap-4">
            <dt className="text-quiet">{what}</dt>
            <dd>
              <kbd className="font-mono text-sm whitespace-nowrap">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-3">
        <Checkbox
          label="Shortcuts of letters alone"
          hint="Turn them off when you dictate. Ctrl K and ⌘ K stay."
          checked={letters}
          onChange={(enabled) => {
            enableLetters(enabled);
            setLetters(enabled);
          }}
        />
      </div>
    </Dialog>
  );
}
