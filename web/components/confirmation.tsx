import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState, type ReactNode } from 'react';
import { useAction } from '../action.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { INPUT_CLASS } from './field.tsx';
import { Problem } from './problem.tsx';

interface ConfirmationProps {
  title: string;
  /** What will happen, and what cannot be undone. */
  children: ReactNode;
  action: string;
  /** Has to be typed before the action can run. */
  typed?: string | undefined;
  /** Does it, and unmounts this when it is done. Failures that it throws are shown here. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that cannot be undone; open while it is mounted. The safe button has the focus. */
export function Confirmation({ title, children, action, typed, onConfirm, onClose }: ConfirmationProps) {
  const [entered, setEntered] = useState('');
  const cancel = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const confirm = useAction(onConfirm);
  const isConfirmed = typed === undefined || entered.trim() === typed;
  return (
    <AlertDialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog" initialFocus={typed === undefined ? cancel : input}>
          <AlertDialog.Title className="text-[16px] leading-6 font-semibold [overflow-wrap:anywhere]">
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 text-quiet">
            {children}
          </AlertDialog.Description>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (isConfirmed) confirm.run();
            }}
          >
            {typed !== undefined && (
              <label className="mt-4 block">
                <span className="mb-1 block [overflow-wrap:anywhere]">
                  Type <b className="font-semibold">{typed}</b> to confirm
                </span>
                <input
                  ref={input}
                  value={entered}
                  onChange={(event) => setEntered(event.target.value)}
                  autoComplete="off"
                  spellCheck={false}
                  className={INPUT_CLASS}
                />
              </label>
            )}
            <Problem problem={confirm.problem} />
            <DialogActions>
              <AlertDialog.Close render={<Button ref={cancel} />}>Cancel</AlertDialog.Close>
              <Button type="submit" look="danger" disabled={confirm.busy || !isConfirmed}>
                {action}
              </Button>
            </DialogActions>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
