import { z } from 'zod';

const ADDRESS = /^(?:[^<>"\r\n]{1,100} <[^\s<>@"]+@[^\s<>@"]+>|[^\s<>@"]+@[^\s<>@"]+)$/;

/** Settings of how the service sends e-mail. */
export const MAIL_VARIABLES = {
  smtpUrl: {
    name: 'SVC_SMTP_URL',
    schema: z.url({ protocol: /^smtps?$/ }),
    allowed: 'a URL such as smtp://user:password@mail.example:587 or smtps://mail.example',
    meaning: 'Mail server that sends digests by e-mail, together with SVC_SMTP_FROM. Without it no e-mail is sent.',
  },
  smtpFrom: {
    name: 'SVC_SMTP_FROM',
    schema: z.string().regex(ADDRESS),
    allowed: 'an address such as svc@example.com or Product news <svc@example.com>',
    meaning: 'Sender of e-mails.',
  },
};
