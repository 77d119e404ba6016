import type { Client } from './client.ts';

/** A link that signs the owner in once, within 15 minutes. */
interface LoginLinkJson {
  url: string;
  expires_at: string;
}

/** Makes a new link. The ones made before stop working. */
export function createLoginLink(client: Client): Promise<LoginLinkJson> {
  return client.send<LoginLinkJson>('POST', '/v1/login-link');
}

/** The link for people. */
export function loginLinkText({ url }: Pick<LoginLinkJson, 'url'>): string {
  return `Open this link to sign in (works once, for 15 minutes):\n  ${url}`;
}
