import { SkeletonRows } from '../components/query-state.tsx';

/** A page whose code is on its way. */
export function PagePending() {
  return <SkeletonRows label="Loading the page" />;
}
