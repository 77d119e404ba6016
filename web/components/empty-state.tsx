import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { useIsPart } from './page.tsx';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Says why there is nothing and what makes something: in the middle of a page, or in a row when it is one part of it. */
export function EmptyState(props: EmptyStateProps) {
  return useIsPart() ? <EmptyPart {...props} /> : <EmptyPage {...props} />;
}

function EmptyPage({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-lg border border-dashed border-edge/60 bg-panel px-6 py-12 text-center">
      <Icon name={icon} className="mx-auto size-6 text-quiet" />
      <h2 className="mt-2">{title}</h2>
      <div className="mx-auto mt-1 max-w-md text-quiet">{children}</div>
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

function EmptyPart({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-dashed border-edge/60 bg-panel px-4 py-3">
      <div className="flex min-w-0 flex-1 basis-64 gap-3">
        <Icon name={icon} className="mt-0.5 size-5 shrink-0 text-quiet" />
        <div className="min-w-0">
          <h3>{title}</h3>
          <div className="max-w-prose text-quiet">{children}</div>
        </div>
      </div>
      {action !== undefined && <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
