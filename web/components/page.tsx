import { Link, type LinkProps } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext, useEffect, useId } from 'react';
import { classNames } from '../class-names.ts';
import { Button, Icon, type IconName } from './button.tsx';
import { QueryState, type QueryStateProps } from './query-state.tsx';

export type PageAbove = Pick<LinkProps, 'to' | 'search'> & { name: string };

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
  /** The page above. */
  back?: PageAbove;
  children: ReactNode;
}

/** The frame of every page: its title, also of the window, and its content. */
export function Page({ title, heading = title, aside, lead, actions, menu, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <>
      {back !== undefined && <BackLink {...back} />}
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

function BackLink({ name, ...link }: PageAbove) {
  return (
    <div className="mb-2 text-sm">
      <Link {...link} className="text-accent hover:underline">
        {name}
      </Link>
    </div>
  );
}

interface LoadedPageProps<Data> {
  query: QueryStateProps['query'] & { data: Data | undefined };
  /** What the page is about, as in a sentence: `plan`. */
  noun: string;
  back: PageAbove;
  children: (data: Data) => ReactNode;
}

/** The page of one thing: until it is loaded, a page of the same frame that waits for it or says why it is not there. */
export function LoadedPage<Data>({ query, noun, back, children }: LoadedPageProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  return (
    <Page title={noun.charAt(0).toUpperCase() + noun.slice(1)} back={back}>
      <QueryState query={query} what={`this ${noun}`} box="h-80" />
    </Page>
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
function useIsPart(): boolean {
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

/** The pages of an infinite query. */
export interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage: () => Promise<unknown>;
}

/** The way to the next page of a list, while there is one. */
export function LoadMore({ query, label = 'Show more' }: { query: Pages; label?: string }) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? 'Loading…' : label}
      </Button>
    </div>
  );
}

type Fact = readonly [name: string, value: ReactNode];

/** Names with their values, two columns where there is room; false for what is not said. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-8 rounded-lg border border-line bg-panel px-4 py-1.5 sm:grid-cols-2">
      {facts
        .filter((fact) => fact !== false)
        .map(([name, value]) => (
          <div key={name} className="flex items-baseline gap-3 py-1.5">
            <dt className="w-28 shrink-0 text-sm text-quiet">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A row of figures. */
export function Tiles({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-4">
      {children}
    </dl>
  );
}

export function Tile({ name, value, children }: { name: string; value: ReactNode; children?: ReactNode }) {
  return (
    <div className="bg-panel px-4 py-3">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="mt-0.5 text-[18px] leading-6 font-semibold tabular-nums">{value}</dd>
      <dd className="min-h-4.5 text-xs leading-4.5 text-quiet">{children}</dd>
    </div>
  );
}
