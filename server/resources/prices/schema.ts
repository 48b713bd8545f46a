import { Type } from '../../base/schema.ts';
import { CurrencyParameter, MetadataParameter, MetadataShape, Parameters, Shown, Timestamp } from '../shapes.ts';
import { type PriceInterval, priceIntervals } from './price.ts';

const productName = Type.String({ maxLength: 256, description: 'What is sold, up to 256 characters' });
const active = Type.Boolean({ description: 'An inactive price sells nothing new' });

const Recurring = Parameters({
  interval: Type.Unsafe<PriceInterval>(Type.String({ enum: [...priceIntervals], description: 'The unit of a period' })),
  interval_count: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'How many intervals a period has, three years at most; 1 when not given',
    }),
  ),
});

export const NewPriceInput = Parameters({
  currency: CurrencyParameter,
  unit_amount: Type.Integer({
    minimum: 0,
    description: 'Of one, in the smallest unit of the currency: 2000 is 20.00 euros',
  }),
  recurring: Recurring,
  product_name: productName,
  metadata: Type.Optional(MetadataParameter),
});

export const PriceInput = Parameters({
  active: Type.Optional(active),
  product_name: Type.Optional(productName),
  metadata: Type.Optional(MetadataParameter),
});

export const PriceOutput = Shown('Price', 'price', {
  active: Type.Boolean(),
  currency: Type.String(),
  unit_amount: Type.Integer(),
  recurring: Type.Object({
    interval: Type.String({ enum: [...priceIntervals] }),
    interval_count: Type.Integer(),
  }),
  product_name: Type.String(),
  created: Timestamp,
  metadata: Type.Optional(MetadataShape),
});
