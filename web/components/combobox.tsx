import { Combobox as Base } from '@base-ui/react/combobox';
import { useId } from 'react';
import { INPUT_CLASS } from './field.tsx';
import { Icon } from './icon.tsx';
import { ITEM_CLASS } from './menu.tsx';

interface ComboboxProps {
  label: string;
  /** Shown while nothing is chosen. */
  placeholder: string;
  value: string | undefined;
  choices: readonly string[];
  /** Undefined when the choice is taken back. */
  onChoose: (value: string | undefined) => void;
}

const landmark = {
  get current(): HTMLElement | null {
    return document.querySelector('main');
  },
};

/** One of many, found by typing. */
export function Combobox({ label, placeholder, value, choices, onChoose }: ComboboxProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <Base.Root items={choices} value={value ?? null} onValueChange={(chosen) => onChoose(chosen ?? undefined)}>
        <div className="relative">
          <Base.Input id={id} placeholder={placeholder} className={`${INPUT_CLASS} pr-8`} />
          <div className="absolute inset-y-0 right-0 flex items-center pr-1">
            <Base.Clear
              aria-label={`Clear ${label.toLowerCase()}`}
              className="grid size-7 place-items-center text-quiet"
            >
              <Icon name="close" />
            </Base.Clear>
          </div>
        </div>
        <Base.Portal container={landmark}>
          <Base.Positioner sideOffset={4} className="z-50 w-(--anchor-width) min-w-48">
            <Base.Popup className="max-h-72 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-lg">
              <Base.Empty className="px-2 text-quiet empty:hidden">Nothing has this name.</Base.Empty>
              <Base.List aria-label={label}>
                {(choice: string) => (
                  <Base.Item key={choice} value={choice} className={ITEM_CLASS}>
                    <span className="min-w-0 [overflow-wrap:anywhere]">{choice}</span>
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </div>
  );
}
