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
}: KnowledgeQuery): (one: IndexedEntry) => boolean {
  const wantedTags = tags.map((tag) => tag.toLowerCase());
  const wantedCustomer = customer?.trim().toLowerCase();
  return (one) => {
    if (corpora !== undefined && !corpora.includes(one.corpus)) return false;
    if (kinds !== undefined && !kinds.includes(one.kind)) return false;
    if (from !== undefined && isElsewhere(one, from)) return false;
    if (since !== undefined && (one.date === undefined || one.date < since)) return false;
    if (until !== undefined && (one.date === undefined || one.date > until)) return false;
    if (wantedTags.length > 0) {
      const own = new Set(one.tags.map((tag) => tag.toLowerCase()));
      if (!wantedTags.every((tag) => own.has(tag))) return false;
    }
    if (wantedCustomer === undefined || wantedCustomer === '') return true;
    return [one.customer, one.segment, one.source].some((name) => name.toLowerCase() === wantedCustomer);
  };
}

/** Whether a thing was taken from another repository. */
function isElsewhere({ id, kind, source }: IndexedEntry, { repository, without }: Origin): boolean {
  return without.includes(id) || (kind === 'product_doc' && !source.startsWith(`${repository}/`));
}
