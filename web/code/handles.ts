import type { LineRange } from './address.ts';

/** Thing that a handle refers to. */
type Entity =
  | { kind: 'symbol'; name: string; path: string }
  | { kind: 'commit' | 'plan' | 'decision' | 'signal' | 'other'; name: string }
  | { kind: 'path'; path: string; lines: LineRange | undefined };

/** Reads a handle as operations write it; `other` for what has no page. */
export function readHandle(handle: string): Entity {
  const symbol = /^sym:(.+)@([^@]+)$/.exec(handle);
  if (symbol !== null) return { kind: 'symbol', name: symbol[1] ?? '', path: symbol[2] ?? '' };
  const commit = /^c:([0-9a-f]{7,64})$/.exec(handle);
  if (commit !== null) return { kind: 'commit', name: commit[1] ?? '' };
  const plan = /^plan:([^/]+)$/.exec(handle);
  if (plan !== null) return { kind: 'plan', name: plan[1] ?? '' };
  if (/^dec:\d+$/.test(handle)) return { kind: 'decision', name: handle.slice(4) };
  if (/^sig:\S/.test(handle)) return { kind: 'signal', name: handle };
  if (/^#\d+$/.test(handle) || /^[a-z]+:\S/.test(handle)) return { kind: 'other', name: handle };
  const match = /^(.+?):(\d{1,7})(?:-(\d{1,7}))?$/.exec(handle);
  if (match === null) return { kind: 'path', path: handle, lines: undefined };
  const from = Number(match[2]);
  return { kind: 'path', path: match[1] ?? '', lines: { from, to: Number(match[3] ?? from) } };
}

/** The inverse for symbols. */
export function symbolHandle({ name, path }: { name: string; path: string }): string {
  return `sym:${name}@${path}`;
}
