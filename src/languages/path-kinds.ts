/** Reason why changes to a file say nothing about how code changes. */
type OmittedKind = 'lock' | 'generated' | 'vendored';

const LOCK =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.ya?ml|yarn\.lock|bun\.lockb?|deno\.lock|cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|pipfile\.lock|composer\.lock|gemfile\.lock|go\.sum|go\.work\.sum|mix\.lock|flake\.lock|packages\.lock\.json|gradle\.lockfile|podfile\.lock|pubspec\.lock)$/i;
const VENDORED = /(^|\/)(node_modules|bower_components|vendor|third_party|thirdparty|\.yarn)\//i;
const GENERATED =
  /(^|\/)(dist|__generated__|__snapshots__|__image_snapshots__)\/|(\.min\.(?:[cm]?js|css)|\.pb\.(?:go|cc|h)|_pb2(?:_grpc)?\.pyi?|\.g\.dart|\.generated\.[a-z]+|\.snap|\.map)$/i;

/** Tells a lock file, a generated file, or a copy of somebody else's, by its name and folder alone; undefined for any other. */
export function omittedKind(path: string): OmittedKind | undefined {
  if (LOCK.test(path)) return 'lock';
  if (VENDORED.test(path)) return 'vendored';
  return GENERATED.test(path) ? 'generated' : undefined;
}
