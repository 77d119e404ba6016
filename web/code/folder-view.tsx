import type { Folder } from '../../src/code/source-bodies.ts';
import { Icon } from '../components/button.tsx';
import { PathLink } from '../components/entity-link.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Panel, Section } from '../components/page.tsx';
import { formatBytes } from '../format.ts';
import { folderOf } from './address.ts';

/** Content of a folder, folders first, and the text that introduces it. */
export function FolderView({ folder }: { folder: Folder }) {
  const { repo, commit, path, entries, readme } = folder;
  const at = (name: string): string => (path === '' ? name : `${path}/${name}`);
  return (
    <>
      <Panel>
        <ul aria-label="Files" className="divide-y divide-line">
          {path !== '' && (
            <li className="px-4 py-1.5">
              <PathLink repo={repo} commit={commit} path={folderOf(path)}>
                <span aria-hidden="true">..</span>
                <span className="sr-only">Folder above</span>
              </PathLink>
            </li>
          )}
          {entries.map(({ name, kind, size_bytes: size }) => (
            <li key={name} className="flex items-center gap-2.5 px-4 py-1.5">
              <Icon name={kind === 'folder' ? 'folder' : 'file'} className="text-quiet" />
              <span className="min-w-0 grow [overflow-wrap:anywhere]">
                <PathLink repo={repo} commit={commit} path={at(name)}>
                  {name}
                </PathLink>
                {kind === 'link' && <span className="text-sm text-quiet"> (symbolic link)</span>}
                {kind === 'submodule' && <span className="text-sm text-quiet"> (submodule)</span>}
              </span>
              {size !== null && (
                <span className="text-right text-sm whitespace-nowrap text-quiet tabular-nums">
                  {formatBytes(size)}
                </span>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      {readme !== null && (
        <Section title={readme.name}>
          <Panel className="px-5 py-4">
            {/\.(?:md|markdown)$/i.test(readme.name) ? (
              <Markdown text={readme.text} />
            ) : (
              <pre className="font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]">{readme.text}</pre>
            )}
          </Panel>
        </Section>
      )}
    </>
  );
}
