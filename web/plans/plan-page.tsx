import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { EntityActions } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { Markdown } from '../components/markdown.tsx';
import { EmptyState, Page, Panel, Tile, Tiles, LoadedPage } from '../components/page.tsx';
import { formatCount } from '../format.ts';
import { PageTabs } from '../components/tabs.tsx';
import { Time } from '../components/time.tsx';
import { Actor } from '../knowledge/actor.tsx';
import { type PlanDetail, planQuery } from '../knowledge/queries.ts';
import { AnchorList, StalenessBadge, useCodeLinks } from '../knowledge/staleness.tsx';
import { useSession } from '../session.tsx';
import { PlanActions, PlanMenu } from './plan-changes.tsx';
import { PlanExport } from './plan-export.tsx';
import { PlanVersions } from './plan-versions.tsx';
import { PlanBadge } from './status.tsx';
import { WorkItems } from './work-items.tsx';

const route = getRouteApi('/shell/plans/$slug');
const BACK = { to: '/plans', name: 'Plans' } as const;

export function PlanPage() {
  const { slug } = route.useParams();
  const { product } = useSession();
  const query = useQuery(planQuery(product.id, slug));
  return (
    <LoadedPage query={query} noun="plan" back={BACK}>
      {(plan) => <Detail plan={plan} />}
    </LoadedPage>
  );
}

function Detail({ plan }: { plan: PlanDetail }) {
  const linkCode = useCodeLinks(plan.anchors);
  const tabs = [
    {
      name: 'Text',
      content: (
        <Panel className="px-4 py-4 sm:px-6">
          <Markdown text={withoutTitle(plan)} under={1} linkCode={linkCode} />
        </Panel>
      ),
    },
    { name: 'Work items', content: <WorkItems plan={plan} /> },
    { name: 'Code', content: <Code plan={plan} /> },
    { name: 'Export', content: <PlanExport plan={plan} /> },
    { name: 'Versions', content: <PlanVersions plan={plan} /> },
  ];
  return (
    <Page
      title={plan.title}
      aside={
        <>
          <PlanBadge status={plan.status} />
          <StalenessBadge stale={plan.stale} />
        </>
      }
      lead={<Lead plan={plan} />}
      back={BACK}
      menu={<PlanMenu plan={plan} />}
      actions={
        <>
          <EntityActions
            call={{ name: 'spec-export-tool', arguments: { plan: plan.slug } }}
            entity={`plan:${plan.slug}`}
          />
          <PlanActions plan={plan} />
        </>
      }
    >
      <Summary plan={plan} />
      <Askers plan={plan} />
      <div className="mt-6">
        <PageTabs label="Views of the plan" tabs={tabs} />
      </div>
    </Page>
  );
}

/** Its text below the heading that the page has already. */
function withoutTitle({ text, title }: PlanDetail): string {
  return text.replace(/^#[ \t]+(.*)$/m, (line, heading: string) => (heading.trim() === title ? '' : line));
}

function Lead({ plan }: { plan: PlanDetail }) {
  if (plan.path !== null) {
    return (
      <span className="[overflow-wrap:anywhere]">
        Kept in the repository as <code className="font-mono text-sm">{plan.path}</code>; edit it there.
      </span>
    );
  }
  return (
    <>
      Version {plan.version}, saved <Time at={plan.updated_at} /> by <Actor actor={plan.updated_by} />
    </>
  );
}

/** The customers whose themes the plan answers. */
function Askers({ plan: { asked_by: askers } }: { plan: PlanDetail }) {
  if (askers.themes.length === 0) return null;
  return (
    <Panel className="mt-4 px-4 py-2.5 [overflow-wrap:anywhere]">
      Asked for by {formatCount(askers.total_customers, 'customer')} in{' '}
      {askers.themes.map(({ id, label }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link
            to="/themes/$themeId"
            params={{ themeId: id }}
            className="font-medium hover:text-accent hover:underline"
          >
            {label}
          </Link>
        </Fragment>
      ))}
      {askers.customers.length > 0 && `: ${askers.customers.map(({ customer }) => customer).join(', ')}`}
    </Panel>
  );
}

function Summary({ plan: { items, stale, accepted_at: acceptedAt, owner } }: { plan: PlanDetail }) {
  return (
    <Tiles>
      <Tile name="Work items done" value={`${items.done} of ${items.total}`} />
      <Tile name="Code unchanged" value={stale === null ? '–' : `${stale.fresh} of ${stale.total}`}>
        {stale !== null && stale.since !== null && `since ${stale.since.slice(0, 7)}`}
      </Tile>
      <Tile name="Last accepted" value={acceptedAt === null ? 'Never' : <Time at={acceptedAt} as="date" />} />
      <Tile name="Owner" value={owner === '' ? '–' : <span className="[overflow-wrap:anywhere]">{owner}</span>} />
    </Tiles>
  );
}

function Code({ plan: { anchors, stale } }: { plan: PlanDetail }) {
  if (anchors.length === 0) {
    return (
      <EmptyState icon="branch" title="No code references">
        Put paths and symbols in back-quotes, such as `src/mail.ts` or `Mailer.send`. They are pinned when the plan is
        saved, and compared with every later index.
      </EmptyState>
    );
  }
  return (
    <>
      {stale !== null && (
        <p className="mb-2 flex flex-wrap gap-1.5">
          {(['gone', 'changed', 'moved', 'unresolved', 'fresh'] as const)
            .filter((state) => stale[state] > 0)
            .map((state) => (
              <Badge key={state}>
                {stale[state]} {state}
              </Badge>
            ))}
        </p>
      )}
      <AnchorList anchors={anchors} />
    </>
  );
}
