import { type ErrorCode, ServiceError } from '../../kernel/errors.ts';
import { GitFailure } from './git.ts';

interface Explanation {
  pattern: RegExp;
  code: ErrorCode;
  /** Says what happened; `subject` is the repository as the user wrote it. */
  message: (subject: string, match: RegExpExecArray) => string;
  fix: string;
  /** Set if the host cannot be reached, which holds for all repositories there. */
  isOfHost?: true;
}

/** Explanations in order: the first pattern that is in the text wins, so the more exact ones come first. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    pattern: /no space left on device|disk quota exceeded/i,
    code: 'storage_full',
    message: (subject) => `The disk is full: ${subject} could not be stored.`,
    fix: 'Free some space in the data directory (SVC_DATA_DIR), then index the repository again.',
  },
  {
    pattern: /dubious ownership/i,
    code: 'bad_argument',
    message: (subject) => `${subject} belongs to another user, and git refuses to read it.`,
    fix: 'Run the service as the owner of that folder, or allow it: git config --global --add safe.directory <folder>.',
  },
  {
    pattern: /transport '([^']+)' not allowed/i,
    code: 'bad_argument',
    message: (subject, match) => `${subject} would be fetched over "${match[1]}", which is not allowed here.`,
    fix: 'Use an https or ssh address.',
  },
  {
    pattern: /host key verification failed/i,
    code: 'upstream_failed',
    message: (subject) => `The SSH host key of ${subject} is not known to the user that runs the service.`,
    fix: 'Connect to the host once as that user (ssh -T git@<host>) and accept its key, then index again.',
  },
  {
    pattern:
      /permission denied \(|could not read (username|password)|authentication failed|access denied|invalid credentials|returned error: 40[13]|terminal prompts disabled/i,
    code: 'upstream_failed',
    message: (subject) =>
      `${subject} refused access: it is private or does not exist, and no valid credentials were found.`,
    fix: 'Set up a git credential helper or an SSH key with read access for the user that runs the service, then index again.',
  },
  {
    pattern: /could not resolve host(name)?|name or service not known|temporary failure in name resolution/i,
    isOfHost: true,
    code: 'upstream_failed',
    message: (subject) => `The host of ${subject} could not be found.`,
    fix: 'Check the address and the network, then index again.',
  },
  {
    pattern:
      /repository [^\n]*not found|returned error: 404|does not appear to be a git repository|repository [^\n]*does not exist|not a git repository|not valid: is this a git repository/i,
    code: 'upstream_failed',
    message: (subject) => `There is no git repository at ${subject}.`,
    fix: 'Check the address; a private repository needs credentials for the user that runs the service.',
  },
  {
    pattern:
      /connection (refused|timed out|reset|closed)|failed to connect|could not connect|operation timed out|network is unreachable|no route to host|early eof|the remote end hung up|rpc failed|unable to access/i,
    isOfHost: true,
    code: 'upstream_failed',
    message: (subject) => `${subject} could not be reached, or the connection broke.`,
    fix: 'Check the network and index again; what was already fetched is kept.',
  },
  {
    pattern: /permission denied/i,
    code: 'bad_argument',
    message: (subject) => `${subject} cannot be read or written: the service lacks permission.`,
    fix: 'Give the user that runs the service access to it, then index again.',
  },
  {
    pattern:
      /unable to read|could not read|missing (blob|tree|commit)|bad (object|tree)|object [^\n]*(corrupt|missing)|could not parse|cannot read|not a tree object/i,
    code: 'bad_argument',
    message: (subject) => `${subject} has missing or damaged objects.`,
    fix: 'Run git fsck there; a clone without trees (--filter=tree:0) needs git fetch --refetch first.',
  },
];

/**
 * Turns a failure of git into one sentence and what to do. `subject` is the repository as the user knows it, without
 * credentials. Anything but a GitFailure comes back as it is.
 */
export function explainGit(error: unknown, subject: string): unknown {
  if (!(error instanceof GitFailure)) return error;
  for (const { pattern, code, message, fix } of EXPLANATIONS) {
    const match = pattern.exec(error.stderr);
    if (match !== null) return new ServiceError(code, message(subject, match), { fix, cause: error });
  }
  const reason = /(?:fatal|error): ([^\n]+)/i.exec(error.stderr)?.[1] ?? error.message;
  return new ServiceError('upstream_failed', `git failed on ${subject}: ${reason}`, {
    fix: 'Fix what git reports, then index the repository again.',
    cause: error,
  });
}

/** Reports whether a transfer failed because its host cannot be reached. */
export function isHostFailure(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') return false;
  // No request reached the host: its name did not resolve.
  if (!(error.cause instanceof GitFailure)) return true;
  const { stderr } = error.cause;
  return EXPLANATIONS.find(({ pattern }) => pattern.test(stderr))?.isOfHost === true;
}

/** True when git stopped because an object is not there, as in a partial clone. */
export function lacksObject(error: unknown): boolean {
  return (
    error instanceof GitFailure &&
    /unable to read|missing (blob|tree)|bad (object|tree)|could not (read|get|parse)|not a tree object|cannot read/i.test(
      error.stderr,
    )
  );
}
