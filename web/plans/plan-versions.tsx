import { useQuery } from '@tanstack/react-query';
import { useAction, useChanges } from '../action.ts';
import { send } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions } from '../components/dialog.tsx';
import { Problem, SkeletonBox } from '../components/query-state.tsx';
import { type PlanDetail, planVersionQuery, type SavedPlan } from '../knowledge/queries.ts';
import { TextDifference, VersionText } from '../knowledge/text-difference.tsx';
import { VersionTable } from '../knowledge/version-table.tsx';
import { useSession } from '../session.tsx';
import { useKeepPlan } from './plan-changes.tsx';

/** Every text that the plan had. */
export function PlanVersions({ plan }: { plan: PlanDetail }) {
  return (
    <VersionTable
      versions={plan.versions.map((saved) => ({ version: saved.version, at: saved.saved_at, by: saved.saved_by }))}
      present={plan.version}
      done="Saved"
      show={(version, onClose) => <ShownVersion plan={plan} version={version} onClose={onClose} />}
    />
  );
}

function ShownVersion({ plan, version, onClose }: { plan: PlanDetail; version: number; onClose: () => void }) {
  const { product, atLeast } = useSession();
  const { path, say } = useChanges();
  const keep = useKeepPlan();
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
