import type { ApiError } from '../api.ts';
import { Button } from './button.tsx';
import { DialogActions } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface FormActionsProps {
  action: string;
  busy: boolean;
  problem: ApiError | undefined;
  onCancel: () => void;
  dangerous?: boolean;
  /** The reason why the form cannot be sent yet. */
  blocked?: string | false;
}

/** The end of a form in a dialog: why it failed, a way out and the way on, or what is missing for it. */
export function FormActions({ action, busy, problem, onCancel, dangerous = false, blocked = false }: FormActionsProps) {
  return (
    <div>
      <Problem problem={problem} />
      <DialogActions>
        {blocked !== false && !busy && (
          <span aria-hidden className="mr-auto self-center text-sm text-quiet">
            {blocked}
          </span>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={dangerous ? 'danger' : 'primary'} disabled={busy} blocked={blocked}>
          {action}
        </Button>
      </DialogActions>
    </div>
  );
}
