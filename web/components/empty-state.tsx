import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface EmptyStateProps {
  icon: IconName;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** Says why there is nothing and what makes something. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-lg border border-dashed border-edge/60 bg-panel px-6 py-12 text-center">
      <Icon name={icon} className="mx-auto size-6 text-quiet" />
      <h2 className="mt-2">{title}</h2>
      <div className="mx-auto mt-1 max-w-md text-quiet">{children}</div>
      {action !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
