import type { Context } from '../../../operations/operation.ts';
import type { Notable } from '../../people/notes/notables.ts';
import { eraseNotesOf } from '../../people/notes/operations.ts';
import type { Customer } from './customer.ts';
import { type Dependents, findCustomerById, holdCustomer, requireCustomer } from './operations.ts';

/** What a note on an object of a customer is committed with. Of a customer who was deleted, nothing more will be. */
export async function noteAbout(context: Context, customer: string | null): ReturnType<Notable['find']> {
  const found = customer === null ? undefined : await findCustomerById(context, customer);
  return found === undefined ? { customer: null, writes: [] } : heldBy(found);
}

const heldBy = (customer: Customer) => ({ customer: customer.id, writes: [holdCustomer(customer)] });

/** Notes can be written on customers. */
export const notesOnCustomers: Notable = {
  prefix: 'cus',
  noun: 'customer',
  // Found once: a second look might miss a customer who is being deleted, and the note would stay.
  find: async (context, id, param) => heldBy(await requireCustomer(context, id, param)),
};

/** The notes about a deleted customer go with it. */
export const notesOfCustomers: Dependents = {
  async checkDefault() {}, // a note has no say in payment methods
  release: eraseNotesOf,
};
