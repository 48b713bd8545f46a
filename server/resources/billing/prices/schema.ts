import { Type } from '../../../base/schema.ts';
import { ExternalIdParameter, MaybeExternalId } from '../../../operations/external_id.ts';
import {
  Created,
  Currency,
  CurrencyParameter,
  Flag,
  MetadataParameter,
  MetadataShape,
  OneOf,
  Parameters,
  Shown,
  Text,
  Whole,
} from '../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../operations/serializer.ts';
import { eventsAbout } from '../../../outbox/event.ts';
import { type Price, type PriceInterval, type priceEvents, priceIntervals } from './price.ts';

const productName = Type.String({ maxLength: 256, description: 'What is sold, up to 256 characters.' });
const active = Type.Boolean({
  description: 'Whether it is sold: whether new subscriptions can have it. Subscriptions that have it go on.',
});

export const Recurring = Type.Object(
  {
    interval: Type.Unsafe<PriceInterval>(
      Type.String({ enum: [...priceIntervals], description: 'The unit of a period.' }),
    ),
    interval_count: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'How many intervals a period has; 1 when not given. A period is at most 1095 days, 156 weeks, 36 months or 3 years.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'How often the amount is billed. When not given, the price is paid once, and no subscription can have it.',
  },
);

export const NewPriceInput = Parameters({
  currency: CurrencyParameter,
  unit_amount: Type.Integer({
    minimum: 0,
    description:
      'What one costs, for a period or once, in the smallest unit of the currency: 2000 is 20.00 euros. From 0 to 999,999,999,999.',
  }),
  recurring: Type.Optional(Recurring),
  product_name: productName,
  external_id: ExternalIdParameter,
  metadata: Type.Optional(MetadataParameter),
});

export const PriceInput = Parameters({
  active: Type.Optional(active),
  product_name: Type.Optional(productName),
  external_id: ExternalIdParameter,
  metadata: Type.Optional(MetadataParameter),
});

export const PriceOutput = Shown('Price', 'price', 'What one of something costs, for a period or once.', {
  active: Flag('Whether new subscriptions can have it.'),
  currency: Currency,
  unit_amount: Whole('What one costs, for a period or once, in the smallest unit of the currency.'),
  recurring: Type.Optional(
    Type.Object(
      {
        interval: OneOf(priceIntervals, 'The unit of a period.'),
        interval_count: Whole('How many intervals a period has.'),
      },
      { title: 'Recurrence', description: 'How often the amount is billed. Absent: it is paid once.' },
    ),
  ),
  product_name: Text('What is sold.'),
  created: Created,
  metadata: Type.Optional(MetadataShape),
  external_id: MaybeExternalId,
});

export const serializePrice = serializer<Price, typeof PriceOutput>(PriceOutput, {
  recurring: from(['interval', 'interval_count'], ({ interval, interval_count }) =>
    interval === null || interval_count === null ? null : { interval, interval_count },
  ),
  created: timeInId,
});

export const priceEvent = eventsAbout<keyof typeof priceEvents, Price>(serializePrice);
