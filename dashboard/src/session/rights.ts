import { rightsByRole } from '../generated/catalog.ts';

export type Role = keyof typeof rightsByRole;
export type Mode = keyof (typeof rightsByRole)[Role];
export type Right = (typeof rightsByRole)['owner'][Mode][number];

/** In the order of what they may do. */
export const roles = Object.keys(rightsByRole) as Role[];

/** What a role may do, in one sentence each. */
export const aboutRole: Record<Role, string> = {
  owner: 'Full access, including people and the audit log.',
  developer: 'Everything except people. In live mode no refunds, processors or routing.',
  support: 'View everything; capture, cancel and refund payments.',
  viewer: 'View everything, change nothing.',
};

/** To show only buttons that work. The API decides. */
export function may(role: Role, mode: Mode, right: Right): boolean {
  return (rightsByRole[role][mode] as readonly Right[]).includes(right);
}
