import type { NewRepository, RestRepository as Repository } from '../../src/repositories/repository-bodies.ts';
import { useChanges } from '../action.ts';
import { post } from '../api.ts';
import { FormDialog } from '../components/dialog.tsx';
import { Field, useForm } from '../components/form.tsx';
import { postRepositories } from '../form-rules.json';

/** Adds a repository by its address; the index starts at once. */
export function AddRepository({ acceptsFolders, onClose }: { acceptsFolders: boolean; onClose: () => void }) {
  const { product, path, apply } = useChanges();
  const form = useForm({ rules: postRepositories }, (request: NewRepository) =>
    apply(post<Repository>(path('repositories'), request), {
      to: 'repositories',
      done: onClose,
      says: ({ name }) => `Added “${name}”; indexing is queued`,
    }),
  );
  return (
    <FormDialog
      title="Add a repository"
      lead={`To the product ${product.name}.`}
      onClose={onClose}
      action="Add and index"
      form={form}
    >
      <Field
        of={form}
        name="url"
        label={acceptsFolders ? 'URL or folder' : 'URL'}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="https://github.com/owner/name"
        hint={
          acceptsFolders
            ? 'An https or ssh URL, or a folder on the machine that the service runs on.'
            : 'An https or ssh URL that the service can reach.'
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field of={form} name="name" label="Name" hint="Default: the last part of the address." />
        <Field of={form} name="ref" label="Branch, tag or commit" hint="What to follow. Default: the default branch." />
      </div>
    </FormDialog>
  );
}
