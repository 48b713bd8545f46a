import { ApiError, assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Mode } from '../../../base/reads.ts';
import type { Once } from '../../../operations/executor.ts';
import type { FileAnswer } from '../../../operations/operation.ts';
import type { Declared, JobServices } from '../../../operations/resource.ts';
import { modeOf } from '../../../operations/tenants.ts';
import { hostedPages } from '../../billing/invoices/hosted_pages.ts';
import type { Invoice } from '../../billing/invoices/invoice.ts';
import { findInvoice, isPayable } from '../../billing/invoices/payable.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import type { CheckoutSessionId } from '../checkout_sessions/checkout_session.ts';
import { sessionPaying } from '../checkout_sessions/paying.ts';
import { sessionPages } from '../checkout_sessions/token.ts';

/**
 * How the customer can pay an invoice. new: the button makes a session. session: it leads to the page of the one that is under way.
 * challenge: a request has begun a payment, and the bank asks for the cardholder at this address.
 */
export type WayToPayInvoice = { kind: 'new' } | { kind: 'session'; path: string } | { kind: 'challenge'; url: string };

/** What the page shows of an invoice. */
export type InvoiceView = {
  invoice: Invoice;
  test: boolean;
  /** The account takes no payments now. */
  suspended: boolean;
  /** Undefined: it cannot be paid now, or its payment has no outcome yet. */
  way: WayToPayInvoice | undefined;
};

export type InvoiceDocument = 'invoice' | 'receipt';

export type InvoiceCalls = {
  /** Writes nothing: scanners of mail follow links too. */
  find(token: string): Promise<InvoiceView | undefined>;
  /** The press of the button: the page of the session that pays it; undefined: it cannot be paid now. */
  begin(view: InvoiceView, address: string): Promise<string | undefined>;
  /** As PDF; undefined: there is none. */
  document(view: InvoiceView, kind: InvoiceDocument, address: string): Promise<FileAnswer['file'] | undefined>;
};

/** The id of the session makes it take effect once. */
const once: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** What the page of an invoice calls. It believes nothing but the token. */
export function invoiceCalls(services: JobServices, declared: Declared): InvoiceCalls {
  const { reads, keyring, clock, executor, isSuspended } = services;

  const pageOf = ({ tenant }: Invoice, id: CheckoutSessionId) => sessionPages.pathOf({ keyring, tenant }, id);

  /** Of one whose payment has no outcome yet. */
  const wayOn = async (invoice: Invoice): Promise<WayToPayInvoice | undefined> => {
    const { tenant, payment: id } = invoice;
    const payment = id === null ? undefined : (await findPayments({ reads, tenant }, [id])).get(id);
    if (payment === undefined) return undefined;
    const { checkout_session, status, next_action } = payment;
    if (checkout_session !== null) return { kind: 'session', path: pageOf(invoice, checkout_session) };
    return status === 'requires_action' && next_action !== null ? { kind: 'challenge', url: next_action } : undefined;
  };
  const wayOf = async (invoice: Invoice): Promise<WayToPayInvoice | undefined> => {
    if (invoice.is_charging) return wayOn(invoice);
    if (!isPayable(invoice)) return undefined;
    const [customer, session] = await Promise.all([
      findCustomerById({ reads, tenant: invoice.tenant }, invoice.customer),
      sessionPaying(reads, invoice, clock.now()),
    ]);
    // What was given up stays so when the customer is deleted, and no payment can be theirs any more.
    if (customer === undefined) return undefined;
    return session === undefined ? { kind: 'new' } : { kind: 'session', path: pageOf(invoice, session.id) };
  };

  return {
    async find(token) {
      const named = hostedPages.read(keyring, token);
      const invoice = named && (await findInvoice({ reads, tenant: named.tenant }, named.id));
      if (invoice === undefined || invoice.number === null) return undefined;
      const { tenant } = invoice;
      const [mode, suspended, way] = await Promise.all([modeOf(reads, tenant), isSuspended(tenant), wayOf(invoice)]);
      return { invoice, test: mode === 'test', suspended, way };
    },
    async begin({ invoice, test, way }, address) {
      if (way?.kind === 'session') return way.path;
      if (way?.kind !== 'new') return undefined;
      const session = newId('cs', clock.now());
      const operation = declared.operation('invoices.begin_session');
      const call = { operation, id: invoice.id, requestId: null, parameters: { session } };
      const { error } = await executor.change({ ...call, caller: callerOf(invoice, test, address) }, once);
      return error === undefined ? pageOf(invoice, session) : undefined;
    },
    async document({ invoice, test }, kind, address) {
      const operation = declared.operation(kind === 'invoice' ? 'invoices.pdf' : 'payments.receipt');
      const id = kind === 'invoice' ? invoice.id : invoice.payment;
      if (id === null) return undefined;
      const caller = callerOf(invoice, test, address);
      try {
        const answer = await executor.read({ operation, caller, id, requestId: null, parameters: {} });
        assert('file' in answer, 'documents are answered as files');
        return answer.file;
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) return undefined;
        throw error;
      }
    },
  };
}

const callerOf = ({ tenant }: Invoice, test: boolean, address: string) =>
  ({ kind: 'shopper', name: 'customer', tenant, mode: (test ? 'test' : 'live') satisfies Mode, address }) as const;
