/**
 * The token of a link such as `/welcome#token=…`, taken out of the address and the history at once. In the fragment it
 * never reaches a server log or another site.
 */
export function takeFragmentToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) return undefined;
  history.replaceState(history.state, '', location.pathname);
  return token;
}
