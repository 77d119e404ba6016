import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';

export interface DialogProps {
  title: string;
  lead?: ReactNode;
  /** Asked to close by Escape or a click beside the dialog; it stays until it is unmounted. */
  onClose: () => void;
  /** False: a click beside the dialog does nothing. */
  dismissible?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** A task on top of the page, open while it is mounted. Focus goes in, stays in, and returns where it came from. */
export function Dialog({ title, lead, onClose, dismissible = true, initialFocus, children }: DialogProps) {
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
        <Base.Popup className="dialog" {...(initialFocus !== undefined && { initialFocus })}>
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
