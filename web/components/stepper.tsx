import type { ReactNode } from 'react';
import { Icon } from './button.tsx';

export function Steps({ children }: { children: ReactNode }) {
  return <ol className="rounded-lg border border-line bg-panel">{children}</ol>;
}

interface StepProps {
  title: string;
  isDone: boolean;
  children: ReactNode;
  action?: ReactNode;
}

/** One thing to do; its mark says whether it is done, in words too. */
export function Step({ title, isDone, children, action }: StepProps) {
  return (
    <li className="flex items-start gap-3 border-b border-line px-4 py-4 last:border-0">
      {isDone ? (
        <span
          aria-hidden="true"
          className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full bg-good text-page"
        >
          <Icon name="check" className="size-3.5" />
        </span>
      ) : (
        <span aria-hidden="true" className="mt-0.5 size-5 shrink-0 rounded-full border-2 border-edge/60" />
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 basis-64 grow">
          <h2 className="text-base">
            {title}
            <span className="sr-only">{isDone ? ' (done)' : ' (to do)'}</span>
          </h2>
          <div className="text-quiet">{children}</div>
        </div>
        {action}
      </div>
    </li>
  );
}
