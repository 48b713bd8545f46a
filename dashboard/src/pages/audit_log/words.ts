import type { AuditEntry } from '@tollgate/node';
import { wordsOf } from '../../kit/tones.ts';

/** `user.role_changed` becomes `User: role changed`; the code of a refusal becomes words. */
export function actionWords({ action }: Pick<AuditEntry, 'action'>): string {
  const [noun = '', ...rest] = action.split('.');
  return rest.length === 0 ? wordsOf(noun) : `${wordsOf(noun)}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

/** `viewer → support`, `role: viewer · email: ada@example.com`: what fits into a line. */
export function detailWords({ from, to, ...others }: AuditEntry['details']): string {
  const change = from === undefined || to === undefined ? [] : [`${textOf(from)} → ${textOf(to)}`];
  return [...change, ...Object.entries(others).map(([name, value]) => `${name}: ${textOf(value)}`)].join(' · ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? detailWords(value as AuditEntry['details']) : JSON.stringify(value);
}

/** An operator has no user; a visitor has an address. */
export function isCommand({ user, address }: AuditEntry): boolean {
  return user === undefined && address === undefined;
}
