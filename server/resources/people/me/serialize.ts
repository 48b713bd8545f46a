import { createdSeconds } from '../../../base/id.ts';
import type { PersonCaller } from '../../../operations/caller.ts';
import type { User } from '../users/user.ts';

export function serializeMe({ id, email, totp_secret, recovery_codes }: User, { person }: PersonCaller) {
  return {
    id,
    object: 'me',
    email,
    email_verified: person.emailVerified,
    totp_enabled: totp_secret !== null,
    recovery_codes_left: recovery_codes.length,
    created: createdSeconds(id),
  };
}
