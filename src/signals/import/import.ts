export { type GitHubIssues, readGitHubIssues } from './github-issues.ts';
export {
  type ImportedFile,
  type ImportRecord,
  importRecords,
  type Mapping,
  type NamedFile,
  type SignalJson,
} from './import-file.ts';
export { dateOf } from './read-dates.ts';
export { readFolder, readRecords } from './records.ts';
export { textOfSlack } from './markup.ts';
