import type { ReactNode } from 'react';
import { createContext, useContext, useEffect, useId } from 'react';
import { classNames } from '../class-names.ts';

interface PageProps {
  title: string;
  /** Content of the heading, where that is more than the title. */
  heading?: ReactNode;
  /** Beside the title, for example a badge. */
  aside?: ReactNode;
  lead?: ReactNode;
  /** Actions of the page, at the right; below the title on phones. */
  actions?: ReactNode;
  /** Further actions, as a menu: after the actions; on phones beside the title, where it is never alone on a line. */
  menu?: ReactNode;
  /** A link to the page above. */
  back?: ReactNode;
  children: ReactNode;
}

/** The frame of every page: its title, also of the window, and its content. */
export function Page({ title, heading = title, aside, lead, actions, menu, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <>
      {back !== undefined && <div className="mb-2 text-sm">{back}</div>}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80 max-sm:basis-0">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h1 className="min-w-0 [overflow-wrap:anywhere]">{heading}</h1>
            {aside}
          </div>
          {lead !== undefined && <div className="mt-1 max-w-prose text-quiet">{lead}</div>}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap gap-2 max-sm:order-1 max-sm:w-full max-sm:*:flex-1">{actions}</div>
        )}
        {menu !== undefined && <div className="sm:-ml-4">{menu}</div>}
      </div>
      <div className="mt-5">{children}</div>
    </>
  );
}

interface SectionProps {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}

const IsPart = createContext(false);

/** True if this is in one of several sections of a page. */
export function useIsPart(): boolean {
  return useContext(IsPart);
}

export function Section({ title, lead, actions, className, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames('mt-8 first:mt-0', className)}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-2">
        <div>
          <h2 id={id}>{title}</h2>
          {lead !== undefined && <p className="max-w-prose text-quiet">{lead}</p>}
        </div>
        {actions}
      </div>
      <IsPart value={true}>{children}</IsPart>
    </section>
  );
}

export function Panel({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={classNames('rounded-lg border border-line bg-panel', className)}>{children}</div>;
}
