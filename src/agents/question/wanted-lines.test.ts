import { expect, test } from 'vitest';
import { environmentVariableIn, givesWanted, type WantedLine, wantedLinesOf } from './wanted-lines.ts';

test.each<[string, WantedLine[]]>([
  ['What is the default timeout?', ['value']],
  ['How often is a mail sent again by default?', ['value']],
  ['What is the maximum size of a mail?', ['value']],
  ['In which order are flag, file and default read?', []],
  ['Which environment variables does the shop read?', ['environment']],
  ['Where are environment variables read?', []],
  ['Which errors does the mailer throw?', ['error']],
  ['What happens when the queue is full?', ['condition']],
  ['When does a mail expire?', ['condition']],
  ['How are mails sent?', []],
  ['Which port does the server listen on?', ['value']],
  ["What's the biggest upload that is taken?", ['value']],
])('"%s" wants lines of the kinds %j', (question, wanted) => {
  expect(wantedLinesOf(question)).toEqual(wanted);
});

test.each<[WantedLine, string]>([
  ['value', 'const RETRIES = 25;'],
  ['value', '  timeout: 25,'],
  ['value', 'retries := 3'],
  ['value', '@size ||= "large"'],
  ['value', 'env("AGE").map_or(Ok(10_000.0), |age| {'],
  ['value', '  return 5 * 60'],
  ['error', '  raise ArgumentError, "no mail"'],
  ['error', '  } catch (error) {'],
  ['condition', '  if total > most {'],
  ['condition', '    case "TERM":'],
  ['condition', 'const ERR_NO_MAIL = "there is no mail"'],
])('a line gives a %s: %s', (wanted, line) => {
  expect(givesWanted(line, wanted)).toBe(true);
});

test.each<[WantedLine, string]>([
  ['value', 'retries == 25'],
  ['value', 'sum(x["retries"])'],
  ['value', 'send(mail)'],
  ['error', 'const mail = next();'],
  ['condition', 'const mail = next();'],
])('a line gives no %s: %s', (wanted, line) => {
  expect(givesWanted(line, wanted)).toBe(false);
});

test.each([
  ['os.Getenv("SHOP_PORT")', 'SHOP_PORT'],
  ['os.environ.get("SHOP_PORT", 1)', 'SHOP_PORT'],
  ["os.environ['SHOP_PORT']", 'SHOP_PORT'],
  ['process.env.SHOP_PORT ?? 1', 'SHOP_PORT'],
  ['env::var_os("_SHOP_PORT")', '_SHOP_PORT'],
  ['ENV.fetch("SHOP_PORT")', 'SHOP_PORT'],
  ['System.getenv("SHOP_PORT")', 'SHOP_PORT'],
  ['os.Getenv(name)', undefined],
  ['const SHOP_PORT = 1;', undefined],
])('%s reads the variable %s', (line, name) => {
  expect(environmentVariableIn(line)).toBe(name);
});
