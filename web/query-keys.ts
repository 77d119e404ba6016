/** What an answer is about: the first word of its key. The rest of the key is the request for it. */
export type Kind =
  | 'ask'
  | 'audit'
  | 'code'
  | 'competitors'
  | 'customers'
  | 'decision'
  | 'decisions'
  | 'document'
  | 'documents'
  | 'encoding'
  | 'graph'
  | 'groups'
  | 'history'
  | 'integrations'
  | 'issue-preview'
  | 'issues'
  | 'jobs'
  | 'keys'
  | 'members'
  | 'model-usage'
  | 'organizations'
  | 'overview'
  | 'palette'
  | 'plan'
  | 'plans'
  | 'products'
  | 'quotas'
  | 'repositories'
  | 'repository'
  | 'run'
  | 'runs'
  | 'search'
  | 'session'
  | 'sessions'
  | 'signal-sources'
  | 'signal-webhooks'
  | 'signals'
  | 'similar'
  | 'themes'
  | 'trackers'
  | 'work-items';

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly [Kind, ...unknown[]];
  }
}

/** Kinds of answers that a change of another kind is in as well. */
const ALSO: Readonly<Partial<Record<Kind, readonly Kind[]>>> = {
  groups: ['products'],
  keys: ['overview'],
  members: ['keys'],
  organizations: ['repositories', 'overview'],
  plan: ['plans', 'work-items'],
  repositories: ['overview', 'jobs'],
  'signal-sources': ['signals', 'themes', 'customers'],
  signals: ['themes', 'customers'],
};

/** Returns a test for the keys of answers that a change of these kinds is in. */
export function isChangedBy(changed: readonly Kind[]): (query: { queryKey: readonly unknown[] }) => boolean {
  const kinds = new Set<unknown>(changed.flatMap((kind) => [kind, ...(ALSO[kind] ?? [])]));
  return ({ queryKey: [kind] }) => kinds.has(kind);
}
