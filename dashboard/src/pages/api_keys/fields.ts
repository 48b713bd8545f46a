import type { ApiKeysCreateParameters } from '@tollgate/node';
import { type Chosen, scopesOf } from './scopes.ts';

/** What somebody has filled in for a new key. */
export type Fields = {
  name: string;
  kind: 'secret' | 'restricted';
  chosen: Chosen;
  /** Days, `day` for the day that is chosen, or nothing. */
  lifetime: string;
  day: string;
  addresses: string;
  isSigned: boolean;
};

const daySeconds = 86_400;

/** What is sent; undefined while something is missing. The API judges the rest, in its words. */
export function paramsOfFields(fields: Fields, now: number): ApiKeysCreateParameters | undefined {
  const { name, kind, chosen, addresses, isSigned } = fields;
  const scopes = scopesOf(chosen);
  const expires_at = endOf(fields, now);
  if (name.trim() === '' || (kind === 'restricted' && scopes.length === 0)) return undefined;
  if (fields.lifetime !== '' && expires_at === undefined) return undefined;
  const allowed_ips = addresses.split(/[\s,]+/).filter((address) => address !== '');
  return {
    name: name.trim(),
    kind,
    ...(kind === 'restricted' && { scopes }),
    ...(expires_at !== undefined && { expires_at }),
    ...(allowed_ips.length > 0 && { allowed_ips }),
    ...(isSigned && { signature_required: true }),
  };
}

function endOf({ lifetime, day }: Fields, now: number): number | undefined {
  if (lifetime !== 'day') return lifetime === '' ? undefined : now + Number(lifetime) * daySeconds;
  const start = new Date(`${day}T00:00`).getTime();
  return Number.isNaN(start) ? undefined : Math.floor(start / 1_000);
}
