import { ServiceError } from '../kernel/errors.ts';

/** Time limit of connecting and of each answer of the mail server. */
const TIMEOUT_MS = 20_000;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/;
const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

export interface Mail {
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  /** Id of the message, the same for the same e-mail, so that a recipient can recognise a second copy. Without `<` and `>`. */
  messageId: string;
}

/** Sends e-mails through the mail server of the settings. */
export interface Mailer {
  /**
   * Sends one e-mail to all of its recipients. Gives those that the server refused; the others have it.
   *
   * @throws ServiceError `upstream_failed` when the server cannot be reached, or takes it for none of them.
   */
  send: (mail: Mail) => Promise<string[]>;
}

/**
 * Opens the mailer when the settings name a mail server. A password is sent over TLS alone, unless the server is on this
 * machine; without one, TLS is used where the server offers it.
 *
 * @throws ServiceError `bad_argument` when one of the two settings is missing.
 */
export function openMailer(url: string | undefined, from: string | undefined): Mailer | undefined {
  if (url === undefined && from === undefined) return undefined;
  if (url === undefined || from === undefined) {
    throw new ServiceError('bad_argument', 'E-mail needs both SVC_SMTP_URL and SVC_SMTP_FROM.', {
      fix: `Set ${url === undefined ? 'SVC_SMTP_URL' : 'SVC_SMTP_FROM'} too, or neither.`,
    });
  }
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? PORTS[protocol] : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && username !== '' && !LOOPBACK.test(hostname),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing that an e-mail says is read from this machine or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded with the first e-mail: most installations send none.
  const connect = async () => (await import('nodemailer')).createTransport(options);
  let transport: ReturnType<typeof connect> | undefined;
  return {
    send: async ({ to, messageId, ...mail }) => {
      try {
        transport ??= connect();
        const sent = await (await transport).sendMail({ ...mail, from, to: [...to], messageId: `<${messageId}>` });
        return sent.rejected;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new ServiceError('upstream_failed', `The mail server ${hostname} did not take the e-mail: ${reason}`, {
          fix: 'Check the addresses, SVC_SMTP_URL and SVC_SMTP_FROM.',
          cause,
        });
      }
    },
  };
}
