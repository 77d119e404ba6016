import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

interface ReceivedMail {
  to: string[];
  /** Header and body as they came. */
  source: string;
}

export interface TestMailServer {
  /** For SVC_SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Recipients that it does not take. */
  refused: Set<string>;
  /** True: it takes no e-mail at all. */
  isFull: boolean;
  /** Credentials with which clients signed in: user and password. */
  credentials: string[];
  close: () => Promise<void>;
}

/** A mail server on a free port of this machine, which keeps what it gets. */
export async function testMailServer(): Promise<TestMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    converse(socket, state).catch(() => socket.destroy());
  }).listen(0, '127.0.0.1');
  const state: TestMailServer = {
    url: '',
    received: [],
    refused: new Set(),
    isFull: false,
    credentials: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  await new Promise((resolve) => server.once('listening', resolve));
  state.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

async function converse(socket: Socket, state: TestMailServer): Promise<void> {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  let mail: ReceivedMail = { to: [], source: '' };
  let isData = false;
  say('220 mail.test ESMTP');
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (isData) {
      if (line !== '.') mail.source += `${line.replace(/^\.\./, '.')}\n`;
      else {
        isData = false;
        if (!state.isFull) state.received.push(mail);
        mail = { to: [], source: '' };
        say(state.isFull ? '452 4.3.1 Mailbox full' : '250 2.0.0 Taken');
      }
      continue;
    }
    const verb = line.slice(0, 4).toUpperCase();
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (verb === 'EHLO') say('250-mail.test\r\n250 AUTH PLAIN');
    else if (verb === 'AUTH') {
      const [, user = '', password = ''] = Buffer.from(line.slice(11), 'base64').toString().split('\0');
      state.credentials.push(`${user}:${password}`);
      say('235 2.7.0 Accepted');
    } else if (recipient !== undefined) {
      if (!state.refused.has(recipient)) mail.to.push(recipient);
      say(state.refused.has(recipient) ? '550 5.1.1 No such mailbox' : '250 2.1.5 Fine');
    } else if (verb === 'DATA') {
      isData = true;
      say('354 Go on');
    } else if (verb === 'QUIT') {
      say('221 2.0.0 Bye');
      socket.end();
    } else say('250 2.0.0 Fine');
  }
}
