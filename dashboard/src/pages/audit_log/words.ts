import type { AuditEntry } from '@tollgate/node';
import { wordsOf } from '../../kit/tones.ts';

type Details = Record<string, unknown>;

/** `user.role_changed` becomes `User: role changed`; the code of a refusal becomes words. */
export function actionWords({ action }: { action: string }): string {
  const [noun = '', ...rest] = action.split('.');
  return rest.length === 0 ? wordsOf(noun) : `${wordsOf(noun)}: ${rest.join(' ').replaceAll('_', ' ')}`;
}

/** `viewer → support`, `role: viewer · email: ada@example.com`: what fits into a line. */
export function detailWords({ from, to, ...others }: Details): string {
  const change = from === undefined || to === undefined ? [] : [`${textOf(from)} → ${textOf(to)}`];
  const set = Object.entries(others).filter(([, value]) => value !== null);
  return [...change, ...set.map(([name, value]) => `${name}: ${textOf(value)}`)].join(' · ');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? detailWords(value as Details) : JSON.stringify(value);
}

/** Of what customers did in the portal: the id of the customer, who may be deleted by now. */
export function customerOf({ actor, user, subject, details }: AuditEntry): string | undefined {
  if (actor !== 'the customer' || user !== undefined) return undefined;
  return typeof details.customer === 'string' ? details.customer : subject;
}

/** An operator has no user; a visitor has an address; customers are neither. */
export function isCommand(entry: AuditEntry): boolean {
  return entry.user === undefined && entry.address === undefined && customerOf(entry) === undefined;
}
