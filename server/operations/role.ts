import type { Mode } from '../base/reads.ts';

/** What a person may do in an account. */
export const roles = ['owner', 'developer', 'support', 'viewer'] as const;
export type Role = (typeof roles)[number];

/**
 * What an operation needs of the role of a person:
 * - `read`: to see;
 * - `handle`: to capture and cancel, as people do who talk to customers;
 * - `pay_out`: to send money back;
 * - `change`: everything else that changes something;
 * - `route`: to decide where payments go, and so who gets the money;
 * - `people`: to decide who may do what.
 */
export type Right = 'read' | 'handle' | 'pay_out' | 'change' | 'route' | 'people';

export const rightsByRole: Record<Role, Record<Mode, readonly Right[]>> = {
  owner: both(['read', 'handle', 'pay_out', 'change', 'route', 'people']),
  developer: {
    test: ['read', 'handle', 'pay_out', 'change', 'route'],
    live: ['read', 'handle', 'change'],
  },
  support: both(['read', 'handle', 'pay_out']),
  viewer: both(['read']),
};

function both(rights: readonly Right[]): Record<Mode, readonly Right[]> {
  return { test: rights, live: rights };
}

export function permits(role: Role, mode: Mode, right: Right): boolean {
  return rightsByRole[role][mode].includes(right);
}

/** Those who could do it instead, for a message to somebody who cannot. */
export function rolesWith(mode: Mode, right: Right): Role[] {
  return roles.filter((role) => permits(role, mode, right));
}
