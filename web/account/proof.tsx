import { TextField } from '../components/field.tsx';
import { useSession } from '../session.tsx';

/** The present password, which protects changes on a screen left open. Not asked for right after a one-time link. */
export function ProofField(bound: { value: string; onEnter: (value: string) => void }) {
  const { person } = useSession().session;
  if (person.fresh_link || !person.has_password) return null;
  return <TextField label="Current password" type="password" autoComplete="current-password" required {...bound} />;
}

/** The proof as the routes take it. */
export function proofBody(proof: string): { current_password?: string } {
  return proof === '' ? {} : { current_password: proof };
}
