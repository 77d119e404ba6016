import { useId } from 'react';
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

/** The end of a form in a dialog: why it failed, a way out and the way on, or what is missing for it. */
export function FormActions({
  action,
  busy,
  problem,
  onCancel,
  dangerous = false,
  disabled = false,
}: FormActionsProps) {
  const why = useId();
  return (
    <div>
      <Problem problem={problem} />
      <DialogActions>
        {disabled && !busy && (
          <span id={why} className="mr-auto self-center text-sm text-quiet">
            Fill in what is required first.
          </span>
        )}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          look={dangerous ? 'danger' : 'primary'}
          disabled={busy || disabled}
          aria-describedby={disabled ? why : undefined}
        >
          {action}
        </Button>
      </DialogActions>
    </div>
  );
}
