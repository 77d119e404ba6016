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
  disabled?: boolean;
}

/** The end of a form in a dialog: why it failed, a way out and the way on. */
export function FormActions({
  action,
  busy,
  problem,
  onCancel,
  dangerous = false,
  disabled = false,
}: FormActionsProps) {
  return (
    <div>
      <Problem problem={problem} />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look={dangerous ? 'danger' : 'primary'} disabled={busy || disabled}>
          {action}
        </Button>
      </DialogActions>
    </div>
  );
}
