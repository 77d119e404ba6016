import { Button } from '../components/button.tsx';
import { Card } from './card.tsx';

/** A page that broke, or that could not be loaded because a newer version replaced it. */
export function PageFailure() {
  return (
    <Card title="This page failed">
      <p className="mt-2 text-quiet">
        A newer version may have been installed in the meantime. Reloading usually helps.
      </p>
      <Button look="primary" icon="refresh" className="mt-4" onClick={() => location.reload()}>
        Reload
      </Button>
    </Card>
  );
}
