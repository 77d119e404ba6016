import { Button } from './button.tsx';

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
