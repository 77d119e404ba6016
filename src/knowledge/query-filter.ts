import type { IndexedEntry, KnowledgeQuery, Origin } from './product-index.ts';

/** Whether an entry passes all that a query asks besides its words. */
export function filterOf({
  corpora,
  kinds,
  since,
  until,
  tags = [],
  customer,
  from,
}: KnowledgeQuery): (entry: IndexedEntry) => boolean {
  const wantedTags = tags.map((tag) => tag.toLowerCase());
  const wantedCustomer = customer?.trim().toLowerCase();
  return (entry) => {
    if (corpora !== undefined && !corpora.includes(entry.corpus)) return false;
    if (kinds !== undefined && !kinds.includes(entry.kind)) return false;
    if (from !== undefined && isElsewhere(entry, from)) return false;
    if (since !== undefined && (entry.date === undefined || entry.date < since)) return false;
    if (until !== undefined && (entry.date === undefined || entry.date > until)) return false;
    if (wantedTags.length > 0) {
      const own = new Set(entry.tags.map((tag) => tag.toLowerCase()));
      if (!wantedTags.every((tag) => own.has(tag))) return false;
    }
    if (wantedCustomer === undefined || wantedCustomer === '') return true;
    return [entry.customer, entry.segment, entry.source].some((name) => name.toLowerCase() === wantedCustomer);
  };
}

/** Whether a thing was taken from another repository. */
function isElsewhere({ id, kind, source }: IndexedEntry, { repository, without }: Origin): boolean {
  return without.includes(id) || (kind === 'product_doc' && !source.startsWith(`${repository}/`));
}
