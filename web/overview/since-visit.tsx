import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { changesQuery } from '../competitors/queries.ts';
import { SkeletonBox } from '../components/skeleton.tsx';
import { Time } from '../components/time.tsx';
import { formatCount } from '../format.ts';
import { decisionsQuery, plansQuery } from '../knowledge/queries.ts';
import { useSession } from '../session.tsx';
import { newCommitsQuery } from './queries.ts';
import { useLastVisit } from './visit.ts';

/** What is new since the person was here last, in a line of links. Nothing on the first visit. */
export function SinceVisit() {
  const { product, session } = useSession();
  const since = useLastVisit(session.person.id, product.id);
  const commits = useQuery(newCommitsQuery(product.id, since));
  const plans = useQuery(plansQuery(product.id));
  const decisions = useQuery(decisionsQuery(product.id));
  const changes = useQuery(changesQuery(product.id, {}));
  if (since === undefined) return null;
  if ([commits, plans, decisions, changes].some(({ isPending }) => isPending))
    return <SkeletonBox label="Loading what is new" className="mb-6 h-5.5" />;
  const isNew = (at: string): boolean => Date.parse(at) > Date.parse(since);
  const count = <Row,>(rows: readonly Row[] | undefined, at: (row: Row) => string): number =>
    (rows ?? []).filter((row) => isNew(at(row))).length;
  const news: News[] = [
    {
      count: commits.data?.total ?? 0,
      noun: 'new commit',
      link: { to: '/history', search: { view: 'commits', since } },
    },
    { count: count(plans.data?.plans, (plan) => plan.updated_at), noun: 'changed plan', link: { to: '/plans' } },
    {
      count: count(decisions.data?.decisions, (decision) => decision.updated_at),
      noun: 'changed decision',
      link: { to: '/decisions' },
    },
    {
      count: count(changes.data?.changes, (change) => change.when),
      noun: 'competitor change',
      link: { to: '/competitors' },
    },
  ];
  const some = news.filter((item) => item.count > 0);
  return (
    <p className="mb-6 text-quiet" role="status">
      Since your last visit <Time at={since} />:{' '}
      {some.length === 0
        ? 'no new commits, plans, decisions or competitor changes.'
        : some.map(({ count: shown, noun, link }, at) => (
            <span key={noun}>
              {at > 0 && ', '}
              <Link {...link} className="text-accent underline">
                {formatCount(shown, noun)}
              </Link>
            </span>
          ))}
    </p>
  );
}

interface News {
  count: number;
  noun: string;
  link: LinkProps;
}
