export { type GitHubIssues, readGitHubIssues } from './github-issues.ts';
export { type ImportedFile, importRecords, type Mapping, type SignalJson } from './import-file.ts';
export { readRecords } from './records.ts';
