import type { NetPolicy } from '../../platform/net.ts';
import type { Signals } from '../context.ts';

/** Tools that signals are read from. */
export const SOURCE_KINDS = ['github', 'gitlab', 'zendesk', 'intercom', 'slack'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  zendesk: 'Zendesk',
  intercom: 'Intercom',
  slack: 'Slack',
};

/** Dependencies of the sources of all products. */
export interface SignalSources {
  signals: Signals;
  /** Addresses that they may be called at. */
  net: NetPolicy;
}
