import type { Customer } from '@tollgate/node';

/** What to call a customer. */
export function nameOf({ name, email, id }: Customer): string {
  return name ?? email ?? id;
}
