import { expect, test } from 'vitest';
import { endsOf } from './ends.ts';
import { subquestionsOf } from './parts.ts';
import { parseQuestion } from './question.ts';
import { asks, asksPlansFirst } from './kinds.ts';
import { subjectOf } from './subject.ts';
import { codeWordsOf } from './topic.ts';
import { topicsOf } from './topics.ts';

/** What a question may ask, how people put it, and what sounds like it. */
const PHRASINGS: Readonly<Record<string, { isAsked: (words: string) => boolean; yes: string[]; no: string[] }>> = {
  'what depends on a thing': {
    isAsked: (words) => asks('dependents', words),
    yes: [
      'What else imports lib/weather?',
      'Which packages are using the cache?',
      'Everything that uses the queue',
      'Where is src/mail.ts imported?',
      'Is anything using the queue?',
      'Which crates depend on the queue?',
      'Which packages are built on the core?',
    ],
    no: ['What uses are there for a mailer?', 'What imports does src/mail.ts have?', 'What does the mailer use?'],
  },
  'the parts of the code': {
    isAsked: (words) => asks('parts', words),
    yes: [
      'How is the project structured?',
      'Give me an overview of the code',
      'Which components are there?',
      'Which parts does the system consist of and who uses whom?',
      'What is this application made up of?',
    ],
    no: ['Which part of a mail is sent first?', 'What points to the order?', 'What does a mail consist of?'],
  },
  'where the program begins': {
    isAsked: (words) => asks('entries', words),
    yes: [
      'Where does the program start?',
      'Which entry points are there?',
      'Where is the server entered, where does it all begin?',
    ],
    no: ['Where does a mail start its way?', 'When does the server start?'],
  },
  'what each part is for': {
    isAsked: (words) => asks('purpose', words),
    yes: [
      'Which packages are there and what is each of them for?',
      'What are the main parts and what do they do?',
      'What is the role of each package?',
    ],
    no: ['What is the mailer for?', 'Each package depends on which?'],
  },
  'packages and not files': {
    isAsked: (words) => asks('ofPackages', words),
    yes: [
      'Which packages import the mailer?',
      'Are there cycles between the packages?',
      'Do any modules depend on it?',
    ],
    no: ['Which files of the mailer package import it?', 'Which files depend on the mailer?'],
  },
  'parts that are built on no other': {
    isAsked: (words) => asks('bottom', words),
    yes: [
      'Which crates are at the bottom?',
      'Which packages are leaves?',
      'Which modules import nothing else of the project?',
      'Which packages stand on their own?',
    ],
    no: ['What are the layers from top to bottom?', 'Which packages import the core?', 'Who stands behind it?'],
  },
  'parts that no other is built on': {
    isAsked: (words) => asks('top', words),
    yes: ['Which packages sit on top?', 'Which modules are such that nothing depends on them?'],
    no: ['What is built on top of the core?', 'What are the layers from the top down?'],
  },
  'who made it': {
    isAsked: (words) => topicsOf(words).includes('owner'),
    yes: ['Who has written most of it?', 'Who wrote it?'],
    no: ['What is written there?'],
  },
  'what changes most': {
    isAsked: (words) => asks('changes', words),
    yes: ['Which files change the most?', 'What is changed most often?', 'What are the most changed files?'],
    no: ['What changed in the last release?', 'Which change was the most expensive?'],
  },
  'what is not linked': {
    isAsked: (words) => asks('unlinked', words),
    yes: [
      'Which files change together without importing each other?',
      'Which files that never import each other change together?',
      'Is there hidden coupling between files?',
    ],
    no: ['Which files change together and import each other?', 'Which files do not change together?'],
  },
  'yes or no': {
    isAsked: (words) => asks('whether', words),
    yes: ['Is the client independent of the server?', 'Can the client use the server?', 'Do mails depend on orders?'],
    no: ['How do mails depend on orders?', 'Doing it twice: how?'],
  },
  'what became of something': {
    isAsked: (words) => asks('history', words),
    yes: [
      'How has the queue changed?',
      'Which changes were made to the queue?',
      'Which faults of the queue have been fixed?',
      'What was changed in the retry?',
    ],
    no: ['What changes the state of a mail?', 'What happens when an order changes?', 'Which exchanges are there?'],
  },
  'what is planned or decided': {
    isAsked: asksPlansFirst,
    yes: ['Is there a plan for exports?', 'Are exports on the roadmap?', 'What did we decide about exports?'],
    no: ['How does the scheduler decide which job runs?', 'Which planets are known?'],
  },
  'what documents say': {
    isAsked: (words) => asks('documents', words),
    yes: [
      'What does the README tell about refunds?',
      'What is described in the manual about refunds?',
      'What do the docs explain about refunds?',
    ],
    no: ['Where is the guide?', 'What does the code say about refunds?'],
  },
  'what customers say': {
    isAsked: (words) => asks('customers', words),
    yes: ['Has anyone asked for exports?', 'What feedback is there on exports?', 'Do people like exports?'],
    no: ['How does a client request a page?', 'How is a user asked for the password?', 'How are customers stored?'],
  },
  'a way from one place to another': {
    isAsked: (words) => endsOf(words) !== undefined,
    yes: [
      'How does a request get from the router to the handler?',
      'How are errors passed on to the client?',
      'How does a mail end up in the queue?',
    ],
    no: ['Where is the mail from?', 'How to send mails?'],
  },
};

const ALL = Object.entries(PHRASINGS).flatMap(([what, { isAsked, yes, no }]) => [
  ...yes.map((words) => [words, what, true, isAsked] as const),
  ...no.map((words) => [words, what, false, isAsked] as const),
]);

test.each(ALL)('"%s" asks for %s: %s', (words, _, expected, isAsked) => {
  expect(isAsked(words)).toBe(expected);
});

test.each([
  ['hotspots', 'Which files are risky?', 'Where is most churn?', 'Which files have the most bugs?'],
  ['coupling', 'Which files are coupled?', 'What else changes when src/a.ts changes?', 'What changes with src/a.ts?'],
  ['cycles', 'Do files import each other in a circle?', 'Is there a cyclic dependency?', 'Are there import cycles?'],
  ['size', 'Which functions are too long?', 'What is the largest file?', 'Where is duplicated code?'],
])('a question of three forms is about %s', (topic, ...questions) => {
  expect(questions.map((words) => topicsOf(words).includes(topic as ReturnType<typeof topicsOf>[number]))).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  'How is a bug reported?',
  'What is the lifecycle of a mail?',
  'How long is a mail kept?',
  'What is the longest timeout?',
  'What are the couples?',
])('"%s" is about no such thing', (words) => {
  expect(topicsOf(words)).toEqual([]);
});

test.each([
  [
    'impact',
    ['Is it safe to delete send?', 'What is affected if I rename send?', 'What breaks without send?'],
    'How are lines broken?',
  ],
  ['owner', ['Who maintains the queue?', 'Who is the owner of it?', 'Who should I ask about it?'], 'Who is mailed?'],
  [
    'when',
    ['When did the queue change?', 'Since when are mails retried?', 'When was it added?'],
    'When is a mail sent?',
  ],
  ['why', ['Why is it dropped?', 'What is the reason for the retry?', 'The rationale?'], 'Where is the reason kept?'],
  ['compare', ['How do a and b differ?', 'Mailer vs Queue', 'How does a compare to b?'], 'How is a diff made?'],
  ['change', ['How to support another bank?', 'How can we extend it?', 'How would I add one?'], 'How is one added?'],
])('three questions want to %s, and one near to them does not', (intent, questions, near) => {
  expect(questions.map((words) => parseQuestion(words).intent)).toEqual([intent, intent, intent]);
  expect(parseQuestion(near).intent).not.toBe(intent);
});

test('six names of a question are looked up, and names of one letter are none', () => {
  const names = ['aOne', 'aTwo', 'aThree', 'aFour', 'aFive', 'aSix', 'aSeven'];

  expect(parseQuestion(`Where are ${names.join(', ')}?`).names).toEqual(names.slice(0, 6));
  expect(parseQuestion('Where are x() and do()?').names).toEqual(['do']);
});

test('four parts of a question are looked for, each of two terms', () => {
  const parts = ['one', 'two', 'three', 'four', 'five'].map((word) => `How are ${word} refunds paid?`);

  expect(subquestionsOf(parts.join(' '))).toEqual(parts.slice(0, 4));
  expect(subquestionsOf('How are refunds paid? Refunds!')).toEqual(['How are refunds paid? Refunds!']);
});

test('code is searched for how something is asked, and not for spans of time and what documents say', () => {
  expect(codeWordsOf('Where is it known how long mails wait over the years?')).toBe('Where is it known mails wait ?');
  expect(subjectOf('mail '.repeat(300))).toHaveLength(1000);
});
