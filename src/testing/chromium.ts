import { existsSync } from 'node:fs';

const PLACES = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser of the machine, if it has one. */
export const CHROMIUM = PLACES.find((path) => path !== '' && existsSync(path));
export const HOW_TO_INSTALL = 'Chromium is not installed: apt-get install chromium, or set CHROMIUM_PATH.';
