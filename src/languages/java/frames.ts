import type { FrameForm } from '../walk/language.ts';

/** Formats of stack traces of the Java virtual machine. */
export const JAVA_FRAMES: readonly FrameForm[] = [
  {
    // at com.shop.mail.Mailer$Queue.send(Mailer.java:12)
    pattern:
      /^\s*at (?:[\w.@-]+\/{1,2})?(?<scope>[\w$.]+)\.(?<symbol>[\w$<>-]+)\((?<path>[\w$-]+\.(?:java|kt|scala|groovy))(?::(?<line>\d+))?\)/,
    isInPackage: true,
  },
];
