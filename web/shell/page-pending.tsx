import { SkeletonRows } from '../components/skeleton.tsx';

/** A page whose code is on its way. */
export function PagePending() {
  return <SkeletonRows label="Loading the page" />;
}
