import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of .NET. */
export const CSHARP_FRAMES: readonly FrameForm[] = [
  {
    // at Shop.Mail.Mailer.Send(String to) in C:\app\Mailer.cs:line 12
    pattern: /^\s*at (?<symbol>[\w.`<>[\],+]+)\([^)]*\)(?: in (?<path>.+?):line (?<line>\d+))?\s*$/,
  },
];
