import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { EntityActions, EntityLink } from '../components/entity-link.tsx';
import { Badges } from '../components/inline.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Facts, Page, Panel, Section, LoadedPage } from '../components/page.tsx';
import { Time } from '../components/time.tsx';
import { Actor } from '../knowledge/actor.tsx';
import { type DecisionDetail, decisionQuery } from '../knowledge/queries.ts';
import { SimilarTexts } from '../knowledge/similar-texts.tsx';
import { AnchorList, StalenessBadge, useCodeLinks } from '../knowledge/staleness.tsx';
import { useSession } from '../session.tsx';
import { DecisionActions, DecisionMenu } from './decision-changes.tsx';
import { DecisionBadge } from './status.tsx';

const route = getRouteApi('/shell/decisions/$decisionId');
const BACK = { to: '/decisions', name: 'Decisions' } as const;

export function DecisionPage() {
  const { decisionId } = route.useParams();
  const { product } = useSession();
  const query = useQuery(decisionQuery(product.id, decisionId));
  return (
    <LoadedPage query={query} noun="decision" back={BACK}>
      {(decision) => <Detail decision={decision} />}
    </LoadedPage>
  );
}

function Detail({ decision }: { decision: DecisionDetail }) {
  const linkCode = useCodeLinks(decision.anchors);
  return (
    <Page
      title={decision.title}
      aside={
        <>
          <DecisionBadge status={decision.status} />
          {decision.stale !== null && <StalenessBadge stale={decision.stale} />}
        </>
      }
      lead={
        <>
          {decision.id}, {decision.decided_on !== null && `decided ${decision.decided_on}, `}recorded{' '}
          <Time at={decision.recorded_at} /> by <Actor actor={decision.recorded_by} />
        </>
      }
      back={BACK}
      menu={<DecisionMenu decision={decision} />}
      actions={
        <>
          <EntityActions
            call={{ name: 'search-tool', arguments: { query: decision.title, corpora: ['decisions'] } }}
            entity={decision.id}
          />
          <DecisionActions decision={decision} />
        </>
      }
    >
      <Section title="Decision">
        <Panel className="px-4 py-3">
          <Markdown text={decision.decision} linkCode={linkCode} />
        </Panel>
      </Section>
      {decision.context !== '' && (
        <Section title="Context">
          <Markdown text={decision.context} linkCode={linkCode} />
        </Section>
      )}
      <Options options={decision.options} />
      {decision.consequences.length > 0 && (
        <Section title="Consequences">
          <List entries={decision.consequences} />
        </Section>
      )}
      {decision.anchors.length > 0 && (
        <Section title="In the code" lead="The code that it names, compared with the index.">
          <AnchorList anchors={decision.anchors} />
        </Section>
      )}
      <SimilarTexts id={decision.id} />
      <About decision={decision} />
    </Page>
  );
}

function List({ entries }: { entries: readonly string[] }) {
  return (
    <ul className="list-disc pl-5">
      {entries.map((entry) => (
        <li key={entry} className="[overflow-wrap:anywhere]">
          {entry}
        </li>
      ))}
    </ul>
  );
}

function Options({ options }: Pick<DecisionDetail, 'options'>) {
  if (options.length === 0) return null;
  return (
    <Section title="Considered options">
      <ul className="grid gap-3 sm:grid-cols-2">
        {options.map(({ name, pros, cons }) => (
          <li key={name} className="rounded-lg border border-line bg-panel px-4 py-3">
            <h3 className="[overflow-wrap:anywhere]">{name}</h3>
            {pros.length > 0 && <Arguments title="For" tone="text-good" entries={pros} />}
            {cons.length > 0 && <Arguments title="Against" tone="text-bad" entries={cons} />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Arguments({ title, tone, entries }: { title: string; tone: string; entries: readonly string[] }) {
  return (
    <div className="mt-1.5">
      <p className={`text-xs font-medium ${tone}`}>{title}</p>
      <List entries={entries} />
    </div>
  );
}

function About({ decision }: { decision: DecisionDetail }) {
  const { supersedes, superseded_by: successor, tags, links, anchors } = decision;
  return (
    <Section title="About this decision">
      <Facts
        facts={[
          ['Status', decision.status],
          ['Review on', decision.review_on ?? 'No date'],
          ['Changed', <Time at={decision.updated_at} as="exact" />],
          supersedes.length > 0 && ['Supersedes', <DecisionLinks ids={supersedes} />],
          successor !== null && ['Superseded by', <DecisionLinks ids={[successor]} />],
          tags.length > 0 && ['Tags', <Badges names={tags} />],
          links.length > 0 && ['Links', <Links links={links} anchors={anchors} />],
        ]}
      />
    </Section>
  );
}

function DecisionLinks({ ids }: { ids: readonly string[] }) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {ids.map((id) => (
        <Link key={id} to="/decisions/$decisionId" params={{ decisionId: id }} className="text-accent underline">
          {id}
        </Link>
      ))}
    </span>
  );
}

/** Handles of what has a page. */
const PAGED = /^(?:plan|dec|sig):/;

/** Web addresses, and whatever else it names, each as a link where it has a page. */
function Links({ links, anchors }: Pick<DecisionDetail, 'links' | 'anchors'>) {
  const linkCode = useCodeLinks(anchors);
  return (
    <span className="flex flex-col items-start gap-1.5">
      {links.map((link) =>
        /^https?:\/\//i.test(link) ? (
          <a
            key={link}
            href={link}
            rel="noopener noreferrer nofollow"
            target="_blank"
            className="text-accent underline [overflow-wrap:anywhere]"
          >
            {link}
          </a>
        ) : (
          <code key={link} className="font-mono text-sm [overflow-wrap:anywhere]">
            {linkCode(link) ??
              (PAGED.test(link) ? (
                <EntityLink repo="" handle={link.replace(/#.*/, '')} className="text-accent hover:underline">
                  {link}
                </EntityLink>
              ) : (
                link
              ))}
          </code>
        ),
      )}
    </span>
  );
}
