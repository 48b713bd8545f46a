/** What the roles may do, to show only buttons that work. The API decides: see server/operations/role.ts, which a test compares. */
export type Role = 'owner' | 'developer' | 'support' | 'viewer';
export type Mode = 'test' | 'live';
export type Right = 'read' | 'handle' | 'pay_out' | 'change' | 'route' | 'people';

const rights: Record<Role, readonly Right[]> = {
  owner: ['read', 'handle', 'pay_out', 'change', 'route', 'people'],
  developer: ['read', 'handle', 'pay_out', 'change', 'route'],
  support: ['read', 'handle', 'pay_out'],
  viewer: ['read'],
};
/** Live money out and live routing are not for developers. */
const notLive: Partial<Record<Role, readonly Right[]>> = { developer: ['pay_out', 'route'] };

export function may(role: Role, mode: Mode, right: Right): boolean {
  return rights[role].includes(right) && !(mode === 'live' && notLive[role]?.includes(right));
}
