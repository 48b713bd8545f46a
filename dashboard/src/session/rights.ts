import { rightsByRole } from '../generated/catalog.ts';

export type Role = keyof typeof rightsByRole;
export type Mode = keyof (typeof rightsByRole)[Role];
export type Right = (typeof rightsByRole)['owner'][Mode][number];

/** In the order of what they may do. */
export const roles = Object.keys(rightsByRole) as Role[];

/** What a role may do, in one sentence each. */
export const aboutRole: Record<Role, string> = {
  owner: 'Everything, people and the audit log included.',
  developer: 'Everything but people. In live mode neither refunds, nor processors, nor routing.',
  support: 'See everything; capture, cancel and refund payments.',
  viewer: 'See everything, and change nothing.',
};

/** To show only buttons that work. The API decides. */
export function may(role: Role, mode: Mode, right: Right): boolean {
  return (rightsByRole[role][mode] as readonly Right[]).includes(right);
}
