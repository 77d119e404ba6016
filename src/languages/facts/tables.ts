import {
  Comment,
  Definition,
  Export,
  FacetColumn,
  Fingerprint,
  Key,
  Member,
  Metric,
  Narrowing,
  Reference,
  Scope,
  Site,
  Syntax,
  UnreadName,
} from './facts.ts';
import { tableOf } from './table.ts';

/** The tables of a file's facts. */
export const TABLES = {
  scopes: tableOf(Scope),
  definitions: tableOf(Definition),
  facets: tableOf(FacetColumn),
  references: tableOf(Reference),
  members: tableOf(Member),
  keys: tableOf(Key),
  exports: tableOf(Export),
  narrowings: tableOf(Narrowing),
  sites: tableOf(Site),
  comments: tableOf(Comment),
  metrics: tableOf(Metric),
  syntax: tableOf(Syntax),
  fingerprints: tableOf(Fingerprint),
  unread: tableOf(UnreadName),
};
