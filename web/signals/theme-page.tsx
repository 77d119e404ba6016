import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useAction, useChanges } from '../action.ts';
import { remove } from '../api.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { EntityActions } from '../components/entity-link.tsx';
import { Page, Panel, Section, Tile, Tiles, LoadedPage } from '../components/page.tsx';
import { Problem } from '../components/query-state.tsx';
import { ShareBar } from '../components/share-bar.tsx';
import { Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { formatCompact, formatCount, formatNumber } from '../format.ts';
import { type ThemeDetail, themeQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { SignalRow } from './signal-row.tsx';
import { ThemeMenu } from './theme-changes.tsx';
import { PlanFromTheme, ThemeLinks } from './theme-related.tsx';
import { ThemeTrend, TrendPeriod } from './theme-trend.tsx';
import { TrendWords } from './trend-words.tsx';

const route = getRouteApi('/shell/themes/$themeId');
const BACK = { to: '/themes', name: 'Themes' } as const;

export function ThemePage() {
  const { themeId } = route.useParams();
  const { product } = useSession();
  const query = useQuery(themeQuery(product.id, themeId, route.useSearch()));
  return (
    <LoadedPage query={query} noun="theme" back={BACK}>
      {(theme) => <Detail theme={theme} />}
    </LoadedPage>
  );
}

function Detail({ theme }: { theme: ThemeDetail }) {
  const { label, signals, customers, value, newest, parts, trend, weeks } = theme;
  const navigate = route.useNavigate();
  const { atLeast } = useSession();
  return (
    <Page
      title={label}
      lead={parts.length > 0 && parts.map((part) => `${part.label} (${part.signals})`).join(' · ')}
      back={BACK}
      menu={<ThemeMenu theme={theme} />}
      actions={
        <>
          {atLeast('member') && <PlanFromTheme id={theme.id} />}
          <Link to="/signals" search={{ theme: theme.id }} className={buttonClass()}>
            All {formatCount(signals, 'signal')}
          </Link>
          <EntityActions
            call={{ name: 'search-tool', arguments: { query: label, corpora: ['signals'] } }}
            entity={`theme:${label}`}
          />
        </>
      }
    >
      <Tiles>
        <Tile name="Signals" value={formatNumber(signals)}>
          {theme.loose > 0 && `${formatNumber(theme.loose)} belong loosely · `}
          newest <Time at={newest} />
        </Tile>
        <Tile name="Customers" value={formatNumber(customers)} />
        <Tile name="Value" value={value === null ? '–' : formatCompact(value)}>
          {value === null ? 'unknown' : 'of these customers together'}
        </Tile>
        <Tile name="Last 7 days" value={formatNumber(trend.last)}>
          <TrendWords trend={trend} />
        </Tile>
      </Tiles>
      <Panel className="mt-4 p-4">
        <TrendPeriod
          key={theme.id}
          period={theme.period}
          onChoose={(period) => void navigate({ search: period, replace: true })}
        />
        {weeks.some((week) => week.signals > 0) ? (
          <ThemeTrend weeks={weeks} />
        ) : (
          <p className="text-quiet">No signal of this period came with its date, so there is no trend to draw.</p>
        )}
      </Panel>
      <Bursts theme={theme} />
      <Quotes theme={theme} />
      <ThemeLinks theme={theme} />
      <Shares theme={theme} />
      <Customers theme={theme} />
      <Merges theme={theme} />
      <Moves theme={theme} />
    </Page>
  );
}

function Bursts({ theme: { bursts } }: { theme: ThemeDetail }) {
  if (bursts.length === 0) return null;
  return (
    <Section title="Bursts" lead="Two weeks each that chance does not explain.">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {bursts.map(({ since, until, mentions, expected }) => (
          <li key={since} className="px-4 py-2">
            <Time at={since} as="date" /> to <Time at={until} as="date" />{' '}
            <span className="text-sm text-quiet">
              {formatNumber(mentions)} spoke of it,{' '}
              {expected < 0.05 ? 'usually nobody does' : `${expected.toFixed(1)} are usual`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Quotes({ theme: { quotes } }: { theme: ThemeDetail }) {
  if (quotes.length === 0) return null;
  return (
    <Section title="What they say">
      <ul aria-label="Quotes" className="divide-y divide-line rounded-lg border border-line bg-panel">
        {quotes.map((signal) => (
          <li key={signal.id}>
            <SignalRow signal={signal} isOfPage />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const KINDS = [
  ['segment', 'Segments'],
  ['source', 'Sources'],
  ['intent', 'Intents'],
] as const;
const MOST_SHARES = 6;

function Shares({ theme: { shares } }: { theme: ThemeDetail }) {
  const groups = KINDS.map(([kind, title]) => ({ title, shares: shares.filter(({ by }) => by === kind) })).filter(
    ({ shares: own }) => own.length > 0,
  );
  if (groups.length === 0) return null;
  return (
    <Section title="Who says it, and where">
      <Panel className="grid gap-x-8 gap-y-4 p-4 lg:grid-cols-3">
        {groups.map(({ title, shares: own }) => (
          <div key={title}>
            <h3 className="mb-2 text-sm font-medium">{title}</h3>
            <ShareBar
              label={title}
              parts={own.slice(0, MOST_SHARES).map(({ name, signals }) => ({ name, value: signals }))}
            />
          </div>
        ))}
      </Panel>
    </Section>
  );
}

function Customers({ theme: { id, top_customers: customers } }: { theme: ThemeDetail }) {
  if (customers.length === 0) return null;
  const isValued = customers.some(({ value }) => value !== null);
  return (
    <Section title="Customers" lead={isValued ? 'By value.' : 'By signals.'}>
      <Table
        caption="Customers"
        columns={[
          'Customer',
          ['Segment', 'max-sm:hidden'],
          isValued && ['Value', 'text-right'],
          ['Signals', 'text-right'],
          ['Newest', 'max-sm:hidden'],
        ]}
      >
        {customers.map(({ customer, segment, value, signals, newest }) => (
          <tr key={customer}>
            <RowHeader className="font-normal">
              <Link
                to="/signals"
                search={{ theme: id, customer }}
                className="font-medium hover:text-accent hover:underline"
              >
                {customer}
              </Link>
            </RowHeader>
            <Cell className="text-quiet max-sm:hidden">{segment}</Cell>
            {isValued && <NumberCell>{value === null ? '' : formatNumber(value)}</NumberCell>}
            <NumberCell>{formatNumber(signals)}</NumberCell>
            <Cell className="text-quiet max-sm:hidden">
              <Time at={newest} as="date" className="whitespace-nowrap" />
            </Cell>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

function Merges({ theme: { merges } }: { theme: ThemeDetail }) {
  const { atLeast } = useSession();
  const { path, apply } = useChanges();
  const undo = useAction(({ id, label }: ThemeDetail['merges'][number]) =>
    apply(remove(path(`theme-merges/${encodeURIComponent(id)}`)), {
      to: 'signals',
      says: `“${label}” is a theme of its own again`,
    }),
  );
  if (merges.length === 0) return null;
  return (
    <Section title="Merged into it">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {merges.map((merge) => (
          <li key={merge.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <span className="min-w-0 grow [overflow-wrap:anywhere]">
              {merge.label}{' '}
              <span className="text-sm text-quiet">
                {formatCount(merge.signals, 'signal')}, <Time at={merge.merged_at} />
              </span>
            </span>
            {atLeast('member') && (
              <Button disabled={undo.busy} onClick={() => undo.run(merge)}>
                Undo<span className="sr-only"> the merge of {merge.label}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem problem={undo.problem} />
    </Section>
  );
}

const REASONS = {
  grouped: 'all signals were grouped again',
  emerged: 'they are a subject that emerged',
} as const;

function Moves({ theme: { id, moves } }: { theme: ThemeDetail }) {
  if (moves.length === 0) return null;
  return (
    <Section title="Moved" lead="Signals that came from other themes or went there.">
      <ul className="divide-y divide-line rounded-lg border border-line bg-panel">
        {moves.map(
          ({ from, into, from_label: fromLabel, into_label: intoLabel, signals, reason, moved_at: movedAt }) => (
            <li key={`${movedAt} ${from} ${into}`} className="px-4 py-2 [overflow-wrap:anywhere]">
              {formatCount(signals, 'signal')} {into === id ? 'from' : 'to'}{' '}
              <Link
                to="/themes/$themeId"
                params={{ themeId: into === id ? from : into }}
                className="font-medium hover:text-accent hover:underline"
              >
                {into === id ? fromLabel : intoLabel}
              </Link>{' '}
              <span className="text-sm text-quiet">
                {REASONS[reason]}, <Time at={movedAt} />
              </span>
            </li>
          ),
        )}
      </ul>
    </Section>
  );
}
