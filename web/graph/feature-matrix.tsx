import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Feature } from '../../src/graph/entity-output.ts';
import { PathLink } from '../components/entity-link.tsx';
import { SelectField } from '../components/field.tsx';
import { Badge } from '../components/inline.tsx';
import { EmptyState, Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { Header, Table, Cell, NumberCell, RowHeader } from '../components/table.tsx';
import { formatCount, formatNumber } from '../format.ts';
import { repositoriesQuery } from '../queries.ts';
import { useSession } from '../session.tsx';
import { codeEntity, type FeatureMap, featuresQuery } from './queries.ts';
import type { GraphViewProps } from './view-parts.tsx';

/** The most files of a layer are this much coloured, in percent. */
const MOST_COLOUR = 40;

/** Things that a feature may lack, as the tool names them. */
const LACKS = [
  { value: 'test', label: 'Without tests' },
  { value: 'document', label: 'Without documents' },
  { value: 'plan', label: 'Without plans' },
  { value: 'decision', label: 'Without decisions' },
  { value: 'theme', label: 'Without themes' },
  { value: 'code', label: 'Without code' },
] as const;

/** Features by layers with the number of files, what each lacks, and the imports that go up. */
export function FeatureMatrix({ parameters, onChange, repo: first }: GraphViewProps) {
  const { product } = useSession();
  const repositories = useQuery(repositoriesQuery(product.id)).data?.repositories ?? [];
  const indexed = repositories.filter(({ commit }) => commit !== null);
  const repo = parameters.repo ?? first;
  const query = useQuery(featuresQuery(product.id, repo));
  const { lacks } = parameters;
  if (query.data === undefined) return <QueryState query={query} what="features" rows={6} />;
  const { rows, layers } = query.data;
  const shown = lacks === undefined ? rows : rows.filter(({ uncovered }) => uncovered.includes(lacks));
  return (
    <>
      <div className="mb-4 grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {indexed.length > 1 && (
          <SelectField
            label="Repository"
            value={repo}
            choices={indexed.map(({ name }) => ({ value: name, label: name }))}
            onChoose={(name) => onChange({ repo: name })}
          />
        )}
        <SelectField
          label="Features"
          value={lacks ?? ''}
          choices={[
            { value: '', label: `All (${formatNumber(rows.length)})` },
            ...LACKS.map(({ value, label }) => ({
              value,
              label: `${label} (${formatNumber(rows.filter(({ uncovered }) => uncovered.includes(value)).length)})`,
            })),
          ]}
          onChoose={(value) => onChange({ lacks: value })}
        />
      </div>
      {rows.length === 0 ? (
        <EmptyState icon="box" title="No features">
          The code of this repository shows none: it has no routes, pages, commands, models, published names or packages
          that are read.
        </EmptyState>
      ) : (
        <Section
          title={formatCount(shown.length, 'feature')}
          lead="Files of each feature by layer, from the top at the left to the bottom at the right; layers without one are left out."
        >
          <Matrix
            features={shown}
            layers={layers.filter(({ name }) => rows.some((feature) => (feature.layers[name] ?? 0) > 0))}
            repo={repo}
          />
        </Section>
      )}
      <Faults map={query.data} repo={repo} />
    </>
  );
}

interface MatrixProps {
  features: readonly Feature[];
  layers: FeatureMap['layers'];
  repo: string;
}

function Matrix({ features, layers, repo }: MatrixProps) {
  const most = Math.max(1, ...features.flatMap((feature) => layers.map(({ name }) => feature.layers[name] ?? 0)));
  const right = 'text-right';
  return (
    <Table
      caption="Features by layers"
      head={
        <>
          <Header>Feature</Header>
          {layers.map(({ name }) => (
            <Header key={name} className={right}>
              <Link
                to="/graph"
                search={{ entity: codeEntity(repo, `layer:${name}`) }}
                preload={false}
                className="font-mono hover:text-accent hover:underline"
              >
                {name}
              </Link>
            </Header>
          ))}
          <Header className={right}>Files</Header>
          <Header className={right}>Routes</Header>
          <Header className={right}>Tests</Header>
          <Header className={right}>Documents</Header>
          <Header className={right}>Plans</Header>
          <Header className={right}>Decisions</Header>
          <Header className={right}>Themes</Header>
        </>
      }
    >
      {features.map((feature) => (
        <tr key={feature.id}>
          <RowHeader className="min-w-32 font-normal">
            <Link
              to="/graph"
              search={{ entity: codeEntity(repo, feature.id) }}
              preload={false}
              className="font-medium hover:text-accent hover:underline"
            >
              {feature.name}
            </Link>
          </RowHeader>
          {layers.map(({ name }) => (
            <Share key={name} count={feature.layers[name] ?? 0} most={most} />
          ))}
          <Count count={feature.files} isExpected />
          <Count count={feature.routes} />
          <Count count={feature.tests} isExpected />
          <Count count={feature.documents} isExpected />
          <Count count={feature.plans} />
          <Count count={feature.decisions} />
          <Count count={feature.themes} />
        </tr>
      ))}
    </Table>
  );
}

/** Files of a feature in a layer, the darker the more. */
function Share({ count, most }: { count: number; most: number }) {
  const colour = Math.round(MOST_COLOUR * Math.sqrt(count / most));
  return (
    <NumberCell
      style={
        count === 0 ? undefined : { background: `color-mix(in srgb, var(--color-accent) ${colour}%, transparent)` }
      }
    >
      {count === 0 ? <span className="text-quiet">–</span> : formatNumber(count)}
    </NumberCell>
  );
}

/** `isExpected`: every feature should have some. */
function Count({ count, isExpected = false }: { count: number; isExpected?: boolean }) {
  const none = isExpected ? <Badge tone="warn">none</Badge> : <span className="text-quiet">–</span>;
  return <NumberCell>{count === 0 ? none : formatNumber(count)}</NumberCell>;
}

/** Imports against the order of the layers, and files of no feature. */
function Faults({ map: { faults, layers }, repo }: { map: FeatureMap; repo: string }) {
  const unowned = layers.filter((layer) => layer.unowned > 0);
  return (
    <>
      {faults.length > 0 && (
        <Section title="Imports that go up" lead="Without these, no layer would use one above it.">
          <Table caption="Imports that go up" columns={['From', 'To', ['Files', 'text-right'], 'For example']}>
            {faults.map(({ from, to, files, fromPath, toPath }) => (
              <tr key={`${from} ${to}`}>
                <RowHeader className="font-mono text-sm font-normal">{from}</RowHeader>
                <Cell className="font-mono text-sm">{to}</Cell>
                <NumberCell>{formatNumber(files)}</NumberCell>
                <Cell className="min-w-48 font-mono text-sm">
                  <PathLink repo={repo} path={fromPath} />
                  <span className="font-sans text-quiet"> imports </span>
                  <PathLink repo={repo} path={toPath} />
                </Cell>
              </tr>
            ))}
          </Table>
        </Section>
      )}
      {unowned.length > 0 && (
        <Section title="Files of no feature">
          <p className="text-quiet">
            {unowned.map(({ name, unowned: files, files: all }) => `${name}: ${files} of ${all}`).join(', ')}
          </p>
        </Section>
      )}
    </>
  );
}
