import { createServer } from 'node:net';
import { ServiceError } from '../kernel/errors.ts';

/** Address to listen on. */
export interface ListenAddress {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** The variable that sets the port, to name it when the port is taken. */
  variable: string;
}

/**
 * Tries to listen on an address, and stops at once: a port that is in use is reported before anything is made.
 *
 * @throws ServiceError as `explainListening` describes it.
 */
export async function checkPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainListening(error, address)));
    server.listen(address.port, address.host, resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/** `conflict` for a port that is taken, `bad_argument` for an address that cannot be listened on; others as they are. */
export function explainListening(error: NodeJS.ErrnoException, { host, port, variable }: ListenAddress): Error {
  if (error.code === 'EADDRINUSE') {
    return new ServiceError('conflict', `Another program already uses port ${port} on ${host}.`, {
      fix: `Stop that program, or choose another port, for example ${variable}=${port + 1}.`,
      cause: error,
    });
  }
  if (error.code === 'EACCES') {
    return new ServiceError('bad_argument', `This user may not listen on port ${port} of ${host}.`, {
      fix: `Choose a port from 1024 up, for example ${variable}=4000.`,
      cause: error,
    });
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new ServiceError('bad_argument', `This machine has no address "${host}" to listen on.`, {
      fix: 'Set SVC_HOST to 127.0.0.1, 0.0.0.0 or an address of this machine.',
      cause: error,
    });
  }
  return error;
}
