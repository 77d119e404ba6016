import { useNavigate } from '@tanstack/react-router';
import { useAction, useChanges } from '../action.ts';
import { post } from '../api.ts';
import { Button } from '../components/button.tsx';
import { EntityLink, PathLink } from '../components/entity-link.tsx';
import { Badge } from '../components/inline.tsx';
import { Section } from '../components/page.tsx';
import { formatShare } from '../format.ts';
import type { ThemeDetail } from '../knowledge/queries.ts';

type Link = ThemeDetail['links'][number];

/** What a theme is about and what answers it: code, then plans, decisions and changes of competitors, each with its reason. */
export function ThemeLinks({ theme: { links } }: { theme: ThemeDetail }) {
  return (
    <>
      <LinkList title="Code that it is about" links={links.filter(({ kind }) => kind === 'code')} />
      <LinkList title="Plans, decisions and changes about it" links={links.filter(({ kind }) => kind !== 'code')} />
    </>
  );
}

function LinkList({ title, links }: { title: string; links: readonly Link[] }) {
  if (links.length === 0) return null;
  return (
    <Section title={title} lead="From the words of the signals, except where a person stated it.">
      <ul aria-label={title} className="divide-y divide-line rounded-lg border border-line bg-panel">
        {links.map(({ kind, target, repository, title: name, origin, score, words }) => (
          <li key={`${repository} ${target}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2">
            <span className="min-w-0 grow basis-48 [overflow-wrap:anywhere]">
              <EntityLink repo={repository} handle={target} className="font-medium hover:text-accent hover:underline">
                {name}
              </EntityLink>
              <span className="block text-sm text-quiet">
                {kind === 'code' && (
                  <>
                    <PathLink repo={repository} path={target.slice(target.indexOf('@') + 1)} /> of {repository}
                    {words.length > 0 && ' · '}
                  </>
                )}
                {words.length > 0 && `says ${words.join(', ')}`}
              </span>
            </span>
            {kind !== 'code' && <Badge>{kind}</Badge>}
            <span className="text-sm text-quiet tabular-nums">
              {origin === 'stated' ? 'stated' : `${formatShare(score)} of its words`}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Drafts a plan from a theme, or opens the one that is there. */
export function PlanFromTheme({ id }: { id: string }) {
  const navigate = useNavigate();
  const { path, refresh, tell } = useChanges();
  const draft = useAction(async () => {
    const { plan } = await post<{ plan: { slug: string } }>(path('plans'), { theme: id });
    await refresh('plan', 'themes');
    await navigate({ to: '/plans/$slug', params: { slug: plan.slug } });
  }, tell);
  return (
    <Button disabled={draft.busy} onClick={() => draft.run()}>
      Plan from this theme
    </Button>
  );
}
