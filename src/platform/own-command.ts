/**
 * A command of `svc` as it can be typed where this process was started: `svc key list` when it is installed,
 * `npm run -s svc -- key list` in a checkout. The launcher knows, and tells its processes by `SVC_CALLED_AS`.
 */
export function ownCommand(words: string): string {
  return `${process.env['SVC_CALLED_AS'] ?? 'svc'} ${words}`;
}
