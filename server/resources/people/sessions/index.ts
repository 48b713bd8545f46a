import type { Tenant } from '../../../base/reads.ts';
import type { MemberNow } from '../../../operations/caller.ts';
import { resource } from '../../../operations/resource.ts';
import { sweepCodeTries } from './code_tries.ts';
import { sessionErrors } from './errors.ts';
import { SignInGuesses, sweepFailures } from './guesses.ts';
import { sweepMailRequests } from './mail_requests.ts';
import { memberNow } from './member_now.ts';
import { sessionOperations } from './operations.ts';
import { newSignInMessage, newSignInSample } from './sign_in_message.ts';
import { sweepSessions } from './store.ts';

declare module '../../../operations/services.ts' {
  interface ProvidedServices {
    /** Counts tries to sign in. */
    signIns: SignInGuesses;
    /** A user as a member of the account of a tenant; undefined for somebody without a role in it. */
    memberNow: (tenant: Tenant, user: string) => Promise<MemberNow | undefined>;
  }
}

export const sessions = resource({
  name: 'sessions',
  about:
    'Somebody who has signed in to the dashboard. The browser holds the session in a cookie that scripts cannot read.',
  place: { group: 'People', position: 40 },
  errors: sessionErrors,
  // The rate limits use this pool too: it is durable enough that a restart does not open a lock.
  provides: ({ relaxed, keyring, reads }) => ({
    services: {
      signIns: new SignInGuesses(relaxed.directory, keyring),
      memberNow: (tenant, user) => memberNow(reads, tenant, user),
    },
  }),
  personMails: [
    {
      kind: 'new_sign_in',
      when: 'Somebody signs in as a user from a network that this user never signed in from.',
      sample: () => newSignInMessage(newSignInSample),
    },
  ],
  operations: sessionOperations,
  maintenance: [
    { name: 'sessions that have run out', home: 'directory', run: sweepSessions },
    { name: 'failed sign-ins', home: 'directory', run: sweepFailures },
    { name: 'codes that were tried', home: 'directory', run: sweepCodeTries },
    { name: 'mails that were asked for', home: 'directory', run: sweepMailRequests },
  ],
});
