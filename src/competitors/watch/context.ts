import type { Tenant } from '../../kernel/tenant.ts';
import type { KnowledgeIndex } from '../../knowledge/knowledge.ts';
import type { Db } from '../../platform/db.ts';
import type { Mailer } from '../../platform/mail.ts';
import type { SecretKeys } from '../../platform/secrets.ts';
import type { Fetcher } from '../fetch/fetch-page.ts';
import type { Renderer } from '../render/renderer.ts';
import type { PageReader } from '../page/pages.ts';

/** Something of ours that a change is about. */
export interface Link {
  /** Handle: `plan:sso`, `dec:12`, `sig:…`, `feature:checkout`. */
  id: string;
  title: string;
}

/** Finds the features of a product that texts name: for each list of texts, those that most of them name first. */
type FindFeatures = (
  tenant: Tenant,
  request: { lists: readonly (readonly string[])[]; signal: AbortSignal },
) => Promise<Link[][]>;

/** Dependencies of the competitors of all products. */
export interface Competitors {
  db: Db;
  /** Our own texts that changes may be about. */
  knowledge: Pick<KnowledgeIndex, 'rank' | 'quote'>;
  findFeatures: FindFeatures;
  fetcher: Fetcher;
  /** Encrypt what digests are signed with. */
  secretKeys: SecretKeys;
  /** Sends digests by e-mail; absent where no mail server is configured. */
  mailer: Mailer | undefined;
  /** Address of the web application for people. */
  baseUrl: string;
  pages: PageReader;
  /** Runs the scripts of pages; absent where no browser is configured. */
  renderer: Renderer | undefined;
  /** Least time between two checks of one page. */
  shortestIntervalMs: number;
  /** Retention of texts and changes. */
  retentionMs: number;
  now: () => Date;
}
