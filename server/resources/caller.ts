import type { Mode, Tenant } from '../base/reads.ts';
import type { KeyWithAccount } from './api_keys/api_key.ts';

/**
 * Who calls an operation. Authentication makes a key caller, the worker makes duties, and the command line makes operators.
 * The audit log and the request log name the caller.
 */
export type Caller =
  | { kind: 'key'; tenant: Tenant; mode: Mode; key: KeyWithAccount }
  | { kind: 'duty'; tenant: Tenant; mode: Mode; name: string }
  | {
      kind: 'operator';
      tenant: Tenant;
      mode: Mode;
      /** Null for what concerns the whole installation. */
      account: string | null;
      name: string;
    };

export type CallerKind = Caller['kind'];

/** The tenant of an operator whose work concerns the whole installation, such as a new account. No row belongs to it. */
export const installation = 0 as Tenant;

export function callerName(caller: Caller): string {
  return caller.kind === 'key' ? caller.key.id : caller.name;
}

/** The account that a caller acts for; null for duties, and for work on the whole installation. */
export function callerAccount(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.key.account;
  return caller.kind === 'operator' ? caller.account : null;
}
