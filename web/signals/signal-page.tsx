import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EntityActions } from '../components/entity-link.tsx';
import { Page, Panel } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { signalQuery, themesQuery } from '../knowledge/queries.ts';
import { SimilarTexts } from '../knowledge/similar-texts.tsx';
import { useSession } from '../session.tsx';
import { SignalRow } from './signal-row.tsx';

const route = getRouteApi('/shell/signals/$signalId');
const TITLE_CHARACTERS = 120;

/** One signal, under an address that can be shared. */
export function SignalPage() {
  const { signalId } = route.useParams();
  const { product } = useSession();
  const navigate = useNavigate();
  const query = useQuery(signalQuery(product.id, signalId));
  const { data: themes } = useQuery(themesQuery(product.id, { least: 1 }));
  const signal = query.data;
  return (
    <Page
      title={signal === undefined ? 'Signal' : titleOf(signal.text)}
      actions={
        signal !== undefined && (
          <EntityActions
            call={{ name: 'document-search-tool', arguments: { action: 'get', query: signal.id } }}
            path={`/signals/${signal.id}`}
          />
        )
      }
      back={{ to: '/signals', name: 'Signals' }}
    >
      <QueryState query={query} what="this signal" box="h-24" />
      {signal !== undefined && (
        <Panel>
          <SignalRow
            signal={signal}
            theme={themes?.themes.find(({ id }) => id === signal.theme)?.label}
            onDeleted={() => void navigate({ to: '/signals' })}
          />
        </Panel>
      )}
      {signal !== undefined && <SimilarTexts id={signal.id} />}
    </Page>
  );
}

/** Its first sentence, or as much of it as a title holds. */
function titleOf(text: string): string {
  const [sentence = ''] = text.trim().split(/(?<=[.!?])\s|\n/);
  const line = sentence.replaceAll(/\s+/g, ' ');
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS).replace(/[\s,;:–-]+\S*$/, '')}…`;
}
