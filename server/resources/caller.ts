import type { Mode, Tenant } from '../base/reads.ts';
import type { KeyWithAccount } from './api_keys/api_key.ts';

/**
 * Who calls an operation. Authentication makes a key caller, the worker makes duties, and the command line makes operators.
 * The audit log and the request log name the caller.
 */
export type Caller =
  | { kind: 'key'; tenant: Tenant; mode: Mode; key: KeyWithAccount }
  | { kind: 'duty'; tenant: Tenant; mode: Mode; name: string }
  | { kind: 'operator'; tenant: Tenant; mode: Mode; name: string };

export type CallerKind = Caller['kind'];

/** The tenant of an operator whose work concerns the whole installation, such as a new account. No row belongs to it. */
export const installation = 0 as Tenant;

export function callerName(caller: Caller): string {
  return caller.kind === 'key' ? caller.key.id : caller.name;
}
