import { Link } from '@tanstack/react-router';
import { buttonClass } from '../components/button.tsx';
import { EmptyState, Page } from '../components/page.tsx';

/** Any address below which there is nothing. */
export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        icon="search"
        title="There is no page at this address"
        action={
          <Link to="/" className={buttonClass('primary')}>
            Go to the overview
          </Link>
        }
      >
        It may have been removed or mistyped. Ctrl K finds pages, files, plans and decisions by name.
      </EmptyState>
    </Page>
  );
}
