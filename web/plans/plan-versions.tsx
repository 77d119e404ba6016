import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../action.ts';
import { send } from '../api.ts';
import { Badge } from '../components/badge.tsx';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { SkeletonBox } from '../components/skeleton.tsx';
import { ActionsHeader, CELL_CLASS, Header, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toast.tsx';
import { Actor } from '../knowledge/actor.tsx';
import type { PlanDetail, SavedPlan } from '../knowledge/bodies.ts';
import { useProductPath } from '../knowledge/product-path.ts';
import { planVersionQuery } from '../knowledge/queries.ts';
import { TextDifference, VersionText } from '../knowledge/text-difference.tsx';
import { useSession } from '../session.tsx';
import { useKeepPlan } from './plan-changes.tsx';

/** Every text that the plan had. */
export function PlanVersions({ plan }: { plan: PlanDetail }) {
  const [shown, setShown] = useState<number>();
  return (
    <>
      <Table
        caption="Versions"
        head={
          <>
            <Header>Version</Header>
            <Header>Saved</Header>
            <Header className="max-sm:hidden">By</Header>
            <ActionsHeader className="w-20" />
          </>
        }
      >
        {plan.versions.map(({ version, saved_at: savedAt, saved_by: savedBy }) => (
          <tr key={version}>
            <td className={CELL_CLASS}>
              {version} {version === plan.version && <Badge>present</Badge>}
            </td>
            <td className={CELL_CLASS}>
              <Time at={savedAt} />
            </td>
            <td className={`${CELL_CLASS} max-sm:hidden`}>
              <Actor actor={savedBy} />
            </td>
            <td className="px-2 text-right">
              <Button look="ghost" aria-label={`Show version ${version}`} onClick={() => setShown(version)}>
                Show
              </Button>
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && <ShownVersion plan={plan} version={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function ShownVersion({ plan, version, onClose }: { plan: PlanDetail; version: number; onClose: () => void }) {
  const { product, atLeast } = useSession();
  const path = useProductPath();
  const keep = useKeepPlan();
  const say = useToast();
  const query = useQuery(planVersionQuery(product.id, { slug: plan.slug, version }));
  const restore = useAction<string>(async (text) => {
    const body = { text, base_version: plan.version };
    keep((await send<SavedPlan>('PUT', path(`plans/${encodeURIComponent(plan.slug)}`), body)).plan);
    onClose();
    say(`The text of version ${version} is restored as a new version`);
  });
  const text = query.data?.text;
  const mayRestore = atLeast('member') && plan.path === null && version !== plan.version;
  return (
    <Dialog title={`Version ${version}`} onClose={onClose}>
      {query.isError && <Problem problem={{ message: query.error.message, fix: '' }} />}
      {query.isPending && <SkeletonBox label="Loading the text" className="h-64" />}
      {text !== undefined && version !== plan.version && (
        <TextDifference name={plan.title} before={text} after={plan.text} version={plan.version} />
      )}
      {text !== undefined && <VersionText version={version} text={text} />}
      <Problem problem={restore.problem} />
      <DialogActions>
        {mayRestore && text !== undefined && (
          <Button disabled={restore.busy} onClick={() => restore.run(text)}>
            Restore it
          </Button>
        )}
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
