import { TextField } from '../components/field.tsx';
import { useSession } from '../session.tsx';

/** The present password, which protects changes on a screen left open. Not asked for right after a one-time link. */
export function ProofField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { session } = useSession();
  if (session.person.fresh_link || !session.person.has_password) return null;
  return (
    <TextField
      label="Current password"
      type="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The proof as the routes take it. */
export function proofBody(proof: string): { current_password?: string } {
  return proof === '' ? {} : { current_password: proof };
}
