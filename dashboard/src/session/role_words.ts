import type { Role } from './rights.ts';

/** In the order of what they may do. */
export const roles: readonly Role[] = ['owner', 'developer', 'support', 'viewer'];

/** What a role may do, in one sentence each. `rights.ts` says it exactly. */
export const aboutRole: Record<Role, string> = {
  owner: 'Everything, people and the audit log included.',
  developer: 'Everything but people. In live mode neither refunds, nor processors, nor routing.',
  support: 'See everything; capture, cancel and refund payments.',
  viewer: 'See everything, and change nothing.',
};
