import { useRef, useState } from 'react';
import type { NewRepository, RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { type Action, useAction, useChanges, useFields } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { TextField } from '../components/field.tsx';
import { useSession } from '../session.tsx';

/** Adds a repository by its address; the index starts at once. */
export function AddRepository({ acceptsFolders, onClose }: { acceptsFolders: boolean; onClose: () => void }) {
  const { product } = useSession();
  const { fields: form, bind } = useFields({ url: '', name: '', ref: '' });
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
    <FormDialog
      noValidate
      title="Add a repository"
      lead={`To the product ${product.name}.`}
      initialFocus={input}
      onClose={onClose}
      action="Add and index"
      change={add}
      onSubmit={submit}
    >
      <TextField
        ref={input}
        label={acceptsFolders ? 'URL or folder' : 'URL'}
        required
        spellCheck={false}
        autoCapitalize="none"
        placeholder="https://github.com/owner/name"
        {...bind('url')}
        fault={isChecked ? fault : undefined}
        hint={
          acceptsFolders
            ? 'An https or ssh URL, or a folder on the machine that the service runs on.'
            : 'An https or ssh URL that the service can reach.'
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label="Name (optional)" {...bind('name')} hint="Default: the last part of the address." />
        <TextField
          label="Branch, tag or commit (optional)"
          {...bind('ref')}
          hint="What to follow. Default: the default branch."
        />
      </div>
    </FormDialog>
  );
}

function useAdd(onAdded: () => void): Action<NewRepository> {
  const { product, say, refresh } = useChanges();
  return useAction(async (request) => {
    const added = await post<Repository>(`repositories?product=${encodeURIComponent(product.id)}`, request);
    say(`Added “${added.name}”; indexing is queued`);
    onAdded();
    await refresh('repositories');
    void refresh('overview');
  });
}
