import { Type } from '../../../base/schema.ts';
import type { Input } from '../../../operations/operation.ts';
import { MaybeText, ParameterObject, Personal } from '../../../operations/schemas.ts';
import { addressMembers } from '../customers/address.ts';

export type BillingAddress = Readonly<Record<string, string>>;
/** As supplied. The address is for the processor; the API does not show it. */
export type Billing = { name?: string; email?: string; address?: BillingAddress };

const part = (description: string) => Type.Optional(Personal({ maxLength: 256, description }));

const Address = ParameterObject('Stored for the processor, and never shown.', addressMembers);

export const BillingDetails = ParameterObject('Who holds the payment method. An update is merged field by field.', {
  name: part('The name of the holder, up to 256 characters.'),
  email: Type.Optional(
    Personal({ maxLength: 254, format: 'email', description: 'An email address of up to 254 characters.' }),
  ),
  address: Type.Optional(Address),
});

export const ShownBillingDetails = Type.Object(
  {
    name: MaybeText('The name of the holder; present when supplied.'),
    email: MaybeText('The email address of the holder; present when supplied.'),
  },
  { title: 'BillingDetails', description: 'What is shown about the holder. The address is not.' },
);

/** Merges member by member, like metadata: members that are not named stay. Null in place of the object removes all members. */
export function mergeBilling(
  before: Billing,
  change: Input<typeof BillingDetails, 'clear'> | null | undefined,
): Billing {
  if (change === undefined) return before;
  if (change === null) return {};
  const { address, ...own } = change;
  const merged = { ...before, ...own };
  const whole = address === undefined ? merged : { ...merged, address: address && { ...before.address, ...address } };
  return withoutNulls(whole) as Billing;
}

/** Undefined when it is empty. */
function emptied(values: object): object | undefined {
  const left = withoutNulls(values);
  return Object.keys(left).length === 0 ? undefined : left;
}

function withoutNulls(values: object): object {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value !== null && typeof value === 'object' ? emptied(value) : value])
      .filter(([, value]) => value !== null && value !== undefined),
  );
}
