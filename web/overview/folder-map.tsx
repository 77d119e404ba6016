import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { folderLink } from '../code/links.ts';
import { Section } from '../components/page.tsx';
import { QueryState } from '../components/query-state.tsx';
import { formatCount } from '../format.ts';
import { folderLevels, type FolderUses } from './folder-levels.ts';
import { foldersQuery, type IndexedRepository } from './queries.ts';

/** More on one level are counted, not shown: the map is to be taken in at a glance. */
const MOST_ON_LEVEL = 10;

/** The folders of the code as levels: each uses only those below it, as far as the code lets it. */
export function FolderMap({ repository }: { repository: IndexedRepository }) {
  const query = useQuery(foldersQuery(repository));
  const linked = (query.data ?? []).filter(isLinked(query.data ?? []));
  return (
    <Section title="Map" lead="A folder stands above those it uses. Point at one for its links.">
      <QueryState query={query} what="the map" box="h-48" />
      {query.data !== undefined && linked.length === 0 && (
        <p className="text-quiet">No folder of this repository uses another one, as far as the index can tell.</p>
      )}
      {linked.length > 0 && <Levels folders={linked} repository={repository} />}
    </Section>
  );
}

/** Returns a test for folders that use another or are used: others do not belong in a map of uses. */
function isLinked(folders: readonly FolderUses[]): (folder: FolderUses) => boolean {
  const used = new Set(folders.flatMap(({ uses }) => uses.map(({ path }) => path)));
  return ({ path, uses }) => uses.length > 0 || used.has(path);
}

function Levels({ folders, repository }: { folders: readonly FolderUses[]; repository: IndexedRepository }) {
  const [pointed, setPointed] = useState<FolderUses>();
  const roleOf = (folder: FolderUses): Role => {
    if (pointed === undefined) return 'plain';
    if (folder.path === pointed.path) return 'pointed';
    if (pointed.uses.some(({ path }) => path === folder.path)) return 'used';
    return folder.uses.some(({ path }) => path === pointed.path) ? 'user' : 'other';
  };
  return (
    <>
      <ol
        aria-label="Folders from the top down"
        className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-panel"
        onMouseLeave={() => setPointed(undefined)}
      >
        {folderLevels(folders).map((level) => (
          <li key={level[0]?.path} className="flex flex-wrap items-center justify-center gap-2 px-3 py-2.5">
            {level.slice(0, MOST_ON_LEVEL).map((folder) => (
              <Folder
                key={folder.path}
                folder={folder}
                role={roleOf(folder)}
                repository={repository}
                onPoint={setPointed}
              />
            ))}
            {level.length > MOST_ON_LEVEL && (
              <span className="text-sm text-quiet">
                and {formatCount(level.length - MOST_ON_LEVEL, 'more', 'more')}
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className="mt-1.5 min-h-5 text-sm text-quiet [overflow-wrap:anywhere]">
        {pointed === undefined ? '' : describe(pointed, folders)}
      </p>
    </>
  );
}

type Role = 'plain' | 'pointed' | 'used' | 'user' | 'other';

const ROLES: Readonly<Record<Role, string>> = {
  plain: 'border-line bg-page',
  pointed: 'border-accent bg-accent-soft',
  used: 'border-series-2 bg-page',
  user: 'border-series-3 bg-page',
  other: 'border-line bg-page opacity-50',
};

interface FolderProps {
  folder: FolderUses;
  role: Role;
  repository: IndexedRepository;
  onPoint: (folder: FolderUses | undefined) => void;
}

function Folder({ folder, role, repository, onPoint }: FolderProps) {
  return (
    <Link
      {...folderLink({ repo: repository.name, path: folder.path === '.' ? '' : folder.path })}
      className={classNames('rounded-md border px-2.5 py-1 text-center', ROLES[role])}
      onMouseEnter={() => onPoint(folder)}
      onFocus={() => onPoint(folder)}
      onBlur={() => onPoint(undefined)}
    >
      <span className="block font-mono text-sm [overflow-wrap:anywhere]">{nameOf(folder.path)}</span>
      <span className="block text-xs text-quiet">{formatCount(folder.files, 'file')}</span>
    </Link>
  );
}

function nameOf(path: string): string {
  return path === '.' ? '(root)' : path;
}

/** `web uses store and lib; used by cli.` */
function describe({ path, uses }: FolderUses, folders: readonly FolderUses[]): string {
  const users = folders.filter((folder) => folder.uses.some((used) => used.path === path));
  const list = (all: readonly { path: string }[]): string => all.map((folder) => nameOf(folder.path)).join(', ');
  const below = uses.length === 0 ? 'uses no other folder' : `uses ${list(uses)}`;
  return `${nameOf(path)} ${below}; ${users.length === 0 ? 'no other folder uses it' : `used by ${list(users)}`}.`;
}
