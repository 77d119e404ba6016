import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useRef, useState, type ReactNode, type RefObject } from 'react';
import { useAction } from '../action.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { INPUT_CLASS } from './field.tsx';
import { Problem } from './problem.tsx';

interface ConfirmationProps {
  title: string;
  /** Consequences of the action, and which of them cannot be undone. */
  children: ReactNode;
  action: string;
  /** Choice to make before the action runs. */
  choice?: ReactNode;
  /** Has to be typed before the action can run. */
  typed?: string | undefined;
  /** Does it, and unmounts this when it is done. Failures that it throws are shown here. */
  onConfirm: () => Promise<void>;
  onClose: () => void;
  /**
   * Content after the action, when its result matters more than the page. In the same dialog: a second one would lose the focus
   * to what the first gives it back to.
   */
  outcome?: { title: string; lead: ReactNode; content: ReactNode } | undefined;
}

/** Asks before something that cannot be undone; open while it is mounted. The safe button has the focus. */
export function Confirmation({ outcome, onClose, ...question }: ConfirmationProps) {
  const start = useRef<HTMLElement>(null);
  return (
    <AlertDialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog" initialFocus={start}>
          <AlertDialog.Title className="text-[16px] leading-6 font-semibold [overflow-wrap:anywhere]">
            {outcome?.title ?? question.title}
          </AlertDialog.Title>
          <AlertDialog.Description render={<div />} className="mt-2 text-quiet">
            {outcome?.lead ?? question.children}
          </AlertDialog.Description>
          {outcome === undefined ? (
            <Question {...question} start={start} />
          ) : (
            <div className="mt-4">{outcome.content}</div>
          )}
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type QuestionProps = Pick<ConfirmationProps, 'action' | 'choice' | 'typed' | 'onConfirm'> & {
  /** Has the focus first: the safe button, or what has to be typed. */
  start: RefObject<HTMLElement | null>;
};

function Question({ action, choice, typed, onConfirm, start }: QuestionProps) {
  const [entered, setEntered] = useState('');
  const confirm = useAction(onConfirm);
  const isConfirmed = typed === undefined || entered.trim() === typed;
  const focusFirst = (element: HTMLElement | null): void => void (start.current = element);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isConfirmed) confirm.run();
      }}
    >
      {choice !== undefined && <div className="mt-4">{choice}</div>}
      {typed !== undefined && (
        <label className="mt-4 block">
          <span className="mb-1 block [overflow-wrap:anywhere]">
            Type <b className="font-semibold">{typed}</b> to confirm
          </span>
          <input
            ref={focusFirst}
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
        <AlertDialog.Close render={<Button {...(typed === undefined && { ref: focusFirst })} />}>
          Cancel
        </AlertDialog.Close>
        <Button type="submit" look="danger" disabled={confirm.busy} blocked={!isConfirmed && `Type ${typed} first.`}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
