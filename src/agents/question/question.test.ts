import { expect, test } from 'vitest';
import { parseQuestion } from './question.ts';
import { subquestionsOf, wordingsOf } from './parts.ts';
import { asks, asksPast } from './kinds.ts';
import { withoutFrame } from './subject.ts';
import { soughtOf, topicOf } from './topic.ts';

test.each([
  ['Where are mails sent?', 'locate'],
  ['Which file parses the configuration?', 'locate'],
  ['How does a refund reach the bank?', 'explain'],
  ['What calls `sendMail`?', 'usage'],
  ['callers of Mailer.send', 'usage'],
  ['What breaks when I change sendMail?', 'impact'],
  ['Who knows the mail code best?', 'owner'],
  ['When was the retry introduced?', 'when'],
  ['Why does the queue drop messages?', 'why'],
  ['What happens when the queue is called twice?', 'explain'],
  ['What happens if I remove the queue?', 'impact'],
  ['What is the difference between send and post?', 'compare'],
  ['How would I add a new provider?', 'change'],
  ['List all middlewares', 'list'],
])('"%s" wants to %s', (words, intent) => {
  expect(parseQuestion(words).intent).toBe(intent);
});

test.each([
  [
    'How does `Mailer.send` use src/mail/queue.ts and retry_count?',
    ['Mailer.send', 'src/mail/queue.ts', 'retry_count'],
  ],
  ['Does sendMail() call PostBox, i.e. the queue, before it ends?', ['sendMail', 'PostBox']],
  ['What does Mailer#send and std::vec::push do in MAX_SIZE?', ['Mailer#send', 'std::vec::push', 'MAX_SIZE']],
  ['Where is __init__ of HTTPServer', ['__init__', 'HTTPServer']],
  ['Where are mails sent? Nobody knows.', []],
  ['What uses the Result class? Which Function calls it?', ['Result']],
  ['What is the difference between Route and Filter?', ['Route', 'Filter']],
])('names in "%s"', (words, names) => {
  expect(parseQuestion(words).names).toEqual(names);
});

test.each([
  ['What do customers complain about most?', true],
  ['What do customers say about refunds?', true],
  ['Which feature requests are there?', true],
  ['How do users sign in?', false],
  ['Has anyone complained about invoices?', true],
  ['What are the biggest complaints?', true],
  ['What do users ask for?', true],
  ['What is planned for exports?', false],
  ['What are the main complaints of players?', true],
  ['What are the main problems people report?', true],
  ['What do people like most?', true],
  ['What do customers say about reviews?', true],
  ['How many reviews mention US stocks?', true],
  ['Is talk about server problems rising?', true],
  ['Who asks for a single player campaign?', true],
  ['Who asks the server for a page?', false],
])('"%s" asks customers: %s', (words, isAsked) => {
  expect(asks('customers', words)).toBe(isAsked);
});

test.each([
  ['How does the retry of mails work?', 'retry of mails'],
  ['What is known about remote carts?', 'remote carts'],
  ['What do the docs say about locked orders?', 'locked orders'],
  ['What changed about refunds over the years?', 'refunds'],
  ['What is documented about locked orders?', 'locked orders'],
  ['What does the documentation tell users to do about locked orders?', 'locked orders'],
  ['How did locked orders come about?', 'locked orders'],
  ['What do customers say about refunds?', 'refunds'],
  ['How are clients of the bank found?', 'clients of bank found'],
  ['How does it work?', 'How does it work?'],
])('the topic of "%s" is "%s"', (words, topic) => {
  expect(topicOf(words)).toBe(topic);
});

test.each([
  ['What changed about refunds?', true, false],
  ['How are refunds paid?', false, false],
  ['What does the documentation say about refunds?', false, true],
  ['How are documents described?', false, false],
  ['Which limitations of refunds are documented?', false, true],
  ['How do users cancel a refund according to the docs?', false, true],
  ['What is in the migration guide about refunds?', false, true],
  ['Which limits has a refund?', false, false],
  ['How did refunds by card come about?', true, false],
  ['How did refunds develop?', true, false],
  ['Why was the table of refunds replaced?', true, false],
  ['What problems with refunds have been fixed?', true, false],
  ['Why is a refund removed from the table?', false, false],
])('"%s" asks for history: %s, for documents: %s', (words, isHistory, isDocuments) => {
  expect([asks('history', words), asks('documents', words)]).toEqual([isHistory, isDocuments]);
});

test.each([
  ['What do riders complain about most?', true],
  ['What do guests say about breakfast?', true],
  ['Which errors do parsers report?', false],
  ['Which handlers ask for a token?', false],
  ['What do the documents say about riders?', false],
  ['What do tests ask of the queue?', false],
])('"%s" asks what customers say: %s', (words, isAsked) => {
  expect(asks('customers', words)).toBe(isAsked);
});

test.each([
  ['Since when do users ask for exports?', 'exports'],
  ['What is planned for exports, and how far is it?', 'for exports, and'],
  ['Which feature requests concern exports?', 'exports'],
  ['Which feature requests are there?', 'feature requests'],
  ['What do users want?', ''],
  ['Which plan covers exports, and what of it is open?', 'exports, and of'],
  ['Do users complain about open tabs?', 'open tabs'],
  ['Why was the queue dropped?', 'queue dropped'],
  ['How many reviews mention US stocks?', 'US stocks'],
  ['Are complaints about customer support rising?', 'support'],
  ['Is talk about server and connection problems rising?', 'server and connection'],
  ['What do players say about cheaters and hackers?', 'cheaters and hackers'],
  ['What do people like about the app?', 'app'],
  ['What do customers say about reviews?', 'reviews'],
  ['What do customers say about sign in and login trouble?', 'sign in and login'],
  ['Are complaints about the app crashing rising?', 'crashing'],
  ['How many people have issues with exports?', 'with exports'],
  ['Are payment problems getting worse lately?', 'payment'],
  ['Are high prices becoming more frequent?', 'high prices'],
  ['What do riders complain about most?', ''],
  ['What do riders say about rude drivers?', 'rude drivers'],
  ['What do riders like about the map?', 'map'],
  ['Do users ask for getting started guides?', 'getting started guides'],
  ['How many riders mention drivers who cancel?', 'drivers cancel'],
  ['What do the documents say about riders?', 'documents riders'],
  ['Who asks for a single player campaign?', 'single player campaign'],
])('"%s" is about "%s"', (words, subject) => {
  expect(withoutFrame(words)).toBe(subject);
});

test.each([
  ['How are files watched and what problems are known?', 'what problems are known files?'],
  ['How are shells initialised and which ones are supported?', 'which shells are supported?'],
  ['How does the server shut down and what happens to running jobs?', 'what happens to running jobs server shut down?'],
  ['How are mails sent by night and what changed about it?', 'what changed about mails sent?'],
  ['How are mails sent by night and what is logged about it?', 'what is logged about mails?'],
  ['How are mails sent, and since when?', 'since when mails sent?'],
])('the second part of "%s" names its subject', (words, part) => {
  expect(subquestionsOf(words)[1]).toBe(part);
});

test.each([
  [
    'How does the retry of mails in the queue work, how has the way it waits changed over the years, and what does the documentation tell users about it?',
    [
      'How does the retry of mails in the queue work',
      'how has the way retry of mails in queue waits changed over the years',
      'what does the documentation tell users about retry of mails in queue?',
    ],
  ],
  [
    'What would it take to add a new bank: which interface has to be implemented, where is it registered, and which tests have to pass?',
    [
      'What would it take to add a new bank',
      'which interface has to be implemented new bank?',
      'where is new bank registered',
      'which tests have to pass new bank?',
    ],
  ],
  [
    'How did support for refunds develop (card, cash), why are there several tables, and what is documented about them?',
    [
      'How did support for refunds develop (card, cash)',
      'why are there several tables refunds?',
      'what is documented about refunds?',
    ],
  ],
  [
    'How are open orders (by day) found and kept, how did that change over time, and which limitations are documented?',
    [
      'How are open orders (by day) found and kept',
      'how did open orders change over time',
      'which limitations are documented open orders?',
    ],
  ],
  [
    'How are secret orders (gifts, returns) guarded, and why was that trust check introduced?',
    ['How are secret orders (gifts, returns) guarded', 'why was that trust check introduced secret orders?'],
  ],
  [
    'Which problems with gifts have been fixed, and what limitations does the documentation still mention?',
    ['Which problems with gifts have been fixed', 'what limitations does the documentation still mention gifts?'],
  ],
  [
    'What are the trade-offs between carts and orders, why were orders introduced, and how are they sent?',
    ['What are the trade-offs between carts and orders', 'why were orders introduced', 'how are orders sent?'],
  ],
  [
    'How does the mail queue decide what to drop, and which problems with it have been fixed?',
    ['How does the mail queue decide what to drop', 'which problems with mail queue have been fixed?'],
  ],
  [
    'How is the basket restored when leaving a shop, and which problems with that have been fixed?',
    ['How is the basket restored when leaving a shop', 'which problems with that have been fixed basket restored?'],
  ],
  [
    'How do orders run at night, how did their format change, and what is documented about the old format?',
    ['How do orders run at night', 'how did orders format change', 'what is documented about the old format?'],
  ],
  [
    'What would it take to add a new bank: where are the names of clerks checked, and which tests cover it?',
    ['What would it take to add a new bank', 'where are the names of clerks checked', 'which tests cover new bank?'],
  ],
  [
    'How are refunds kept, and when and why did the options to tune that come in?',
    ['How are refunds kept', 'when and why did the options to tune refunds come in?'],
  ],
])('each question within "%s" is a part with its short subject', (words, parts) => {
  expect(subquestionsOf(words)).toEqual(parts);
});

test.each([
  ['what has changed about globs over time?', 'globs'],
  ['why and when was that trust check introduced unsafe features?', 'trust check unsafe features'],
  ['which limitations does the documentation still mention Windows?', 'Windows'],
  ['what has changed?', 'what has changed?'],
  ['How are limitations documented?', 'limitations'],
  ['How are changed mails sent?', 'changed mails sent'],
])('"%s" is answered by what speaks of %s', (words, sought) => {
  expect(soughtOf(words)).toBe(sought);
});

test.each([
  ['Why was the queue written in C?', true],
  ['What is the rationale of the queue?', true],
  ['What are the reasons for the queue?', true],
  ['How does the queue decide what to drop?', false],
  ['What was decided about exports?', false],
])('"%s" asks for the reason of something: %s', (words, expected) => {
  expect([asks('why', words), asksPast(words)]).toEqual([expected, expected]);
});

test('what a thing does not do is asked for as its limits', () => {
  expect(
    ['which limitations are documented?', 'what are the known limits?', 'Are there caveats?'].every((words) =>
      asks('limits', words),
    ),
  ).toBe(true);
  expect(asks('limits', 'How is the rate limited?')).toBe(false);
});

test('a part has the words of the question beside those that it is looked for with', () => {
  expect([...wordingsOf('How are refunds kept, and what is documented about them?')]).toEqual([
    ['How are refunds kept', 'How are refunds kept'],
    ['what is documented about refunds?', 'what is documented about them?'],
  ]);
});

test.each([
  ['How is the weight worked out from how often and how lately a folder was open?', 1],
  ['How is it chosen by what is asked and when it was asked?', 1],
  ['How is it chosen by what is asked, and when is it asked again?', 2],
  ['How many times is a job tried and how long is the wait?', 2],
  ['What does the queue do with a mail, when a file is missing?', 1],
  ['How are refunds kept in the table, which is read at night?', 1],
])('"%s" has %i parts', (words, parts) => {
  expect(subquestionsOf(words)).toHaveLength(parts);
});

test.each([
  ['Since when do users ask for exports?', true, false],
  ['When did customers first ask for exports?', true, false],
  ['Why do users ask for exports?', false, true],
  ['What was decided about exports?', false, true],
])('"%s" asks since when: %s, for a reason: %s', (words, isSince, isReason) => {
  expect([asks('since', words), asks('decisions', words)]).toEqual([isSince, isReason]);
});

test.each([
  ['What happens when a mail takes too long?', 'when mail timeout'],
  ['How can rotation be turned off?', 'rotation disabled'],
  ['How are mails sent again that fail?', 'mails sent again that fail'],
  ['How are failed mails tried again?', 'failed mails retry'],
  ['how can I get the old format back?', 'restore old format'],
  ['How are clerks told of mails?', 'clerks told of mails'],
  ['How can clerks be told of mails?', 'clerks notified of mails'],
  ['since which version is the queue there?', 'queue'],
])('"%s" is looked for as %s', (words, sought) => {
  expect(
    soughtOf(words)
      .split(' ')
      .filter((word) => word !== 'when'),
  ).toEqual(sought.split(' ').filter((word) => word !== 'when'));
});

test.each([
  ['since which version is the queue there?', true],
  ['how did support for queues come about?', true],
  ['which version added the queue?', true],
  ['Since when do users complain about queues?', false],
  ['in which versions were bugs fixed?', false],
])('"%s" asks how something came in: %s', (words, isAsked) => {
  expect(asks('beginning', words)).toBe(isAsked);
});
