import { useEffect, useRef } from 'react';
import { Button } from '../components/button.tsx';
import { probeService } from '../connection.ts';
import { Card } from './card.tsx';
import { useServiceReached } from './connection-bar.tsx';

/** A page that broke, or that could not be loaded: because the service is away, or a newer version replaced it. */
export function PageFailure() {
  const isReached = useServiceReached();
  const wasAway = useRef(false);
  useEffect(() => {
    void probeService();
  }, []);
  useEffect(() => {
    if (!isReached) wasAway.current = true;
    else if (wasAway.current) location.reload();
  }, [isReached]);
  return (
    <Card title={isReached ? 'This page failed' : 'The service does not answer'}>
      <p className="mt-2 text-quiet">
        {isReached
          ? 'A newer version may have been installed in the meantime. Reloading usually helps.'
          : 'This page opens when it answers again.'}
      </p>
      <Button look="primary" icon="refresh" className="mt-4" onClick={() => location.reload()}>
        Reload
      </Button>
    </Card>
  );
}
