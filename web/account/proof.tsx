import type { TotpProof } from '../../src/accounts/account-bodies.ts';
import { Field, type FormState } from '../components/form.tsx';
import { useSession } from '../session.tsx';

/** The present password, which protects changes on a screen left open. Not asked for right after a one-time link. */
export function ProofField({ of }: { of: FormState<TotpProof> }) {
  const { person } = useSession().session;
  if (person.fresh_link || !person.has_password) return null;
  return <Field of={of} name="current_password" label="Current password" autoComplete="current-password" required />;
}
