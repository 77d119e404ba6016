import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon, IconButton } from '../components/button.tsx';
import { MenuOnClick } from '../components/menu-on-click.tsx';
import { LoadFailure } from '../components/query-state.tsx';
import { SessionGate, storedRole, useOptionalSession } from '../session.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Mark } from './mark.tsx';
import { AccountButton, ProductButton } from './menu-buttons.tsx';
import { Navigation } from './navigation.tsx';
import { OnTop, useLaterParts } from './on-top.tsx';
import { PagePending } from './page-pending.tsx';
import { useShortcuts } from './shortcuts.ts';

// Menus and forms are large, and most visits need none.
const AccountMenu = lazy(async () => ({ default: (await import('./account-menu.tsx')).AccountMenu }));
const ProductMenu = lazy(async () => ({ default: (await import('./product-menu.tsx')).ProductMenu }));
const SignInPage = lazy(async () => ({ default: (await import('../account/sign-in-page.tsx')).SignInPage }));

/** The frame of all pages that need somebody signed in: at the side on wide screens, behind a button on phones. */
export function Shell() {
  return (
    <SessionGate
      signedOut={(session) => (
        <Suspense>
          <SignInPage session={session} />
        </Suspense>
      )}
      failed={(problem, retry) => (
        <main id="main" className="mx-auto max-w-xl p-6">
          <LoadFailure what="the application" problem={problem} onRetry={retry} />
        </main>
      )}
    >
      <Frame />
    </SessionGate>
  );
}

function Frame() {
  const scope = useOptionalSession();
  const [isOpen, setOpen] = useState(false);
  const [onTop, setOnTop] = useState<'palette' | 'help'>();
  const content = useFocusOnNavigation();
  useShortcuts(setOnTop);
  useLaterParts(content);
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[232px_minmax(0,1fr)]">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          content.current?.focus();
        }}
        className="sr-only rounded-md focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-accent focus:px-3 focus:py-2 focus:text-on-accent"
      >
        Skip to content
      </a>
      <header
        className="flex flex-col border-line bg-panel max-md:sticky max-md:top-0 max-md:z-30 max-md:border-b md:sticky md:top-0 md:h-dvh md:border-r"
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
      >
        <Brand name={scope?.session.account.name} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
        <div
          id="navigation"
          className={classNames(
            'min-h-0 flex-1 flex-col gap-3 p-3 pt-1 max-md:max-h-[calc(100dvh-56px)] max-md:overflow-y-auto md:flex',
            isOpen ? 'flex' : 'max-md:hidden',
          )}
        >
          {scope === undefined ? <Placeholder /> : <MenuOnClick trigger={<ProductButton />} menu={<ProductMenu />} />}
          <GoTo onOpen={() => setOnTop('palette')} />
          {/* Where it is too high, it scrolls alone: the person stays in sight below it. */}
          <div className="-mx-1 flex-1 px-1 md:min-h-0 md:overflow-y-auto">
            <Navigation
              role={scope?.session.person.role ?? storedRole() ?? 'viewer'}
              onNavigate={() => setOpen(false)}
            />
          </div>
          {scope === undefined ? <Placeholder /> : <MenuOnClick trigger={<AccountButton />} menu={<AccountMenu />} />}
        </div>
      </header>
      <div className="min-w-0">
        <ConnectionBar />
        <main
          id="main"
          ref={content}
          tabIndex={-1}
          className="mx-auto w-full max-w-5xl min-w-0 has-data-wide:max-w-[100rem] px-4 py-6 outline-none md:px-8 md:py-8"
        >
          <Suspense fallback={<PagePending />}>{scope === undefined ? <PagePending /> : <Outlet />}</Suspense>
        </main>
      </div>
      {onTop !== undefined && <OnTop what={onTop} isReady={scope !== undefined} onClose={() => setOnTop(undefined)} />}
    </div>
  );
}

function GoTo({ onOpen }: { onOpen: () => void }) {
  return (
    <button
      type="button"
      className="flex h-8 shrink-0 items-center gap-2 rounded-md border border-line px-2 text-left text-quiet hover:bg-hover max-md:h-10"
      onClick={onOpen}
    >
      <Icon name="search" />
      <span className="flex-1">Go to…</span>
      <kbd className="text-xs max-md:hidden">{IS_APPLE ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

function Brand({ name, isOpen, onToggle }: { name: string | undefined; isOpen: boolean; onToggle: () => void }) {
  return (
    <div className="flex h-14 shrink-0 items-center justify-between gap-2 px-4">
      <span className="flex min-w-0 items-center gap-2 font-semibold">
        <Mark />
        <span className="truncate">{name}</span>
      </span>
      <IconButton
        icon={isOpen ? 'close' : 'menu'}
        label={isOpen ? 'Close menu' : 'Menu'}
        aria-expanded={isOpen}
        aria-controls="navigation"
        className="md:hidden"
        onClick={onToggle}
      />
    </div>
  );
}

/** Of the size of a menu's button, until it is known who is signed in. */
function Placeholder() {
  return <div className="h-10 shrink-0 rounded-md bg-hover max-md:h-11" />;
}

/** Moves the focus to the content when the page changes, so that the keyboard and screen readers follow. */
function useFocusOnNavigation() {
  const content = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const shown = useRef(path);
  useEffect(() => {
    const isNew = shown.current !== undefined && path !== shown.current;
    // A page that put the focus on a field of its own keeps it there.
    const isInside = content.current?.contains(document.activeElement) === true;
    if (isNew && !isInside) content.current?.focus({ preventScroll: true });
    shown.current = path;
  }, [path]);
  return content;
}
