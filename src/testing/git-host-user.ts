import { localEnvironment } from '../platform/git/git.ts';
import { GitHost } from '../platform/git/git-host.ts';

/** A process that waits for a git which its host runs, and reports the host's id. */
const host = new GitHost();
host.run(['-c', 'alias.wait=!sleep 600', 'wait'], { env: localEnvironment() }).catch(() => process.exit(1));
process.send?.(host.pid);
