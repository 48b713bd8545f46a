import type { Static } from 'typebox';
import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import { Type } from '../../../base/schema.ts';
import {
  type Descriptor,
  findRows,
  listOperation,
  requireRow,
  retrieveOperation,
  updateOperation,
} from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { checkExternalId, ExternalIdFilter, foundByExternalId } from '../../../operations/external_id.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { amountMax, checkCurrency } from '../../../operations/money.ts';
import { type Context, type Input, operation } from '../../../operations/operation.ts';
import { intervalCountMax, type Price, type PriceId } from './price.ts';
import { NewPriceInput, PriceInput, PriceOutput, priceEvent, type Recurring, serializePrice } from './schema.ts';
import { addPrice, pricesTable } from './store.ts';

export const priceDescriptor: Descriptor<Price> = {
  resource: 'prices',
  noun: 'price',
  prefix: 'price',
  table: pricesTable,
  serialize: serializePrice,
  output: PriceOutput,
  event: priceEvent,
  csv: 'id created product_name unit_amount currency recurring.interval recurring.interval_count active external_id unit_amount_decimal',
  notes: {
    update:
      'The amount, the currency and the period cannot be changed: create another price, and set this one to inactive.',
  },
};

/** The price that a request names. Whether it is active is for the caller to check. */
export const requirePrice = requireRow(priceDescriptor);
/** The prices that stored objects name. */
export const findPrices = findRows(priceDescriptor);

function checkProductName(name: string): void {
  if (name.trim() === '')
    throw apiError('parameter_invalid', { param: 'product_name', reason: 'it must not be blank' });
}

function checkPeriod({ interval, interval_count = 1 }: Static<typeof Recurring>): void {
  const max = intervalCountMax[interval];
  if (interval_count <= max) return;
  const reason = `a period is three years at most, so it must be at most ${max} ${interval}s`;
  throw apiError('parameter_invalid', { param: 'recurring.interval_count', reason });
}

function newPrice(tenant: Tenant, id: PriceId, input: Static<typeof NewPriceInput>): Price {
  const { currency, unit_amount, product_name, external_id = null } = input;
  const { interval = null, interval_count = interval && 1 } = input.recurring ?? {};
  const metadata = changeMetadata(null, input.metadata);
  const terms = { currency, unit_amount, interval, interval_count };
  return { tenant, id, version: 1, active: true, ...terms, product_name, external_id, metadata };
}

async function changePrice(
  before: Price,
  input: Input<typeof PriceInput, 'clear'>,
  context: Context,
): Promise<Partial<Price>> {
  const { external_id = before.external_id } = input;
  await checkExternalId(context, priceDescriptor, external_id, before);
  return {
    external_id,
    active: input.active ?? before.active,
    product_name: input.product_name ?? before.product_name,
    metadata: changeMetadata(before.metadata, input.metadata),
  };
}

const create = operation({
  name: 'prices.create',
  summary: 'Create a price',
  description:
    'A price is what one of something costs: for a period, or once where `recurring` is not given. Subscriptions need prices that recur. The amount, the currency and the period never change: for other terms create another price.',
  route: 'POST /prices',
  input: NewPriceInput,
  output: PriceOutput,
  errors: apiError.codes('currency_unknown', 'amount_too_large'),
  check({ currency, unit_amount, recurring, product_name }) {
    checkCurrency(currency);
    if (unit_amount > amountMax) throw apiError('amount_too_large', { param: 'unit_amount' });
    if (recurring !== undefined) checkPeriod(recurring);
    checkProductName(product_name);
  },
  async run(context, input) {
    const { tenant, now } = context;
    await checkExternalId(context, priceDescriptor, input.external_id);
    const price = newPrice(tenant, newId('price', now), input);
    const events = [priceEvent('price.created', price)];
    return { result: serializePrice(price), objectId: price.id, writes: [addPrice(price)], events };
  },
});

const update = updateOperation(priceDescriptor, PriceInput, changePrice, (input) => {
  for (const param of ['active', 'product_name'] as const)
    if (input[param] === null) throw apiError('parameter_invalid', { param, reason: 'it cannot be cleared' });
  if (input.product_name) checkProductName(input.product_name);
});

const filters = {
  active: Type.Optional(Type.Boolean({ description: 'Only active ones, or only the others.' })),
  external_id: ExternalIdFilter,
};
const list = listOperation(priceDescriptor, filters, foundByExternalId);

export const priceOperations = [create, retrieveOperation(priceDescriptor), update, list];
