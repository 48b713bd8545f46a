import { invalid } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import { addProduct } from './products.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath, named, retrieval } from './route.ts';
import type { FakePrice, FakeProduct } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/prices';
// biome-ignore format: a list of words
const facts = [
  'active', 'billing_scheme', 'currency', 'metadata', 'nickname', 'product', 'product_data', 'recurring',
  'tiers', 'tiers_mode', 'transform_quantity', 'unit_amount', 'unit_amount_decimal',
];
const intervals = ['day', 'week', 'month', 'year'] as const;

export const priceEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'active', 'product', 'type');
      // Without `active`, Stripe lists the active ones.
      const active = params.flag('active') ?? true;
      const [product, type] = [params.text('product'), params.oneOf('type', ['one_time', 'recurring'])];
      const fits = (one: FakePrice) =>
        one.active === active && (product === undefined || one.product === product) && (!type || one.type === type);
      return listOf(path, params, world.all<FakePrice>('price'), fits);
    },
  },
  retrieval<FakePrice>('price', path),
  {
    method: 'POST',
    path: `${path}/:id`,
    run: (call) => {
      const { params } = call;
      params.only('active', 'metadata', 'nickname', 'expand');
      const price = inPath<FakePrice>(call, 'price');
      price.active = params.flag('active') ?? price.active;
      price.nickname = params.text('nickname') ?? price.nickname;
      price.metadata = params.metadata(price.metadata);
      return price;
    },
  },
];

function create({ world, params }: FakeCall): object {
  params.only(...facts, 'expand');
  const billing_scheme = params.oneOf('billing_scheme', ['per_unit', 'tiered']) ?? 'per_unit';
  const currency = params.currency('currency');
  const recurring = recurringOf(params);
  const decimal = billing_scheme === 'tiered' ? null : decimalOf(params);
  return world.add<FakePrice>({
    id: world.newId('price'),
    object: 'price',
    active: params.flag('active') ?? true,
    billing_scheme,
    created: world.seconds(),
    currency,
    custom_unit_amount: null,
    livemode: world.settings.livemode,
    lookup_key: null,
    metadata: params.metadata(),
    nickname: params.text('nickname') ?? null,
    product: productOf(world, params),
    recurring,
    tax_behavior: 'unspecified',
    tiers_mode: billing_scheme === 'tiered' ? (params.oneOf('tiers_mode', ['graduated', 'volume']) ?? 'volume') : null,
    transform_quantity: transformOf(params),
    type: recurring === null ? 'one_time' : 'recurring',
    unit_amount: decimal !== null && /^\d+$/.test(decimal) ? Number(decimal) : null,
    unit_amount_decimal: decimal,
  });
}

/** In the smallest unit of the currency, with a fraction where Stripe is given one. */
function decimalOf(params: FakeParams): string {
  const fraction = params.text('unit_amount_decimal');
  if (fraction === undefined) {
    params.needed('unit_amount');
    return String(params.integer('unit_amount'));
  }
  if (/^\d{1,12}(\.\d{1,12})?$/.test(fraction)) return fraction;
  throw invalid(`Invalid decimal: ${fraction}`, { param: 'unit_amount_decimal' });
}

function recurringOf(params: FakeParams): FakePrice['recurring'] {
  if (!params.has('recurring')) return null;
  const given = params.group('recurring').only('interval', 'interval_count', 'usage_type');
  given.needed('interval');
  return {
    interval: given.oneOf('interval', intervals)!,
    interval_count: given.integer('interval_count') ?? 1,
    usage_type: given.oneOf('usage_type', ['licensed', 'metered']) ?? 'licensed',
  };
}

function productOf(world: FakeWorld, params: FakeParams): string {
  if (params.has('product_data'))
    return addProduct(world, params.group('product_data').only('active', 'metadata', 'name')).id;
  return named<FakeProduct>(world, 'product', params.needed('product'), 'product').id;
}

function transformOf(params: FakeParams): FakePrice['transform_quantity'] {
  if (!params.has('transform_quantity')) return null;
  const given = params.group('transform_quantity').only('divide_by', 'round');
  given.needed('divide_by');
  return { divide_by: given.integer('divide_by')!, round: given.oneOf('round', ['down', 'up']) ?? 'up' };
}
