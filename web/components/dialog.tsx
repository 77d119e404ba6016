import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { useAction, useChanges } from '../action.ts';
import { remove } from '../api.ts';
import type { Kind } from '../query-keys.ts';
import { Button } from './button.tsx';
import { Form, INPUT_CLASS } from './field.tsx';
import type { FormFrame } from './form.tsx';
import { Problem } from './query-state.tsx';

interface DialogProps {
  title: string;
  lead?: ReactNode;
  /** Asked to close by Escape or a click beside the dialog; it stays until it is unmounted. */
  onClose: () => void;
  /** False: a click beside the dialog does nothing. */
  dismissible?: boolean;
  children: ReactNode;
}

/** A task on top of the page, open while it is mounted. Focus goes in, stays in, and returns where it came from. */
export function Dialog({ title, lead, onClose, dismissible = true, children }: DialogProps) {
  return (
    <Base.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      disablePointerDismissal={!dismissible}
    >
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className="dialog">
          <Base.Title className="text-[16px] leading-6 font-semibold">{title}</Base.Title>
          {lead !== undefined && (
            <Base.Description render={<div />} className="mt-1 text-quiet">
              {lead}
            </Base.Description>
          )}
          <div className="mt-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of buttons at the end of a dialog, the main one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2 max-sm:flex-col-reverse">{children}</div>;
}

interface ActionsProps {
  /** What the button does that sends the form. */
  action: string;
  /** What is sent. */
  form: Omit<FormFrame, 'attempts' | 'submit'>;
  onCancel: () => void;
  dangerous?: boolean;
  /** The reason why the form cannot be sent yet, where no field of it can say so. */
  blocked?: string | false;
}

/** The end of a form in a dialog: why it failed, a way out and the way on, or what is missing for it. */
export function FormActions({ action, form, onCancel, dangerous = false, blocked = false }: ActionsProps) {
  return (
    <div>
      <Problem problem={form.problem} />
      <DialogActions>
        {blocked !== false && !form.busy && (
          <span aria-hidden className="mr-auto self-center text-sm text-quiet">
            {blocked}
          </span>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={dangerous ? 'danger' : 'primary'} disabled={form.busy} blocked={blocked}>
          {action}
        </Button>
      </DialogActions>
    </div>
  );
}

type DialogFormProps = ActionsProps & { form: FormFrame; children: ReactNode };

/** A form in a dialog. */
export function DialogForm({ children, ...actions }: DialogFormProps) {
  return (
    <Form form={actions.form}>
      {children}
      <FormActions {...actions} />
    </Form>
  );
}

/** A dialog that is one form. */
export function FormDialog(props: DialogProps & Omit<DialogFormProps, 'onCancel'>) {
  const { title, lead, onClose, dismissible = true, ...form } = props;
  return (
    <Dialog {...{ title, lead, onClose, dismissible }}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}

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

interface RemovalProps extends Pick<ConfirmationProps, 'title' | 'children' | 'action' | 'onClose'> {
  /** Address of what is removed. */
  path: string;
  /** Kinds of answers that it was in. */
  kinds: readonly Kind[];
  /** Reports the removal. */
  message?: string;
  onRemoved?: (() => void) | undefined;
}

/** Asks before something is removed, and removes it. */
export function Removal({ path, kinds, message, onRemoved, ...question }: RemovalProps) {
  const { apply } = useChanges();
  const close = (): void => {
    question.onClose();
    onRemoved?.();
  };
  return (
    <Confirmation {...question} onConfirm={() => apply(remove(path), { to: kinds, done: close, says: message })} />
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
