import { resource } from '../../../operations/resource.ts';
import { sweepCodeTries } from './code_tries.ts';
import { sessionErrors } from './errors.ts';
import { SignInGuesses, sweepFailures } from './guesses.ts';
import { sweepMailRequests } from './mail_requests.ts';
import { sessionOperations } from './operations.ts';
import { sweepSessions } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Counts tries to sign in. */
    signIns: SignInGuesses;
  }
}

export const sessions = resource({
  name: 'sessions',
  about:
    'Somebody who has signed in to the dashboard. The browser holds the session in a cookie that scripts cannot read.',
  place: { group: 'People', position: 40 },
  errors: sessionErrors,
  // The rate limits use this pool too: it is durable enough that a restart does not open a lock.
  provides: ({ relaxed, keyring }) => ({ services: { signIns: new SignInGuesses(relaxed, keyring) } }),
  operations: sessionOperations,
  maintenance: [
    { name: 'sessions that have run out', run: sweepSessions },
    { name: 'failed sign-ins', run: sweepFailures },
    { name: 'codes that were tried', run: sweepCodeTries },
    { name: 'mails that were asked for', run: sweepMailRequests },
  ],
});
