import { useQuery } from '@tanstack/react-query';
import { classNames } from '../class-names.ts';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { keyQuery } from '../queries.ts';

/** Waits for the first MCP call of a key and says when it came, with what the client found. */
export function LiveLine({ keyId }: { keyId: string }) {
  const { data } = useQuery(keyQuery(keyId, true));
  const isConnected = data?.mcp_connected === true;
  return (
    <div
      role="status"
      className={classNames(
        'flex items-start gap-2.5 rounded-md border px-3 py-2.5',
        isConnected ? 'border-good/40 bg-good-soft text-good' : 'border-line text-quiet',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames('mt-1.5 size-2.5 shrink-0 rounded-full', isConnected ? 'bg-good' : 'breathing bg-edge')}
      />
      {isConnected ? (
        <p className="min-w-0">
          <span className="font-medium">Connected.</span> The client found{' '}
          {formatCount(data.operations.length, 'operation')}
          {data.operations.length > 0 && (
            <>
              : <code className="font-mono text-sm [overflow-wrap:anywhere]">{data.operations.join(', ')}</code>
            </>
          )}
          .
          {data.last_used_at !== null && (
            <>
              {' '}
              Last request <Time at={data.last_used_at} />.
            </>
          )}
        </p>
      ) : (
        <p>Waiting for the first MCP call with this key… Start your client; this line then turns green.</p>
      )}
    </div>
  );
}
