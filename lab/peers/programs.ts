import { codegraphAnswers, gitCliffAnswers, knipAnswers, type PeerAnswers, ripgrepAnswers } from './answers.ts';
import type { Command, Installed, Packaged, Subject } from './run.ts';
import { serenaAnswers, svcAnswers } from './servers.ts';

/** A program beside svc: how it comes into the scratch folder, and its commands for what it can do. */
export interface Peer extends Packaged {
  version?: Command;
  index?: (subject: Subject) => Command;
  /** After a file has changed; the index anew where it has no other way. */
  update?: (subject: Subject) => Command;
  /** Who uses the name. */
  query?: (subject: Subject) => Command;
  /** Folders that hold its index, after the path of the checkout. */
  stored?: readonly string[];
  /** Starts what answers the cases of graders and the jobs. */
  answers?: (subject: Subject, installed: Installed) => Promise<PeerAnswers>;
}

export const PEERS: readonly Peer[] = [
  {
    name: 'svc',
    packages: { own: true },
    program: 'svc',
    version: ['--version'],
    index: ({ tree }) => ['index', tree, '--wait', '--data-dir', `${tree}-svc`],
    update: ({ tree, name }) => ['usages', name, '--data-dir', `${tree}-svc`],
    query: ({ tree, name }) => ['usages', name, '--data-dir', `${tree}-svc`],
    stored: ['-svc'],
    answers: svcAnswers,
  },
  {
    name: 'codegraph',
    packages: { npm: '@colbymchenry/codegraph' },
    program: 'codegraph',
    version: ['--version'],
    index: ({ tree }) => ['init', tree],
    update: ({ tree }) => ['sync', tree],
    query: ({ name }) => ['callers', name],
    stored: ['/.codegraph'],
    answers: codegraphAnswers,
  },
  {
    name: 'gitnexus',
    packages: { npm: 'gitnexus' },
    program: 'gitnexus',
    version: ['--version'],
    index: ({ tree }) => ['analyze', tree],
    update: ({ tree }) => ['analyze', tree],
    query: ({ name }) => ['context', name],
    stored: ['/.gitnexus'],
  },
  {
    // Its start downloads the program from a host that is not a package registry.
    name: 'codebase-memory-mcp',
    packages: { pypi: 'codebase-memory-mcp' },
    program: 'codebase-memory-mcp',
    version: ['--version'],
    index: ({ tree }) => ['cli', 'index_repository', JSON.stringify({ repo_path: tree })],
  },
  {
    // Has no index: it asks language servers, which it installs with npm at its first question.
    name: 'serena',
    packages: { pypi: 'serena-agent' },
    program: 'serena',
    version: ['--version'],
    answers: serenaAnswers,
  },
  {
    name: 'ripgrep',
    packages: { pypi: 'ripgrep' },
    program: 'rg',
    version: ['--version'],
    query: ({ tree, name }) => ['--word-regexp', '--line-number', name, tree],
    answers: ripgrepAnswers,
  },
  {
    name: 'ctags',
    packages: {},
    program: 'ctags',
    version: ['--version'],
    index: ({ tree }) => ['-R', '-f', `${tree}-ctags/tags`, tree],
    update: ({ tree }) => ['-R', '-f', `${tree}-ctags/tags`, tree],
    stored: ['-ctags'],
  },
  {
    name: 'git-cliff',
    packages: { pypi: 'git-cliff' },
    program: 'git-cliff',
    version: ['--version'],
    answers: gitCliffAnswers,
  },
  {
    name: 'knip',
    packages: { npm: 'knip typescript' },
    program: 'knip',
    version: ['--version'],
    answers: knipAnswers,
  },
];
