import { operationRights, rights, roles } from '../generated/rights.ts';

export { roles };
export type Role = (typeof roles)[number];
export type Mode = 'test' | 'live';
export type Right = keyof typeof rights;
/** An operation that people call in an account; with a parameter, that operation with nothing else. */
export type OperationName = keyof typeof operationRights;

function wordsOfRole(role: Role): string {
  const has = (mode: Mode) => (right: Right) => hasRight(role, mode, right);
  const all = Object.keys(rights) as Right[];
  if (all.every(has('live'))) return 'Can do everything.';
  const words = (right: Right) => `${rights[right].about}${has('live')(right) ? '' : ' (in test mode)'}`;
  return `Can ${all.filter(has('test')).map(words).join('; ')}.`;
}

/** What a role may do, in a sentence. */
export const aboutRole = Object.fromEntries(roles.map((role) => [role, wordsOfRole(role)])) as Record<Role, string>;

export function hasRight(role: Role, mode: Mode, right: Right): boolean {
  return (rights[right][mode] as readonly Role[]).includes(role);
}

/** To show only buttons that work. The API decides. */
export function may(role: Role, mode: Mode, operation: OperationName): boolean {
  return hasRight(role, mode, operationRights[operation]);
}

const plural: Record<Role, string> = {
  owner: 'owners',
  developer: 'developers',
  finance: 'finance',
  support: 'support',
  viewer: 'viewers',
};

/** Those who can do something that somebody else cannot: `Owners and finance`. */
export function whoMay(mode: Mode, operation: OperationName): string {
  const able = rights[operationRights[operation]][mode].map((role) => plural[role]);
  const words = new Intl.ListFormat('en-GB').format(able);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
