import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of PHP. */
export const PHP_FRAMES: readonly FrameForm[] = [
  {
    // #3 /app/src/Mailer.php(12): Shop\Mailer->send('...')
    pattern: /^\s*#\d+ (?<path>[^\s(]+\.php)\((?<line>\d+)\): (?<symbol>[\w\\]+(?:(?:->|::)\w+)?)/,
  },
  {
    // in /app/src/Mailer.php:12            in /app/src/Mailer.php on line 12
    pattern: /\bin (?<path>\/?[\w./\\-]+\.php)(?::| on line )(?<line>\d+)/,
  },
];

/** Paths of the files of packages that a package manager installed. */
export const PHP_INSTALLED = /^(?:.*\/)?(?<all>vendor)\/(?<name>[^/]+\/[^/]+)\/(?<path>.+\.php)$/;
