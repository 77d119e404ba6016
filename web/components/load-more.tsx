import { Button } from './button.tsx';

interface LoadMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  label?: string;
}

/** The way to the next page of a list, while there is one. */
export function LoadMore({ query, label = 'Show more' }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="mt-4 text-center">
      <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {query.isFetchingNextPage ? 'Loading…' : label}
      </Button>
    </div>
  );
}
