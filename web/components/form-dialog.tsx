import type { ApiError } from '../api.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx';
import { Form, type FormProps } from './field.tsx';
import { Problem } from './problem.tsx';

interface ActionsProps {
  /** What the button does that sends the form. */
  action: string;
  /** The change that the form asks for. */
  change: { busy: boolean; problem: ApiError | undefined };
  onCancel: () => void;
  dangerous?: boolean;
  /** The reason why the form cannot be sent yet. */
  blocked?: string | false;
}

/** The end of a form in a dialog: why it failed, a way out and the way on, or what is missing for it. */
export function FormActions({ action, change, onCancel, dangerous = false, blocked = false }: ActionsProps) {
  return (
    <div>
      <Problem problem={change.problem} />
      <DialogActions>
        {blocked !== false && !change.busy && (
          <span aria-hidden className="mr-auto self-center text-sm text-quiet">
            {blocked}
          </span>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={dangerous ? 'danger' : 'primary'} disabled={change.busy} blocked={blocked}>
          {action}
        </Button>
      </DialogActions>
    </div>
  );
}

type DialogFormProps = FormProps & ActionsProps;

/** A form in a dialog. */
export function DialogForm({ onSubmit, className, noValidate = false, children, ...actions }: DialogFormProps) {
  return (
    <Form onSubmit={onSubmit} noValidate={noValidate} {...(className !== undefined && { className })}>
      {children}
      <FormActions {...actions} />
    </Form>
  );
}

/** A dialog that is one form. */
export function FormDialog(props: Omit<DialogProps & DialogFormProps, 'onCancel' | 'className'>) {
  const { title, lead, onClose, dismissible = true, initialFocus, ...form } = props;
  return (
    <Dialog {...{ title, lead, onClose, dismissible }} {...(initialFocus !== undefined && { initialFocus })}>
      <DialogForm {...form} onCancel={onClose} />
    </Dialog>
  );
}
