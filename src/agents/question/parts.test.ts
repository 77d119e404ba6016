import { expect, test } from 'vitest';
import { questionPartsOf } from './parts.ts';

/**
 * Questions with a bar where a part begins. What stands in angle brackets behind a part is what it is looked for with, too, for it is
 * about that and does not name it.
 */
const FIRST_WRITTEN = [
  'How are refunds paid?',
  'How are refunds paid, | and why? <refunds paid>',
  'How are refunds paid | and since when? <refunds paid>',
  'Why are refunds paid twice, | and what else would I have to change? <refunds>',
  'How are refunds paid, | and who decided that? <refunds>',
  'What is a voucher for | and how is it redeemed? <voucher>',
  'Which security problems were fixed, in which versions?',
  'Where are passwords stored, | how are they hashed, <passwords> | and which settings change that? <passwords>',
  'When was the old format dropped | and why? <old format dropped>',
  'When and why was the old format dropped?',
  'Why, and since which version, is the old format dropped?',
  'How does the queue decide which mail is sent first and when it is dropped?',
  'If I rename the table, what else breaks?',
  'When a mail cannot be sent, what does the queue do, | and how often? <queue>',
  'What happens when a mail is lost, | and is anybody told? <mail lost>',
  'What happens when a mail is lost and nobody asks for it?',
  'How do I add a bank | and do I have to register it somewhere? <bank>',
  'We run two desks. Why do they print the same mail?',
  'Mails are sent twice. Why?',
  'Is there a limit for attachments, | and if so, where is it set? <limit for attachments>',
  'Is there a limit for attachments, | what is the default, <limit attachments> | and can it be turned off? <limit attachments>',
  'Explain how vouchers work, | what they cost <vouchers> | and why they expire. <vouchers>',
  'I want to know how vouchers are printed | and where the paper comes from',
  'What are the different kinds of vouchers, | which of them expire, <vouchers> | and how did expiry come about?',
  'How is the weight worked out from how often and how lately a folder was open?',
  'Does the shop support gift cards or vouchers, | and since which version? <gift cards vouchers>',
  'What does the queue do with a mail, when a file is missing?',
  'How are refunds kept in the table, which is read at night?',
  'How are refunds kept | (and why)? <refunds kept>',
  'How can one restart the desk without losing orders, | and how did the recommended way change over time? <desk>',
  'How are orders recycled after a number of mails, | why was the random variation added, | and since which version is it available? <random variation>',
  'What would it take to support a new currency: | which files have to change, <new currency> | and which tests cover them? <new currency>',
  'Who maintains the printer | and who else knows it? <printer>',
  'What changed in the tax rules last year, | and what broke because of it? <tax rules>',
  'How is a receipt numbered; | are numbers ever reused?',
  'Why do we keep two copies and not one?',
  'How do the web shop and the desk share a basket, | but why do they not share prices? <web shop desk>',
  'Where is the tax computed? | And who wrote that? <tax computed>',
  'How long is a basket kept, | how is it cleaned up, <basket> | and by whom? <basket>',
  'Which errors are retried, | which are not, <errors retried> | and what is the longest wait?',
  'How are discounts combined | as well as what happens when they contradict each other?',
  'What is the difference between a voucher and a gift card, | and when should I use which?',
  'How fast is the search | and how much memory does it take? <search>',
  'Can an order be changed after it was sent, | and if not, why? <order changed after sent>',
] as const;

const WRITTEN_AFTER = [
  'How can tests run in parallel, | which features do not work then, <tests> | and since which version is it there? <tests>',
  'What happens when a test takes too long, | how do I change that, <test takes too long> | and why does it not apply to some tests?',
  'How does it decide whether a file has changed, | and how can that be turned off? <file changed>',
  'What happens when a backup is interrupted, | and what do I have to do afterwards? <backup interrupted>',
  'How can other programs be told when a process changes its state, | and when was that added? <programs process>',
  'Who wrote the scheduler, | when, and what for? <scheduler>',
  'What is the scheduler, | where does it live, <scheduler> | who maintains it, <scheduler> | and why is it so slow? <scheduler>',
  'Does the parser handle comments | and does it keep them?',
  'How is a key rotated and a certificate renewed?',
  'What do I need to know before I touch the cache?',
  'Which settings does the cache have, | and what are their defaults? <settings cache>',
  'How do I turn the cache off or make it smaller?',
  'Where is the timeout set? | Can I change it? <timeout>',
  'When a key expires, who notices?',
  'I changed the cache and now two tests fail. Why?',
  'Since the cache was added, are reads still checked?',
  'What is stored in the cache: | where, and for how long? <stored cache>',
  'Why is the cache not used for writes | and will that change? <cache>',
  'What does `a, b` mean in a rule, | and where is it parsed?',
  'How does one plug in a store - | and which ones ship with it?',
  'Are there limits on the size of a key, | if so why, | and who set them? <limits key>',
  'What would break if I removed the cache?',
  'How does login work with and without a password?',
  'How is the password checked, | how many attempts are allowed, | and what happens after that?',
  'When was login added | and has it changed since? <login>',
  'Is login slow, | and how would I measure it? <login>',
  'How do sessions expire | and can users be told in advance?',
  'What did customers say about exports | and what is planned? <exports>',
  'Which plans mention exports, | and which of them are done? <plans exports>',
  'Who asks for exports | and how often?',
  'Which packages depend on the parser, | and does the parser depend on any of them?',
  'What are the largest files | and who changes them most? <largest files>',
  'How is the project laid out, | and where would I start reading?',
  'Why is the parser split in two files, | and what does each do?',
  'How do I write a plugin; | is there an example?',
  'Compare the two caches and tell me which is faster',
  'List all commands, | and what each does',
  'What are locks for | (and what happens without them)? <locks>',
  'How are errors reported to users or, if nobody is logged in, to the log?',
  'In which file is the port set, | and what is it by default? <port>',
  'How are retries spaced out? | And is there a maximum? <retries>',
  'Which reporters are there | and how do I write my own? <reporters>',
  'What is the order in which programs start, | and who decided that? <order programs start>',
  'What problems with stale locks were fixed, | and what do I do when one is left behind? <stale locks>',
  'Why does it not exit any more, | and how can I get the old behaviour back? <exit>',
  'How are failed tests run again, | and what are the limitations of it? <failed tests retry>',
  'What is the difference between a job and a task, | and when do I need which?',
] as const;

/** How a question is written with a bar before each part, and what the parts but the first are looked for with. */
function readMarked(marked: string): { question: string; parts: string[]; about: string[][] } {
  const parts = marked.split('|').map((part) => ({
    said: part.replace(/<[^>]*>/, '').trim(),
    about: (/<([^>]*)>/.exec(part)?.[1] ?? '').split(' ').filter((word) => word !== ''),
  }));
  return {
    question: parts.map(({ said }) => said).join(' '),
    parts: parts.map(({ said }) => wordsIn(said)),
    about: parts.map(({ about }) => about),
  };
}

/** The words of a part, without what joins it to the one before. */
function wordsIn(part: string): string {
  return (part.match(/[\w'/.-]*\w/g) ?? []).join(' ').replace(/^(?:(?:and|but|as well as|if so|if not)\s+)+/i, '');
}

test.each([...FIRST_WRITTEN, ...WRITTEN_AFTER])('%s', (marked) => {
  const { question, parts, about } = readMarked(marked);

  const found = questionPartsOf(question);

  expect(found.map(({ asked }) => wordsIn(asked))).toEqual(parts);
  for (const [at, words] of about.entries()) for (const word of words) expect(found[at]?.about).toContain(word);
});
