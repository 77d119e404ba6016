import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import { Badge } from '../components/badge.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { Panel, Section } from '../components/page.tsx';
import { SkeletonBox } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { type Change, changesQuery } from '../competitors/queries.ts';
import { formatCount } from '../format.ts';
import type { Plan, Theme } from '../knowledge/bodies.ts';
import { plansQuery, themesQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { Expiry, KeyBadge } from '../keys/status.tsx';
import { RepositoryBadge } from '../repositories/state.tsx';
import { useSession } from '../session.tsx';

const MOST_OF_A_KIND = 3;
const CHANGES_MS = 30 * 86_400_000;

/**
 * What somebody should look at: runs that failed, keys that end, plans that the code has left behind, rising themes and what
 * competitors changed. The children stand below it, once it is known how high it is.
 */
export function Attention({ overview, children }: { overview: Overview; children?: ReactNode }) {
  const { product } = useSession();
  const plans = useQuery(plansQuery(product.id));
  const themes = useQuery(themesQuery(product.id, { least: 1 }));
  const changes = useQuery(changesQuery(product.id, { min_severity: 'medium' }));
  if ([plans, themes, changes].some(({ isPending }) => isPending))
    return <SkeletonBox label="Loading what needs attention" className="mt-8 h-24 first:mt-0" />;
  const failed = overview.repositories.filter(({ status }) => status === 'failed');
  const stale = (plans.data?.plans ?? []).filter(isLeftBehind).toSorted((a, b) => share(b) - share(a));
  const rising = (themes.data?.themes ?? [])
    .filter(({ trend }) => trend.direction === 'rising')
    .toSorted((a, b) => a.trend.chance - b.trend.chance);
  const recent = (changes.data?.changes ?? []).filter(({ when }) => Date.now() - Date.parse(when) < CHANGES_MS);
  const { expiring } = overview.keys;
  const isCalm = [failed, expiring, stale, rising, recent].every((list) => list.length === 0);
  return (
    <>
      {!isCalm && (
        <Section title="Needs attention">
          <Panel>
            <ul className="divide-y divide-line">
              {failed.map((repository) => (
                <FailedRun key={repository.id} repository={repository} />
              ))}
              {expiring.slice(0, MOST_OF_A_KIND).map((key) => (
                <EndingKey key={key.id} apiKey={key} />
              ))}
              {stale.slice(0, MOST_OF_A_KIND).map((plan) => (
                <StalePlan key={plan.id} plan={plan} />
              ))}
              {rising.slice(0, MOST_OF_A_KIND).map((theme) => (
                <RisingTheme key={theme.id} theme={theme} />
              ))}
              {recent.slice(0, MOST_OF_A_KIND).map((change) => (
                <CompetitorChange key={change.id} change={change} />
              ))}
            </ul>
          </Panel>
        </Section>
      )}
      {children}
    </>
  );
}

function FailedRun({ repository }: { repository: Overview['repositories'][number] }) {
  const link: LinkProps = { to: '/repositories/$repositoryId', params: { repositoryId: repository.id } };
  return (
    <Row icon="repository" link={link} name={repository.name} aside={repository.error?.message}>
      <RepositoryBadge repository={repository} />
    </Row>
  );
}

function EndingKey({ apiKey }: { apiKey: Overview['keys']['expiring'][number] }) {
  const link: LinkProps = { to: '/settings/api-keys/$keyId', params: { keyId: apiKey.id } };
  return (
    <Row icon="key" link={link} name={apiKey.name} aside={<Expiry {...apiKey} />}>
      <KeyBadge status={apiKey.status} />
    </Row>
  );
}

function StalePlan({ plan: { slug, title, stale, items } }: { plan: Plan }) {
  const done = `${items.done} of ${formatCount(items.total, 'work item')} done`;
  return (
    <Row icon="target" link={{ to: '/plans/$slug', params: { slug } }} name={title} aside={done}>
      <StalenessBadge stale={stale} />
    </Row>
  );
}

function RisingTheme({ theme: { id, label, trend, customers } }: { theme: Theme }) {
  const often = `${trend.last} in 7 days, usually ${trend.usual.toFixed(1)} · ${formatCount(customers, 'customer')}`;
  return (
    <Row icon="tag" link={{ to: '/signals', search: { theme: id } }} name={label} aside={often}>
      <Badge tone="warn">rising</Badge>
    </Row>
  );
}

function CompetitorChange({ change }: { change: Change }) {
  const { competitor, competitor_id: competitorId, summary, when } = change;
  const link: LinkProps = { to: '/competitors/$competitorId', params: { competitorId } };
  return <Row icon="monitor" link={link} name={`${competitor}: ${summary}`} aside={<Time at={when} />} />;
}

/** Plans that are over may say what they like. */
function isLeftBehind({ status, stale }: Plan): boolean {
  const isOpen = status !== 'done' && status !== 'dropped';
  return isOpen && stale !== null && (stale.state === 'stale' || stale.state === 'broken' || stale.state === 'aging');
}

function share({ stale }: Plan): number {
  return stale === null || stale.total === 0 ? 0 : (stale.changed + stale.gone) / stale.total;
}

interface RowProps {
  icon: IconName;
  link: LinkProps;
  name: string;
  aside: ReactNode;
  children?: ReactNode;
}

function Row({ icon, link, name, aside, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-2.5">
      <Icon name={icon} className="text-quiet" />
      <Link {...link} className="min-w-0 font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline">
        {name}
      </Link>
      {children}
      <span className="text-sm text-quiet sm:ml-auto">{aside}</span>
    </li>
  );
}
