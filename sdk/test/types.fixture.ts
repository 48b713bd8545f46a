import type {
  Customer,
  Event,
  EventType,
  ListParameters,
  Page,
  Payment,
  PaymentsCreateParameters,
} from '../src/index.ts';
import { CardError, ResponseError, type Tollgate, webhooks } from '../src/index.ts';

/** Compiled, never run: what a user may write, and, after each `@ts-expect-error`, what the types must refuse. */
export async function uses(tollgate: Tollgate, request: Request): Promise<void> {
  const params: PaymentsCreateParameters = { amount: 2000, currency: 'eur', payment_method: 'pm_1' };
  const payment: Payment = await tollgate.payments.create(params, { idempotencyKey: 'order-7', maxRetries: 0 });
  const status: 'succeeded' | 'failed' | 'canceled' | 'processing' | 'requires_action' | 'requires_capture' =
    payment.status;
  await tollgate.payments.create({ ...params, description: undefined, capture_method: 'manual' });
  await tollgate.subscriptions.update('sub_1', { items: [{ id: 'si_1', quantity: undefined, price: 'price_1' }] });
  const recent: ListParameters = { limit: 3, created: { gte: 0 } };
  for await (const one of tollgate.payments.list({ ...recent, status: 'succeeded' })) one.amount.toFixed();
  await tollgate.payments.capture(payment.id);
  await tollgate.customers.update('cus_1', { name: null, metadata: { seats: 3, plan: null } });
  const page: Page<Customer> = await tollgate.customers.list({ limit: 3, created: { gte: 7 } });
  for await (const { card } of tollgate.customers.listPaymentMethods('cus_1')) card.last4.toUpperCase();
  const { secret } = await tollgate.webhookEndpoints.create({ url: 'https://a.example', enabled_events: ['*'] });

  const made = await tollgate.subscriptions.create({
    customer: 'cus_1',
    items: [{ price: 'price_1' }],
    expand: ['latest_invoice.payment', 'customer'],
  });
  made.expanded['latest_invoice.payment']?.next_action?.redirect_to_url.url.toUpperCase();
  made.expanded.customer?.metadata;
  (await tollgate.payments.retrieve('py_1', { expand: ['customer'], maxRetries: 0 })).expanded.customer?.email?.trim();
  for await (const { expanded } of tollgate.payments.list({ limit: 3, expand: ['invoice'] })) expanded.invoice?.total;
  const unexpanded: Payment = await tollgate.payments.retrieve('py_1');

  // @ts-expect-error It was not asked for.
  made.expanded.coupon;
  // @ts-expect-error It may be gone.
  made.expanded.customer.metadata;
  // @ts-expect-error There is no such path.
  await tollgate.payments.retrieve('py_1', { expand: ['custumer'] });
  // @ts-expect-error Without `expand` it is not there.
  unexpanded.expanded.customer;
  // @ts-expect-error A required parameter is missing.
  await tollgate.payments.create({ amount: 2000, currency: 'eur' });
  // @ts-expect-error An amount is a number.
  await tollgate.payments.create({ ...params, amount: '2000' });
  // @ts-expect-error There is no such parameter.
  await tollgate.payments.create({ ...params, descripton: 'Order 7' });
  // @ts-expect-error There is no such choice.
  await tollgate.payments.create({ ...params, capture_method: 'later' });
  // @ts-expect-error An id is needed.
  await tollgate.payments.retrieve();
  // @ts-expect-error Null removes in an update only.
  await tollgate.customers.create({ name: null });
  // @ts-expect-error There is no such option.
  await tollgate.payments.create(params, { idempotency_key: 'order-7' });
  // @ts-expect-error There is no such filter.
  await tollgate.payments.list({ metadata: {} });
  // @ts-expect-error There is no such field.
  payment.captured;
  // @ts-expect-error A description may be absent.
  payment.description.length;
  // @ts-expect-error There is no such status.
  payment.status === 'paid';
  // @ts-expect-error A list has no page before it is awaited.
  tollgate.customers.list().data;

  errors(new Error(status));
  events(await webhooks.verify(await request.arrayBuffer(), request.headers, [secret]), page.data);
  // @ts-expect-error A parsed body cannot be verified.
  await webhooks.verify({ id: 'evt_1' }, request.headers, secret);
}

function errors(error: unknown): void {
  if (error instanceof CardError) {
    error.code === 'card_declined';
    const reason: string | undefined = error.declineCode;
    // @ts-expect-error No card error has this code.
    error.code === 'resource_missing';
    throw new Error(reason);
  }
  if (error instanceof ResponseError) {
    error.code === 'resource_missing';
    // @ts-expect-error There is no such code.
    error.code === 'resource_mising';
    // @ts-expect-error Only the error of a card has one.
    error.declineCode;
  }
}

function events(event: Event, customers: Customer[]): void {
  const type: EventType = event.type;
  if (event.type === 'payment.succeeded') {
    event.data.object.amount_received.toFixed();
    // @ts-expect-error The payment in an event has no time of creation.
    event.data.object.created;
    // @ts-expect-error This is a payment.
    event.data.object.email;
  } else if (event.type === 'customer.created') {
    customers.push(event.data.object);
    // @ts-expect-error There is no such type.
  } else if (event.type === 'customer.exploded') throw new Error(type);
}
