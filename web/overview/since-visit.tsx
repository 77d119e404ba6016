import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { changesQuery } from '../competitors/queries.ts';
import { SkeletonBox } from '../components/query-state.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { decisionsQuery, plansQuery, themesQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { type NewsKind, newsSince } from './news.ts';
import { newCommitsQuery } from './queries.ts';
import { useLastVisit } from './visit.ts';

/** News since the person's last visit, in a line of links. Nothing on the first visit. */
export function SinceVisit() {
  const { product, session } = useSession();
  const since = useLastVisit(session.person.id, product.id);
  const commits = useQuery(newCommitsQuery(product.id, since));
  const plans = useQuery(plansQuery(product.id));
  const decisions = useQuery(decisionsQuery(product.id));
  // The same query as for what needs attention, so that it is sent once.
  const themes = useQuery(themesQuery(product.id, { least: 1 }));
  const changes = useQuery(changesQuery(product.id, {}));
  if (since === undefined) return null;
  if ([commits, plans, decisions, themes, changes].some(({ isPending }) => isPending))
    return <SkeletonBox label="Loading what is new" className="mb-6 h-5.5" />;
  const news = newsSince(since, {
    commits: commits.data?.total ?? 0,
    plans: plans.data?.plans ?? [],
    decisions: decisions.data?.decisions ?? [],
    themes: themes.data?.themes ?? [],
    changes: changes.data?.changes ?? [],
  });
  return (
    <p className="mb-6 text-quiet" role="status">
      Since your last visit <Time at={since} />:{' '}
      {news.length === 0
        ? 'no new commits, plans, decisions, subjects, rising themes or competitor changes.'
        : news.map(({ kind, count }, at) => (
            <span key={kind}>
              {at > 0 && ', '}
              <Link {...linkTo(kind, since)} className="text-accent underline">
                {formatCount(count, kind.slice(0, -1))}
              </Link>
            </span>
          ))}
    </p>
  );
}

function linkTo(kind: NewsKind, since: string): LinkProps {
  switch (kind) {
    case 'new commits':
      return { to: '/history', search: { view: 'commits', since } };
    case 'changed plans':
    case 'stale plans':
      return { to: '/plans' };
    case 'changed decisions':
      return { to: '/decisions' };
    case 'new subjects':
    case 'rising themes':
      return { to: '/themes', search: { sort: 'rising' } };
    case 'competitor changes':
      return { to: '/competitors' };
  }
}
