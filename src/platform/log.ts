import { visible, visibleLines } from '../kernel/visible.ts';
import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Fields whose text is never written, at any depth of a record. */
const SECRET_FIELD =
  /("(?:authorization|proxy-authorization|x-api-key|cookie|set-cookie|password|secret|token)":)"(?:[^"\\]|\\.)*"/gi;
const API_KEY = /svc_live_[0-9A-Za-z]+/g;
const BEARER = /\bBearer +[\w.~+/=-]+/gi;
const URL_PASSWORD = /(:\/\/[^\s:/"@]*):[^\s/"]*@/g;

/** A record of a JSON line. */
interface LogRecord extends Record<string, unknown> {
  level: number;
  time: string;
  msg?: string;
  err?: { message?: string; stack?: string };
}

/**
 * A log of JSON lines on standard error; standard output belongs to the answers of commands. Keys, tokens and passwords
 * are masked in the finished line, so that no field, message or stack can carry one out.
 */
export function createLog(level: LogLevel, write: (line: string) => void = toStandardError): Log {
  const destination: DestinationStream = { write: (line) => write(maskSecrets(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** The line with `****` in place of what must not be read by others. */
export function maskSecrets(line: string): string {
  return line
    .replace(SECRET_FIELD, '$1"****"')
    .replace(API_KEY, 'svc_****')
    .replace(BEARER, 'Bearer ****')
    .replace(URL_PASSWORD, '$1:****@');
}

/**
 * Turns each JSON line of a log into text for people: time, level, what happened, and the fields after it. What is logged
 * may come from others: control characters are written out.
 */
export function inText(write: (text: string) => void = toStandardError): (line: string) => void {
  return (line) => {
    // What `createLog` writes is JSON; the names of its fields are those of pino.
    const { level, time, msg = '', err, ...fields } = JSON.parse(line) as LogRecord;
    const message = [msg, err?.message ?? ''].filter((part) => part !== '').join(': ');
    const more = Object.entries(fields).map(([name, value]) => ` ${name}=${visible(JSON.stringify(value))}`);
    const stack = err?.stack === undefined ? '' : `\n${visibleLines(err.stack.replace(/^.*?(?=\n +at )\n/s, ''))}`;
    write(`${time} ${pino.levels.labels[level] ?? level} ${visible(message)}${more.join('')}${stack}\n`);
  };
}

function toStandardError(line: string): void {
  process.stderr.write(line);
}
