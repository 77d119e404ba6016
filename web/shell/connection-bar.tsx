import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Icon } from '../components/button.tsx';
import { isServiceReached, probeService, subscribeToConnection } from '../connection.ts';

const PROBE_MS = 3_000;

/** True while the service answers. While it does not, it is asked again and again. */
export function useServiceReached(): boolean {
  const isReached = useSyncExternalStore(subscribeToConnection, isServiceReached);
  useEffect(() => {
    if (isReached) return undefined;
    const timer = setInterval(() => void probeService(), PROBE_MS);
    return () => clearInterval(timer);
  }, [isReached]);
  return isReached;
}

/** Says above the page that the service does not answer; what is shown stays, and is asked for again when it does. */
export function ConnectionBar() {
  const isReached = useServiceReached();
  const queries = useQueryClient();
  useEffect(() => {
    if (!isReached) return () => void queries.invalidateQueries();
    return undefined;
  }, [isReached, queries]);
  return (
    <div role="status" className="sticky top-0 z-20 max-md:top-14">
      {!isReached && (
        <p className="flex items-center gap-2 border-b border-line bg-raised px-4 py-2 text-sm">
          <Icon name="alert" className="shrink-0 text-bad" />
          The service does not answer. Trying again…
        </p>
      )}
    </div>
  );
}
