import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Overview } from '../../src/overview/overview-bodies.ts';
import { Activity } from '../activity.tsx';
import { Button, buttonClass } from '../components/button.tsx';
import { Page, Panel, Section } from '../components/page.tsx';
import { QueryState, SkeletonRows } from '../components/query-state.tsx';
import { Step, Steps } from '../components/stepper.tsx';
import { formatCount } from '../format.ts';
import { overviewQuery } from '../queries.ts';
import { RepositoryLink } from '../repositories/repository-link.tsx';
import { Freshness, RepositoryBadge } from '../repositories/state.tsx';
import { useSession } from '../session.tsx';
import { Facts } from './facts.tsx';

const NewKeyDialog = lazy(async () => ({ default: (await import('../keys/new-key.tsx')).NewKeyDialog }));

const PLACEHOLDER = <SkeletonRows label="Loading the overview" rowClass="h-[86px]" />;

export function OverviewPage() {
  const { product, session } = useSession();
  const query = useQuery(overviewQuery(product.id));
  if (query.data === undefined) {
    return (
      <Page title="Overview">
        <QueryState query={query} what="the overview" placeholder={PLACEHOLDER} />
      </Page>
    );
  }
  // Viewers read: there is nothing for them to set up.
  if (session.person.role === 'viewer') return <Reading overview={query.data} />;
  const { repositories, keys } = query.data;
  const isSetUp = repositories.some(({ status }) => status === 'ready') && keys.used > 0;
  return isSetUp ? <Present overview={query.data} /> : <FirstSteps overview={query.data} />;
}

/** Links for a viewer: where to read and search, and how fresh the indexes are. */
function Reading({ overview }: { overview: Overview }) {
  const { repositories } = overview;
  return (
    <Page title="Overview" lead="You can read and search everything in this product.">
      <Facts overview={overview}>
        <Panel className="mt-8 first:mt-0">
          <ul className="divide-y divide-line">
            {READABLE.map(({ to, title, text }) => (
              <li key={to} className="px-4 py-2.5">
                <Link to={to} className="font-medium hover:text-accent hover:underline">
                  {title}
                </Link>
                <p className="text-sm text-quiet">{text}</p>
              </li>
            ))}
          </ul>
        </Panel>
        {repositories.length === 0 ? (
          <p className="mt-6 text-quiet">No repository is indexed yet. An owner or admin of the account adds them.</p>
        ) : (
          <Indexes repositories={repositories} />
        )}
      </Facts>
    </Page>
  );
}

const READABLE = [
  { to: '/search', title: 'Search', text: 'Code, commits, plans, documents, signals and decisions at once.' },
  { to: '/history', title: 'History', text: 'Hotspots, files that change together, changelogs and owners.' },
  { to: '/plans', title: 'Plans', text: 'What is planned, and how much of the code it names is unchanged.' },
  { to: '/documents', title: 'Documents', text: 'Uploads and the docs of repositories.' },
  { to: '/signals', title: 'Signals', text: 'What customers say, grouped into themes.' },
  { to: '/decisions', title: 'Decisions', text: 'What was decided, and why.' },
] as const;

/** Until the first client has asked something. Members have keys of their own; repositories are added by admins. */
function FirstSteps({ overview }: { overview: Overview }) {
  const isIndexed = overview.repositories.some(({ status }) => status === 'ready');
  const adds = useSession().atLeast('admin');
  return (
    <Page
      title="Overview"
      lead={
        adds ? 'Three steps until your agent can ask about your product.' : 'How your agent can ask about this product.'
      }
    >
      <SetUp overview={overview} isIndexed={isIndexed} />
      {isIndexed && (
        <div className="mt-10">
          <Facts overview={overview} />
        </div>
      )}
    </Page>
  );
}

function SetUp({ overview: { repositories, keys }, isIndexed }: { overview: Overview; isIndexed: boolean }) {
  const adds = useSession().atLeast('admin');
  return (
    <Steps>
      <Step
        title={adds ? 'Index a repository' : 'A repository is indexed'}
        isDone={isIndexed}
        action={
          <span className="flex flex-wrap gap-2">
            {isIndexed && (
              <Link to="/search" className={buttonClass('ghost')}>
                Try a search
              </Link>
            )}
            {(adds || repositories.length > 0) && (
              <Link to="/repositories" className={buttonClass(isIndexed || !adds ? 'plain' : 'primary')}>
                {repositories.length > 0 ? 'View' : 'Add a repository'}
              </Link>
            )}
          </span>
        }
      >
        <RepositoriesStep repositories={repositories} adds={adds} />
      </Step>
      <Step
        title="Create an API key"
        isDone={keys.count > 0}
        action={<CreateKey isNext={isIndexed && keys.count === 0} />}
      >
        {keys.count > 0
          ? `${formatCount(keys.count, 'key')} ${adds ? 'in this account' : 'of yours'}.`
          : 'One for each client or script.'}
      </Step>
      <Step
        title="Connect your editor"
        isDone={keys.used > 0}
        action={
          <Link to="/connect" className={buttonClass(isIndexed && keys.count > 0 ? 'primary' : 'plain')}>
            Connect
          </Link>
        }
      >
        {keys.used > 0
          ? 'A client has sent its first request.'
          : 'Claude Code, Cursor, VS Code, Windsurf or any other MCP client.'}
      </Step>
    </Steps>
  );
}

function CreateKey({ isNext }: { isNext: boolean }) {
  const [isCreating, setCreating] = useState(false);
  return (
    <>
      <Button look={isNext ? 'primary' : 'plain'} onClick={() => setCreating(true)}>
        Create key
      </Button>
      {isCreating && (
        <Suspense>
          <NewKeyDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

function RepositoriesStep({ repositories, adds }: Pick<Overview, 'repositories'> & { adds: boolean }) {
  const [first] = repositories;
  if (first === undefined) {
    return adds
      ? 'From a URL or a folder. The index is built on this machine.'
      : 'None yet: an owner or admin of the account adds it.';
  }
  if (repositories.length > 1) {
    const ready = repositories.filter(({ status }) => status === 'ready').length;
    return `${ready} of ${formatCount(repositories.length, 'repository', 'repositories')} ready.`;
  }
  if (first.status !== 'ready') {
    return (
      <span className="flex flex-wrap items-center gap-2">
        {first.name} <RepositoryBadge repository={first} />
      </span>
    );
  }
  return `${first.name}: ${formatCount(first.files, 'file')} and ${formatCount(first.symbols, 'symbol')}.`;
}

/** Present state of the product, and changes since the last visit. */
function Present({ overview }: { overview: Overview }) {
  const { repositories, recent, requests_today: today } = overview;
  return (
    <Page title="Overview" lead={`${formatCount(today, 'request')} today with the keys that you manage.`}>
      <Facts overview={overview}>
        <Indexes repositories={repositories} />
        {recent.length > 0 && (
          <Section title="Recent activity" actions={<TextLink to="/settings/audit-log">Audit log</TextLink>}>
            <Activity entries={recent} />
          </Section>
        )}
      </Facts>
    </Page>
  );
}

function Indexes({ repositories }: Pick<Overview, 'repositories'>) {
  return (
    <Section title="Indexes" actions={<TextLink to="/repositories">All repositories</TextLink>}>
      <Panel>
        <ul className="divide-y divide-line">
          {repositories.map((repository) => (
            <li key={repository.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
              <RepositoryLink repository={repository} />
              <span className="ml-auto text-sm text-quiet">
                <Freshness repository={repository} />
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  );
}

function TextLink({ to, children }: { to: '/repositories' | '/settings/audit-log'; children: string }) {
  return (
    <Link to={to} className="text-sm text-accent hover:underline">
      {children}
    </Link>
  );
}
