import { useEffect, useId, useRef, useState } from 'react';
import { INPUT_CLASS } from './field.tsx';

const TYPING_PAUSE_MS = 300;

interface FilterFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  onChange: (value: string) => void;
}

/** A text that narrows a list down: taken when the typing pauses, and at once on Enter. */
export function FilterField({ label, value, placeholder, onChange }: FilterFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Back and Forward change it from outside.
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function take(entered: string): void {
    clearTimeout(timer.current);
    if (entered.trim() === sent.current) return;
    sent.current = entered.trim();
    onChange(sent.current);
  }

  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const entered = event.target.value;
          setText(entered);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => take(entered), TYPING_PAUSE_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(text);
        }}
        className={INPUT_CLASS}
      />
    </div>
  );
}
