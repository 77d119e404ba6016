import { z } from 'zod';
import { wholeNumber } from './config-schemas.ts';

/** Settings of how pages of competitors are watched. */
export const WATCH_VARIABLES = {
  watchIntervalSeconds: {
    name: 'SVC_WATCH_INTERVAL_SECONDS',
    schema: wholeNumber(0, 31_536_000),
    allowed: 'a whole number of seconds',
    fallback: '300',
    meaning: 'Shortest time between two checks of one watched page of a competitor.',
  },
  watchPauseMs: {
    name: 'SVC_WATCH_PAUSE_MS',
    schema: wholeNumber(0, 600_000),
    allowed: 'a whole number of milliseconds, at most 600000',
    fallback: '1000',
    meaning:
      'Shortest pause between two requests to one host of a competitor, unless its robots.txt asks for a longer one.',
  },
  watchKeptDays: {
    name: 'SVC_WATCH_KEPT_DAYS',
    schema: wholeNumber(1, 36_500),
    allowed: 'a whole number of days',
    fallback: '730',
    meaning: 'How long changes of competitors and texts of their pages are kept.',
  },
  chromium: {
    name: 'SVC_CHROMIUM',
    schema: z.string().startsWith('/'),
    allowed: 'the path of Chromium, such as /usr/bin/chromium',
    meaning:
      'Browser that runs the scripts of watched pages whose render mode is "browser". Without it no script is run.',
  },
  chromiumSandbox: {
    name: 'SVC_CHROMIUM_SANDBOX',
    schema: z.enum(['yes', 'no']).transform((text) => text === 'yes'),
    allowed: 'yes or no',
    fallback: 'yes',
    meaning:
      'Whether Chromium runs in its sandbox. Only for containers that allow none, and for root, "no" may be needed: then only the container isolates the browser from the service.',
  },
};
