import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { NewRepository, RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { useAction, type Action } from '../action.ts';
import { post } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { FormActions } from '../components/form-actions.tsx';
import { useToast } from '../components/toast.tsx';
import { useSession } from '../session.tsx';

interface AddRepositoryProps {
  acceptsFolders: boolean;
  onClose: () => void;
}

/** Adds a repository by its address; the index starts at once. */
export function AddRepository({ acceptsFolders, onClose }: AddRepositoryProps) {
  const { product } = useSession();
  const [form, setForm] = useState({ url: '', name: '', ref: '' });
  const [isChecked, setChecked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const add = useAdd(onClose);
  const fault = form.url.trim() === '' ? 'Enter a URL or a folder.' : undefined;

  function submit(): void {
    setChecked(true);
    if (fault !== undefined) {
      input.current?.focus();
      return;
    }
    const [url, name, ref] = [form.url.trim(), form.name.trim(), form.ref.trim()];
    add.run({ url, ...(name !== '' && { name }), ...(ref !== '' && { ref }) });
  }

  return (
    <Dialog title="Add a repository" lead={`To the product ${product.name}.`} initialFocus={input} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          ref={input}
          label={acceptsFolders ? 'URL or folder' : 'URL'}
          required
          spellCheck={false}
          autoCapitalize="none"
          placeholder="https://github.com/owner/name"
          value={form.url}
          onChange={(event) => setForm({ ...form, url: event.target.value })}
          fault={isChecked ? fault : undefined}
          hint={
            acceptsFolders
              ? 'An https or ssh URL, or a folder on the machine that the service runs on.'
              : 'An https or ssh URL that the service can reach.'
          }
        />
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <TextField
            label="Name (optional)"
            value={form.name}
            onChange={(event) => setForm({ ...form, name: event.target.value })}
            hint="Default: the last part of the address."
          />
          <TextField
            label="Branch, tag or commit (optional)"
            value={form.ref}
            onChange={(event) => setForm({ ...form, ref: event.target.value })}
            hint="What to follow. Default: the default branch."
          />
        </div>
        <FormActions action="Add and index" busy={add.busy} problem={add.problem} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

function useAdd(onAdded: () => void): Action<NewRepository> {
  const { product } = useSession();
  const queries = useQueryClient();
  const say = useToast();
  return useAction(async (request) => {
    const added = await post<Repository>(`repositories?product=${encodeURIComponent(product.id)}`, request);
    say(`Added “${added.name}”; indexing is queued`);
    onAdded();
    await queries.invalidateQueries({ queryKey: ['repositories'] });
    void queries.invalidateQueries({ queryKey: ['overview'] });
  });
}
