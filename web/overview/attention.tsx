import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import {
  type Change,
  changesQuery,
  type Competitor,
  competitorsQuery,
  type WatchedPage,
} from '../competitors/queries.ts';
import { Icon, type IconName } from '../components/button.tsx';
import { Badge } from '../components/inline.tsx';
import { Panel, Section } from '../components/page.tsx';
import { SkeletonBox } from '../components/query-state.tsx';
import { Time, useNow } from '../components/time.tsx';
import { DecisionBadge } from '../decisions/status.tsx';
import { formatCount, formatDay } from '../format.ts';
import { Expiry, KeyBadge } from '../keys/status.tsx';
import { type Decision, decisionsQuery, type Plan, plansQuery, type Theme, themesQuery } from '../knowledge/queries.ts';
import { StalenessBadge } from '../knowledge/staleness.tsx';
import { RepositoryBadge } from '../repositories/state.tsx';
import { useSession } from '../session.tsx';
import { type Source, SOURCE_NAMES, sourcesQuery } from '../signals/source-queries.ts';
import { type AttentionItem, orderAttention } from './attention-order.ts';

/** Returns what a person should look at, by role; undefined until all of it is loaded. */
export function useAttention(overview: Overview): AttentionItem[] | undefined {
  const { product, session, atLeast } = useSession();
  const isAdmin = atLeast('admin');
  const plans = useQuery(plansQuery(product.id));
  const decisions = useQuery(decisionsQuery(product.id));
  const themes = useQuery(themesQuery(product.id, { least: 1 }));
  const changes = useQuery(changesQuery(product.id, { min_severity: 'medium' }));
  const sources = useQuery({ ...sourcesQuery(product.id), enabled: isAdmin });
  const competitors = useQuery({ ...competitorsQuery(product.id), enabled: isAdmin });
  const nowMs = useNow();
  if ([plans, decisions, themes, changes, sources, competitors].some(({ isLoading }) => isLoading)) return undefined;
  return orderAttention(
    session.person.role,
    {
      repositories: overview.repositories,
      keys: overview.keys.expiring,
      sources: sources.data?.sources ?? [],
      competitors: competitors.data?.competitors ?? [],
      plans: plans.data?.plans ?? [],
      decisions: decisions.data?.decisions ?? [],
      themes: themes.data?.themes ?? [],
      changes: changes.data?.changes ?? [],
    },
    nowMs,
  );
}

/** The children stand below it, once it is known how high it is. */
export function Attention({ items, children }: { items: AttentionItem[] | undefined; children?: ReactNode }) {
  if (items === undefined) return <SkeletonBox label="Loading what needs attention" className="mt-8 h-24 first:mt-0" />;
  return (
    <>
      {items.length > 0 && (
        <Section title="Needs attention">
          <Panel>
            <ul className="divide-y divide-line">{items.map(rowOf)}</ul>
          </Panel>
        </Section>
      )}
      {children}
    </>
  );
}

function rowOf(item: AttentionItem) {
  switch (item.kind) {
    case 'failed run':
      return <FailedRun key={item.repository.id} repository={item.repository} />;
    case 'failing source':
      return <FailingSource key={item.source.id} source={item.source} />;
    case 'failing page':
      return <FailingPage key={item.page.id} page={item.page} competitor={item.competitor} />;
    case 'ending key':
      return <EndingKey key={item.apiKey.id} apiKey={item.apiKey} />;
    case 'stale plan':
      return <StalePlan key={item.plan.id} plan={item.plan} />;
    case 'due decision':
      return <DueDecision key={item.decision.id} decision={item.decision} />;
    case 'new subject':
    case 'rising theme':
      return <RisingTheme key={item.theme.id} theme={item.theme} />;
    case 'competitor change':
      return <CompetitorChange key={item.change.id} change={item.change} />;
  }
}

function FailedRun({ repository }: { repository: Overview['repositories'][number] }) {
  const link: LinkProps = { to: '/repositories/$repositoryId', params: { repositoryId: repository.id } };
  return (
    <Row icon="repository" link={link} name={repository.name} aside={repository.error?.message}>
      <RepositoryBadge repository={repository} />
    </Row>
  );
}

function FailingSource({ source: { kind, project, fault } }: { source: Source }) {
  return (
    <Row
      icon="speech"
      link={{ to: '/settings/integrations' }}
      name={`${SOURCE_NAMES[kind]} ${project}`.trim()}
      aside={fault}
    >
      <Badge tone="warn">cannot be read</Badge>
    </Row>
  );
}

function FailingPage({ page, competitor }: { page: WatchedPage; competitor: Competitor }) {
  const link: LinkProps = { to: '/competitors/$competitorId', params: { competitorId: competitor.id } };
  return (
    <Row icon="monitor" link={link} name={`${competitor.name}: ${page.url}`} aside={page.detail}>
      <Badge tone="warn">{formatCount(page.failures, 'failed check')}</Badge>
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

function DueDecision({ decision: { id, title, status, review_on: reviewOn } }: { decision: Decision }) {
  const due = reviewOn === null ? '' : `Review due ${formatDay(reviewOn)}`;
  return (
    <Row icon="compass" link={{ to: '/decisions/$decisionId', params: { decisionId: id } }} name={title} aside={due}>
      <DecisionBadge status={status} />
    </Row>
  );
}

function RisingTheme({ theme: { id, label, trend, customers } }: { theme: Theme }) {
  const usually = trend.direction === 'new' ? 'hardly ever before' : `usually ${trend.usual.toFixed(1)}`;
  const often = `${trend.last} in 7 days, ${usually} · ${formatCount(customers, 'customer')}`;
  return (
    <Row icon="tag" link={{ to: '/themes/$themeId', params: { themeId: id } }} name={label} aside={often}>
      <Badge tone="warn">{trend.direction}</Badge>
    </Row>
  );
}

function CompetitorChange({ change }: { change: Change }) {
  const { competitor, competitor_id: competitorId, summary, when } = change;
  const link: LinkProps = { to: '/competitors/$competitorId', params: { competitorId } };
  return <Row icon="monitor" link={link} name={`${competitor}: ${summary}`} aside={<Time at={when} />} />;
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
      <Link {...link} className="name-link">
        {name}
      </Link>
      {children}
      <span className="text-sm text-quiet sm:ml-auto">{aside}</span>
    </li>
  );
}
